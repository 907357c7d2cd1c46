// The work directory of jobs on one machine: the folder where `primus` was called, or --workdir.
//
// Node's state is in its folder .primus (0700): objects.db, lock, node.log, jobs/. One node at a
// time: its lock is held by the node and by its reaper, so that it is free only when nothing of
// the last node runs any more.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>

#include "primus/base/result.h"

namespace primus::apps {

struct WorkDirectory {
  std::string path;         // absolute
  std::string given = ".";  // as the user wrote it

  // "`primus resume m --workdir W`": a command that does its work here when it is typed as printed.
  std::string Command(const std::string& words) const;
};

// A folder that is there.
Result<WorkDirectory> FindWorkDirectory(const std::string& given);

inline std::string StateDirectory(const std::string& work) { return work + "/.primus"; }
inline std::string ObjectsFile(const std::string& work) { return work + "/.primus/objects.db"; }
inline std::string NodeLogFile(const std::string& work) { return work + "/.primus/node.log"; }

// What the holder of the lock says of itself.
struct LockHolder {
  pid_t pid = 0;
  std::string job{};
  std::string address{};  // of its node; empty before it serves
};

// The lock, held until destroyed (and by whoever inherited the descriptor).
class WorkDirectoryLock {
 public:
  // For `job`. Makes .primus if need be. kFailedPrecondition names the job that runs, its pid and
  // the cure.
  static Result<WorkDirectoryLock> Take(const WorkDirectory& work, const std::string& job);
  // Holds what another process of ours took and handed over.
  explicit WorkDirectoryLock(int fd) : fd_(fd) {}
  ~WorkDirectoryLock();
  WorkDirectoryLock(WorkDirectoryLock&& other) noexcept;
  WorkDirectoryLock& operator=(WorkDirectoryLock&&) = delete;

  int fd() const { return fd_; }
  // The job is accepted: its description stays. Without this the last one comes back.
  void Keep() { before_.reset(); }
  Status Describe(const LockHolder& holder);

 private:
  Status Write(const std::string& text);

  int fd_;
  std::optional<std::string> before_{};  // what the file said before this lock was taken
};

// Who holds the lock; kNotFound if nobody that lives does.
Result<LockHolder> FindHolder(const std::string& work);

// A new folder for sockets, of mode 0700 and short: in $XDG_RUNTIME_DIR, or in /tmp under a folder
// of this user's. Removes those whose makers and their reapers were killed.
Result<std::string> MakeRunDirectory();

}  // namespace primus::apps

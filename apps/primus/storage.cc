#include "apps/primus/storage.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>

#include "apps/primus/plugins.h"
#include "apps/primus/work_directory.h"
#include "primus/config/printer.h"

#include "proto/config/job.pb.h"

namespace primus::apps {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kJobFile = "/job.yaml";

// The topmost folder that `path` needs and that is not there; empty if `path` is there.
fs::path FirstMissing(const fs::path& path) {
  fs::path missing;
  std::error_code error;
  for (fs::path at = path; !fs::exists(at, error); at = at.parent_path()) {
    missing = at;
    if (at == at.parent_path()) break;
  }
  return missing;
}

Status WriteNew(const std::string& path, const std::string& text) {
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  if (fd < 0) return ErrnoError("cannot make " + path, errno);
  const bool written = ::write(fd, text.data(), text.size()) == static_cast<ssize_t>(text.size()) &&
                       ::fsync(fd) == 0;
  const int error = errno;
  ::close(fd);
  return written ? OkStatus() : ErrnoError("cannot write " + path, error);
}

}  // namespace

Result<std::string> StoragePath(const config::Job& job, const std::string& work_directory) {
  std::string uri = job.spec().storage().uri();
  if (uri.empty()) uri = "runs/" + job.metadata().name();
  if (uri.starts_with("file://")) uri.erase(0, 7);
  if (uri.find("://") != std::string::npos) {
    return InvalidArgumentError("spec.storage.uri: " + uri +
                                " is no folder of this machine; the local runtime writes to "
                                "folders only");
  }
  fs::path path = uri;
  if (path.is_relative()) path = fs::path(work_directory) / path;
  path = path.lexically_normal();
  const fs::path state = StateDirectory(work_directory);
  if (std::mismatch(state.begin(), state.end(), path.begin(), path.end()).first == state.end()) {
    return InvalidArgumentError("spec.storage.uri: " + path.string() + " is in " + state.string() +
                                ", which holds the state of jobs: give another one");
  }
  return path.string();
}

Status CheckStorageFree(const std::string& storage) {
  std::error_code error;
  if (fs::exists(storage, error)) {
    if (fs::is_directory(storage, error) && fs::is_empty(storage, error)) return OkStatus();
    return AlreadyExistsError("the storage " + storage + " has something in it");
  }
  const fs::path parent = FirstMissing(storage).parent_path();
  if (!fs::is_directory(parent, error)) {
    return InvalidArgumentError("the storage " + storage + " cannot be made: " + parent.string() +
                                " is no folder");
  }
  if (::access(parent.c_str(), W_OK | X_OK) == 0) return OkStatus();
  return ErrnoError("the storage " + storage + " cannot be made in " + parent.string() +
                        ": make that folder writable or give another spec.storage.uri",
                    errno);
}

Status ClaimStorage(const std::string& storage, const config::Job& job, const Plugins& plugins) {
  const fs::path made = FirstMissing(storage);
  std::error_code error;
  fs::create_directories(storage, error);
  Status claimed =
      error ? ErrnoError("cannot make the storage " + storage, error.value())
            : WriteNew(storage + std::string(kJobFile), config::ToYaml(job, plugins.Slots()));
  if (claimed.code() == StatusCode::kAlreadyExists) {
    return AlreadyExistsError("the storage " + storage +
                              " was taken by another job just now: "
                              "give another spec.storage.uri");
  }
  if (!claimed.ok()) {
    fs::remove(storage + std::string(kJobFile), error);
    if (!made.empty()) fs::remove_all(made, error);
  }
  return claimed;
}

void ReleaseStorage(const std::string& storage) {
  std::error_code ignored;  // the reason why the job did not start is what counts
  fs::remove(storage + std::string(kJobFile), ignored);
  fs::remove(storage, ignored);
}

}  // namespace primus::apps

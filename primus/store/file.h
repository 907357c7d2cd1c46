// The system calls of the local store, with errors that name the path and the cure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "primus/base/result.h"

namespace primus::store {

// An open file descriptor, closed when destroyed.
class File {
 public:
  explicit File(int descriptor) : descriptor_(descriptor) {}
  File(File&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  File& operator=(File&&) = delete;
  ~File();
  int descriptor() const { return descriptor_; }

 private:
  int descriptor_;
};

// "cannot <what> <path>: <reason>", and what to do when disk, quota or permission is the reason.
Status FileError(std::string_view what, std::string_view path, int error_number);

// A new file of this process below `directory`, locked until it is closed, so that nobody sweeps
// it. Sets `path`.
Result<File> CreateTemporary(const std::string& directory, std::string* path);
// Removes the files in `directory` that no living writer holds.
void SweepTemporaries(const std::string& directory);

Status WriteAndSync(const File& file, const std::string& path, std::string_view bytes);
// Exactly `size` bytes from `offset`; kDataLoss if the file ends before.
Result<std::string> ReadExactly(const File& file, const std::string& path, uint64_t offset,
                                uint64_t size);
Result<File> OpenForReading(const std::string& path);
Result<uint64_t> SizeOf(const File& file, const std::string& path);
Status SyncDirectory(const std::string& path);

}  // namespace primus::store

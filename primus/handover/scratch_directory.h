// A new directory for the sockets of one test, removed with what is in it. For tests only.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

#include "primus/base/check.h"

namespace primus::handover {

class ScratchDirectory {
 public:
  ScratchDirectory() {
    PRIMUS_CHECK(::mkdtemp(path_) != nullptr, "a directory can be made in /tmp");
  }
  ~ScratchDirectory() { std::filesystem::remove_all(path_); }
  ScratchDirectory(const ScratchDirectory&) = delete;
  ScratchDirectory& operator=(const ScratchDirectory&) = delete;
  std::string Path(const std::string& name) const { return std::string(path_) + "/" + name; }

 private:
  char path_[32] = "/tmp/primus-ring-XXXXXX";
};

}  // namespace primus::handover

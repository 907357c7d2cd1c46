// Where a source's rows are kept: the seam of plugins/sources.
//
// Blocks; no call depends on another, so one store may be used by one thread at a time without
// further care. A listing that fails is an error, never an empty window.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "primus/base/result.h"
#include "primus/config/slot.h"
#include "primus/data/format.h"

namespace primus::data {

struct StoredFile {
  std::string path;
  uint64_t version = 0;  // as in Split
};

struct FileListing {
  std::string awaits;             // as in WindowPlan
  std::vector<StoredFile> files;  // what is there, ready or not, by path bytes
};

struct OpenedFile {
  std::unique_ptr<TableFile> table;
  uint64_t version = 0;  // of the bytes that are open, not of what the name means by now
};

class SourceStore {
 public:
  virtual ~SourceStore() = default;
  // The files of one day, or of the whole source when it has no windows.
  virtual Result<FileListing> List(std::optional<std::chrono::sys_days> day) = 0;
  virtual Result<OpenedFile> Open(const std::string& path) = 0;
  // Where the files of `day` are looked for, for messages and to find windows that coincide.
  virtual std::string Describe(std::optional<std::chrono::sys_days> day) const = 0;
};

struct SourceContext {
  std::string root;    // relative paths start here
  std::string marker;  // of readiness; empty: whatever is there is ready
  const FormatSlot* formats = nullptr;
};

// From the plug-in's own message, serialised. kInvalidArgument names the option and the cure.
using SourceFactory = std::function<Result<std::unique_ptr<SourceStore>>(
    std::string_view options, const SourceContext& context)>;
using SourceSlot = config::Slot<SourceFactory>;  // "sources"

}  // namespace primus::data

// Values of a checked job that its messages hold as text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "primus/base/time.h"

namespace primus::config {
class Job;
class Ready;
class Restart;
class Role;
}  // namespace primus::config

namespace primus::jobspec {

Duration SavePointEvery(const config::Job& job);
Duration ReadyTimeout(const config::Ready& ready);
Duration RestartWithin(const config::Restart& restart);
// limits.memory; nothing if there is no limit.
std::optional<uint64_t> MemoryLimit(const config::Role& role);

// `path` itself when it is absolute or a URI, else inside `folder`: sources start at the folder of
// the job file, storage at the work directory.
std::string ResolvePath(std::string_view path, std::string_view folder);
// The folder that holds a file: "." for a bare name.
std::string FolderOf(std::string_view file);

}  // namespace primus::jobspec

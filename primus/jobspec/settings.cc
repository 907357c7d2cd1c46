#include "primus/jobspec/settings.h"

#include "primus/base/check.h"
#include "primus/config/duration.h"
#include "primus/config/quantity.h"

#include "proto/config/job.pb.h"

namespace primus::jobspec {
namespace {

Duration Checked(const std::string& text) {
  const Result<Duration> duration = config::ParseDuration(text);
  PRIMUS_CHECK(duration.ok(), "the job was checked");
  return *duration;
}

}  // namespace

Duration SavePointEvery(const config::Job& job) { return Checked(job.spec().save_point().every()); }

Duration ReadyTimeout(const config::Ready& ready) { return Checked(ready.timeout()); }

Duration RestartWithin(const config::Restart& restart) { return Checked(restart.within()); }

std::optional<uint64_t> MemoryLimit(const config::Role& role) {
  if (role.resources().limits().memory().empty()) return std::nullopt;
  const Result<uint64_t> bytes = config::ParseByteSize(role.resources().limits().memory());
  PRIMUS_CHECK(bytes.ok(), "the job was checked");
  return *bytes;
}

std::string ResolvePath(std::string_view path, std::string_view folder) {
  const bool whole = path.starts_with('/') || path.find("://") != std::string_view::npos;
  if (whole || folder.empty() || folder == ".") return std::string(path);
  std::string resolved(folder);
  if (resolved.back() != '/') resolved += '/';
  return resolved.append(path);
}

std::string FolderOf(std::string_view file) {
  const std::size_t slash = file.rfind('/');
  if (slash == std::string_view::npos) return ".";
  return slash == 0 ? "/" : std::string(file.substr(0, slash));
}

}  // namespace primus::jobspec

#include "primus/jobspec/settings.h"

#include "primus/base/check.h"
#include "primus/config/duration.h"

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

Duration ReadyTimeout(const config::Ready& ready) {
  return ready.timeout().empty() ? Seconds(6 * 3600) : Checked(ready.timeout());
}

std::string FolderOf(std::string_view file) {
  const std::size_t slash = file.rfind('/');
  if (slash == std::string_view::npos) return ".";
  return slash == 0 ? "/" : std::string(file.substr(0, slash));
}

}  // namespace primus::jobspec

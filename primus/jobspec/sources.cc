#include "primus/jobspec/sources.h"

#include "proto/config/job.pb.h"

namespace primus::jobspec {

const config::Source* FindSource(const config::Stream& stream, std::string_view name) {
  for (const config::Source& source : stream.sources()) {
    if (source.name() == name) return &source;
  }
  return nullptr;
}

const config::Source* BaseOf(const config::Stream& stream) {
  return FindSource(stream, stream.base());
}

}  // namespace primus::jobspec

#include "primus/handover/hello.h"

#include <string>

namespace primus::handover {
namespace {

Status Differ(const std::string& what, const std::string& here, const std::string& there) {
  return InvalidArgumentError("the writer's " + what + " is " + there + ", the reader's " + here);
}

}  // namespace

Status CheckHello(const Hello& here, const Hello& there) {
  if (here.protocol != there.protocol) {
    return Differ("protocol", std::to_string(here.protocol), std::to_string(there.protocol));
  }
  if (here.build != there.build) return Differ("build", here.build, there.build);
  if (here.schema != there.schema) {
    return Differ("feature layout", std::to_string(here.schema), std::to_string(there.schema));
  }
  return OkStatus();
}

}  // namespace primus::handover

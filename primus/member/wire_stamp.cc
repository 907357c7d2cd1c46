#include "primus/member/wire_stamp.h"

#include "proto/wire/common.pb.h"

namespace primus::member {

Stamp ToStamp(const wire::Stamp& message) {
  return {message.attempt(), message.view(), message.cut()};
}

void ToWire(const Stamp& stamp, wire::Stamp* message) {
  message->set_attempt(stamp.attempt);
  message->set_view(stamp.view);
  message->set_cut(stamp.cut);
}

}  // namespace primus::member

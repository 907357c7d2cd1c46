// Makes the ReplyFrame that a network hands to a handler: it answers once, and a reply that is
// dropped unanswered answers kInternal.
#pragma once

#include "primus/rpc/network.h"

namespace primus::rpc {

// `answer` runs inside the reply's call or destruction; loop thread.
ReplyFrame MakeReply(std::string_view method, FrameDone answer);

}  // namespace primus::rpc

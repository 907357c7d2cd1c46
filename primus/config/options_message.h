// The message that a plug-in brings, inside a Variant.
#pragma once

#include <memory>
#include <string>

#include "primus/config/slot.h"

namespace google::protobuf {
class Message;
}

namespace primus::config {

class Variant;

// An empty message; `descriptor` comes from generated code.
std::unique_ptr<google::protobuf::Message> NewMessage(
    const google::protobuf::Descriptor& descriptor);

// The bytes of a message; equal messages have equal bytes.
std::string SerializeStable(const google::protobuf::Message& message);

// The options of `variant` as its slot's message; null if the slot lacks the key or the bytes are
// no such message.
std::unique_ptr<google::protobuf::Message> UnpackOptions(const Variant& variant,
                                                         const SlotKeys& slot);

}  // namespace primus::config

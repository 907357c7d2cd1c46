// A configuration message → YAML that reads back as the same message. Pure.
#pragma once

#include <string>

#include "primus/config/node.h"
#include "primus/config/schema.h"

namespace google::protobuf {
class Message;
}

namespace primus::config {

enum class Defaults { kShown, kOmitted };

struct PrintOptions {
  Defaults defaults = Defaults::kShown;
};

// Fields stand in the order of the message. A variant whose plug-in is not among the slots shows as
// its key with nothing in it.
Node TreeOf(const google::protobuf::Message& message, const Slots& slots, PrintOptions options);

// The same as text, in block style.
std::string ToYaml(const google::protobuf::Message& message, const Slots& slots,
                   PrintOptions options = {});

}  // namespace primus::config

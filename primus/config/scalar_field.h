// One scalar of a message, read from and written as YAML: numbers, booleans, enums, strings with
// their pattern and bounds.
#pragma once

#include <string>

#include "primus/base/status.h"
#include "primus/config/node.h"

namespace google::protobuf {
class FieldDescriptor;
class Message;
}  // namespace google::protobuf

namespace primus::config {

// "a whole number from 1 to 4096", "Async or Sync", …
std::string ExpectedScalar(const google::protobuf::FieldDescriptor& field);

// Sets the field to what `node` says, or appends it to a repeated one. kInvalidArgument with
// "expected …, got …", and the message as it was, when it says something else.
Status ReadScalar(const Node& node, const google::protobuf::FieldDescriptor& field,
                  google::protobuf::Message* message);

// The value of a field as a scalar; `index` is −1, or the item of a repeated field.
Node ScalarNode(const google::protobuf::Message& message,
                const google::protobuf::FieldDescriptor& field, int index);

}  // namespace primus::config

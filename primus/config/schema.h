// What a message looks like in YAML: names, rules and the keys that plug-ins bring. The walker, the
// assignments and the printer read messages through this.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "primus/config/slot.h"

namespace google::protobuf {
class Descriptor;
class EnumValueDescriptor;
class FieldDescriptor;
}  // namespace google::protobuf

namespace primus::config {

class Rule;

// The slots of one program. Refers to them; they outlive it.
class Slots {
 public:
  Slots() = default;
  explicit Slots(std::vector<const SlotKeys*> slots) : slots_(std::move(slots)) {}
  // Null if nothing was registered under `name`.
  const SlotKeys* Find(std::string_view name) const;
  std::vector<std::string> KeysOf(std::string_view name) const;

 private:
  std::vector<const SlotKeys*> slots_;
};

const Rule& RuleOf(const google::protobuf::FieldDescriptor& field);
const std::string& YamlName(const google::protobuf::FieldDescriptor& field);
const std::string& YamlName(const google::protobuf::EnumValueDescriptor& value);
bool IsVariant(const google::protobuf::FieldDescriptor& field);
// A field that stands in YAML under its own name: no word, no inline variant.
bool HasOwnKey(const google::protobuf::FieldDescriptor& field);

// What a key of a message means.
struct Member {
  const google::protobuf::FieldDescriptor* field = nullptr;  // null: there is no such key
  // The key is one of an inline variant, and this is the message of its options.
  const google::protobuf::Descriptor* inline_options = nullptr;
};
Member FindMember(const google::protobuf::Descriptor& message, std::string_view key,
                  const Slots& slots);
// All keys, in the order of the fields.
std::vector<std::string> KeysOf(const google::protobuf::Descriptor& message, const Slots& slots);

// The words that may stand in place of the whole message (`success: All`).
std::vector<std::string> WordsOf(const google::protobuf::Descriptor& message);
// The values of an enum field that can be written.
std::vector<std::string> ValuesOf(const google::protobuf::FieldDescriptor& field);

}  // namespace primus::config

#include "primus/config/schema.h"

#include <google/protobuf/descriptor.h>

#include "proto/config/rule.pb.h"
#include "proto/config/variant.pb.h"

namespace primus::config {

using google::protobuf::Descriptor;
using google::protobuf::EnumValueDescriptor;
using google::protobuf::FieldDescriptor;

const SlotKeys* Slots::Find(std::string_view name) const {
  for (const SlotKeys* slot : slots_) {
    if (slot->name() == name) return slot;
  }
  return nullptr;
}

std::vector<std::string> Slots::KeysOf(std::string_view name) const {
  std::vector<std::string> keys;
  const SlotKeys* slot = Find(name);
  if (slot == nullptr) return keys;
  for (const auto& [key, options] : slot->keys()) keys.push_back(key);
  return keys;
}

const Rule& RuleOf(const FieldDescriptor& field) { return field.options().GetExtension(rule); }

const std::string& YamlName(const FieldDescriptor& field) { return field.json_name(); }

const std::string& YamlName(const EnumValueDescriptor& value) {
  const std::string& renamed = value.options().GetExtension(yaml_name);
  return renamed.empty() ? value.name() : renamed;
}

bool IsVariant(const FieldDescriptor& field) {
  return field.cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE &&
         field.message_type() == Variant::descriptor();
}

bool HasOwnKey(const FieldDescriptor& field) {
  return !RuleOf(field).inline_key() && RuleOf(field).word().empty();
}

Member FindMember(const Descriptor& message, std::string_view key, const Slots& slots) {
  for (int i = 0; i < message.field_count(); ++i) {
    const FieldDescriptor& field = *message.field(i);
    if (HasOwnKey(field) && YamlName(field) == key) return {.field = &field};
    if (!RuleOf(field).inline_key()) continue;
    const SlotKeys* slot = slots.Find(RuleOf(field).slot());
    if (slot == nullptr) continue;
    const auto it = slot->keys().find(key);
    if (it != slot->keys().end()) return {.field = &field, .inline_options = it->second};
  }
  return {};
}

std::vector<std::string> KeysOf(const Descriptor& message, const Slots& slots) {
  std::vector<std::string> keys;
  for (int i = 0; i < message.field_count(); ++i) {
    const FieldDescriptor& field = *message.field(i);
    if (HasOwnKey(field)) {
      keys.push_back(YamlName(field));
    } else if (RuleOf(field).inline_key()) {
      for (std::string& key : slots.KeysOf(RuleOf(field).slot())) keys.push_back(std::move(key));
    }
  }
  return keys;
}

std::vector<std::string> WordsOf(const Descriptor& message) {
  std::vector<std::string> words;
  for (int i = 0; i < message.field_count(); ++i) {
    const std::string& word = RuleOf(*message.field(i)).word();
    if (!word.empty()) words.push_back(word);
  }
  return words;
}

std::vector<std::string> ValuesOf(const FieldDescriptor& field) {
  std::vector<std::string> values;
  for (int i = 0; i < field.enum_type()->value_count(); ++i) {
    const EnumValueDescriptor& value = *field.enum_type()->value(i);
    if (value.number() != 0) values.push_back(YamlName(value));
  }
  return values;
}

}  // namespace primus::config

#include "primus/config/printer.h"

#include <google/protobuf/descriptor.h>
#include <google/protobuf/message.h>

#include <memory>
#include <optional>
#include <utility>

#include "primus/config/options_message.h"
#include "primus/config/scalar_field.h"
#include "primus/config/walker.h"
#include "primus/config/yaml_writer.h"

#include "proto/config/rule.pb.h"
#include "proto/config/variant.pb.h"

namespace primus::config {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;

Node EmptyNode(NodeKind kind) {
  Node node;
  node.kind = kind;
  return node;
}

class Printer {
 public:
  Printer(const Slots& slots, Defaults defaults) : slots_(slots), defaults_(defaults) {}

  Node MessageNode(const Message& message) {
    const Descriptor& descriptor = *message.GetDescriptor();
    if (const std::string word = WordOf(message); !word.empty()) {
      Node node = EmptyNode(NodeKind::kScalar);
      node.text = word;
      return node;
    }
    Node node = EmptyNode(NodeKind::kMap);
    for (int i = 0; i < descriptor.field_count(); ++i) {
      const FieldDescriptor& field = *descriptor.field(i);
      if (!IsWritten(message, field) || IsDefault(message, field)) continue;
      Node value = FieldNode(message, field);
      if (!RuleOf(field).inline_key()) {
        node.entries.push_back({YamlName(field), {}, std::move(value)});
        continue;
      }
      for (NodeEntry& entry : value.entries) node.entries.push_back(std::move(entry));
    }
    return node;
  }

 private:
  static std::string WordOf(const Message& message) {
    const Descriptor& descriptor = *message.GetDescriptor();
    for (int i = 0; i < descriptor.field_count(); ++i) {
      const std::string& word = RuleOf(*descriptor.field(i)).word();
      if (word.empty()) continue;
      if (message.GetReflection()->HasField(message, descriptor.field(i))) return word;
    }
    return "";
  }

  static bool IsWritten(const Message& message, const FieldDescriptor& field) {
    const Reflection& reflection = *message.GetReflection();
    const Rule& asked = RuleOf(field);
    if (field.is_repeated()) {
      return reflection.FieldSize(message, &field) > 0 ||
             (asked.required() && asked.min_items() == 0);
    }
    if (field.has_presence()) return reflection.HasField(message, &field);
    // A zero that is not the default has to be said.
    const bool zero_counts = !asked.default_yaml().empty() || asked.required();
    const bool writable = field.cpp_type() != FieldDescriptor::CPPTYPE_ENUM;
    return reflection.HasField(message, &field) || (zero_counts && writable);
  }

  bool IsDefault(const Message& message, const FieldDescriptor& field) const {
    if (defaults_ == Defaults::kShown || RuleOf(field).default_yaml().empty()) return false;
    const std::unique_ptr<Message> fresh = NewMessage(*message.GetDescriptor());
    FillDefault(field, slots_, fresh.get());
    Printer whole(slots_, Defaults::kShown);
    return SameValue(whole.FieldNode(message, field), whole.FieldNode(*fresh, field));
  }

  Node FieldNode(const Message& message, const FieldDescriptor& field) {
    if (!field.is_repeated()) return ValueNode(message, field, -1);
    Node list = EmptyNode(NodeKind::kList);
    const int size = message.GetReflection()->FieldSize(message, &field);
    for (int i = 0; i < size; ++i) list.items.push_back(ValueNode(message, field, i));
    return list;
  }

  Node ValueNode(const Message& message, const FieldDescriptor& field, int index) {
    if (field.cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE) {
      return ScalarNode(message, field, index);
    }
    const Reflection& reflection = *message.GetReflection();
    const Message& child = index < 0 ? reflection.GetMessage(message, &field)
                                     : reflection.GetRepeatedMessage(message, &field, index);
    if (!IsVariant(field)) return MessageNode(child);
    return VariantNode(*google::protobuf::DynamicCastToGenerated<Variant>(&child), field);
  }

  Node VariantNode(const Variant& variant, const FieldDescriptor& field) {
    Node node = EmptyNode(NodeKind::kMap);
    const SlotKeys* slot = slots_.Find(RuleOf(field).slot());
    const std::unique_ptr<Message> options =
        slot == nullptr ? nullptr : UnpackOptions(variant, *slot);
    node.entries.push_back(
        {variant.key(), {}, options ? MessageNode(*options) : EmptyNode(NodeKind::kMap)});
    return node;
  }

  const Slots& slots_;
  Defaults defaults_;
};

}  // namespace

Node TreeOf(const Message& message, const Slots& slots, PrintOptions options) {
  return Printer(slots, options.defaults).MessageNode(message);
}

std::string ToYaml(const Message& message, const Slots& slots, PrintOptions options) {
  return ToYaml(TreeOf(message, slots, options));
}

}  // namespace primus::config

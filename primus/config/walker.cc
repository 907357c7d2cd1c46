#include "primus/config/walker.h"

#include <google/protobuf/descriptor.h>
#include <google/protobuf/message.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "primus/base/check.h"
#include "primus/config/assignment.h"
#include "primus/config/nearest_name.h"
#include "primus/config/node.h"
#include "primus/config/node_reader.h"
#include "primus/config/options_message.h"
#include "primus/config/scalar_field.h"

#include "proto/config/rule.pb.h"
#include "proto/config/variant.pb.h"

namespace primus::config {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::OneofDescriptor;

// A rule's default as a tree, its parts where `place` is.
Node DefaultNode(const FieldDescriptor& field, Position place) {
  Problems none("");
  std::optional<Node> node = ReadNode(RuleOf(field).default_yaml(), 0, &none);
  PRIMUS_CHECK(node && none.empty(), "the default of a rule is YAML");
  node->MoveTo(place);
  return std::move(*node);
}

class Walker {
 public:
  Walker(const Slots& slots, Reading* reading) : slots_(slots), reading_(*reading) {}

  void WalkMessage(const Node& node, const std::string& path, Message* message) {
    reading_.positions.Add(path, node.position);
    const Descriptor& descriptor = *message->GetDescriptor();
    if (node.kind == NodeKind::kScalar && SetWord(node, message)) return;
    if (node.kind != NodeKind::kMap) {
      const bool text = node.kind == NodeKind::kScalar;
      const std::string hint = text ? Hint(node.text, WordsOf(descriptor)) : "";
      Expect(node.position, path, {ExpectedMessage(descriptor), Describe(node) + hint});
      return;
    }
    Written written;
    for (const NodeEntry& entry : node.entries) {
      const Member member = FindMember(descriptor, entry.key, slots_);
      const std::string child = ChildPath(path, Shown(entry.key));
      if (!Note(entry, child, {descriptor, member, &written})) continue;
      if (IsTakenAway(entry)) {
        written.erase(member.field);
      } else {
        WalkEntry(entry, child, {member, message});
      }
    }
    for (int i = 0; i < descriptor.real_oneof_decl_count(); ++i) {
      CheckChoice(node, path, {*descriptor.oneof_decl(i), written});
    }
    for (int i = 0; i < descriptor.field_count(); ++i) {
      const FieldDescriptor& field = *descriptor.field(i);
      if (!written.contains(&field)) Omit(node.position, path, {field, written, message});
    }
  }

  void WalkField(const Node& node, const std::string& path, const FieldDescriptor& field,
                 Message* message) {
    PRIMUS_CHECK(!field.is_map(), "configuration has lists with names instead of maps");
    if (field.is_repeated()) {
      WalkList(node, path, field, message);
    } else {
      WalkValue(node, path, field, message);
    }
  }

 private:
  // Which fields a map gives; looked up, never iterated.
  using Written = std::map<const FieldDescriptor*, const NodeEntry*>;
  struct Expectation {
    std::string expected;
    std::string got;
  };
  struct KeyScope {
    const Descriptor& descriptor;
    const Member& member;
    Written* written;
  };
  struct EntryTarget {
    const Member& member;
    Message* message;
  };
  struct ChoiceScope {
    const OneofDescriptor& choice;
    const Written& written;
  };
  struct Omission {
    const FieldDescriptor& field;
    const Written& written;
    Message* message;
  };

  void Expect(Position position, const std::string& path, const Expectation& what) {
    reading_.problems.Add(position, path, "expected " + what.expected + ", got " + what.got);
  }

  std::string ExpectedMessage(const Descriptor& descriptor) const {
    std::vector<std::string> forms = WordsOf(descriptor);
    if (forms.empty()) return "a map";
    for (const std::string& key : KeysOf(descriptor, slots_)) forms.push_back("{" + key + ": …}");
    return OneOf(forms);
  }

  std::string ExpectedVariant(const FieldDescriptor& field) const {
    std::vector<std::string> forms;
    for (const std::string& key : slots_.KeysOf(RuleOf(field).slot())) {
      forms.push_back("{" + key + ": {}}");
    }
    return forms.empty() ? "nothing, as there is no plug-in for it" : OneOf(forms);
  }

  std::string ExpectedField(const FieldDescriptor& field) const {
    if (RuleOf(field).inline_key()) return "one of " + OneOf(slots_.KeysOf(RuleOf(field).slot()));
    if (field.is_repeated()) return "a list";
    if (IsVariant(field)) return ExpectedVariant(field);
    if (field.cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE) return ExpectedScalar(field);
    return ExpectedMessage(*field.message_type());
  }

  static bool SetWord(const Node& node, Message* message) {
    const Descriptor& descriptor = *message->GetDescriptor();
    for (int i = 0; i < descriptor.field_count(); ++i) {
      const std::string& word = RuleOf(*descriptor.field(i)).word();
      if (word.empty() || word != node.text) continue;
      message->GetReflection()->SetBool(message, descriptor.field(i), true);
      return true;
    }
    return false;
  }

  // `--set PATH=null`: as if the key was not there.
  static bool IsTakenAway(const NodeEntry& entry) {
    return entry.value.kind == NodeKind::kNull && entry.value.position.set > 0;
  }

  // Whether the key may be gone into: it exists, and no other key took its field.
  bool Note(const NodeEntry& entry, const std::string& path, KeyScope scope) {
    if (scope.member.field == nullptr) {
      const std::vector<std::string> keys = KeysOf(scope.descriptor, slots_);
      Expect(entry.position, path,
             {keys.empty() ? "no key" : OneOf(keys), Shown(entry.key) + Hint(entry.key, keys)});
      return false;
    }
    const auto [first, added] = scope.written->emplace(scope.member.field, &entry);
    if (added) return true;
    Expect(entry.position, path,
           {ExpectedField(*scope.member.field), first->second->key + " and " + entry.key});
    return false;
  }

  void WalkEntry(const NodeEntry& entry, const std::string& path, EntryTarget target) {
    const FieldDescriptor& field = *target.member.field;
    if (target.member.inline_options == nullptr) {
      WalkField(entry.value, path, field, target.message);
      return;
    }
    Message* variant = target.message->GetReflection()->MutableMessage(target.message, &field);
    WalkOptions(entry, path, {target.member, variant});
  }

  void WalkList(const Node& node, const std::string& path, const FieldDescriptor& field,
                Message* message) {
    reading_.positions.Add(path, node.position);
    const Rule& asked = RuleOf(field);
    if (node.kind != NodeKind::kList) {
      Expect(node.position, path, {"a list", Describe(node)});
      return;
    }
    if (node.items.size() < asked.min_items()) {
      const std::string items = asked.min_items() == 1 ? " item" : " items";
      Expect(node.position, path,
             {"at least " + std::to_string(asked.min_items()) + items,
              std::to_string(node.items.size())});
    }
    std::map<std::string, Position> names;
    for (std::size_t i = 0; i < node.items.size(); ++i) {
      const Node& item = node.items[i];
      const Node* name = asked.list_map_key().empty() ? nullptr : item.Find(asked.list_map_key());
      std::string step = std::to_string(i);
      if (name != nullptr && !name->text.empty()) {
        const auto [first, added] = names.emplace(name->text, name->position);
        if (added) step = Shown(name->text);
        if (!added) {
          Expect(name->position, ItemPath(path, step) + "." + asked.list_map_key(),
                 {"a name of its own",
                  Shown(name->text) + " again; first at " + Place(first->second)});
        }
      }
      WalkValue(item, ItemPath(path, step), field, message);
    }
  }

  // One value, or one item of a list.
  void WalkValue(const Node& node, const std::string& path, const FieldDescriptor& field,
                 Message* message) {
    if (field.cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE) {
      reading_.positions.Add(path, node.position);
      const Status read = ReadScalar(node, field, message);
      if (!read.ok()) reading_.problems.Add(node.position, path, read.message());
      return;
    }
    const google::protobuf::Reflection& reflection = *message->GetReflection();
    Message* child = field.is_repeated() ? reflection.AddMessage(message, &field)
                                         : reflection.MutableMessage(message, &field);
    if (IsVariant(field)) {
      WalkVariant(node, path, field, child);
    } else {
      WalkMessage(node, path, child);
    }
  }

  void WalkVariant(const Node& node, const std::string& path, const FieldDescriptor& field,
                   Message* variant) {
    reading_.positions.Add(path, node.position);
    const std::vector<std::string> keys = slots_.KeysOf(RuleOf(field).slot());
    if (node.kind != NodeKind::kMap || node.entries.empty()) {
      const std::string nearest = NearestName(node.text, keys);
      const std::string hint = nearest.empty() ? "" : "; did you mean {" + nearest + ": {}}?";
      Expect(node.position, path, {ExpectedVariant(field), Describe(node) + hint});
      return;
    }
    const NodeEntry& entry = node.entries.front();
    if (node.entries.size() > 1) {
      const NodeEntry& second = node.entries[1];
      Expect(second.position, path, {"one key", Shown(entry.key) + " and " + Shown(second.key)});
    }
    const SlotKeys* slot = slots_.Find(RuleOf(field).slot());
    const std::string child = ChildPath(path, Shown(entry.key));
    if (slot == nullptr || !slot->keys().contains(entry.key)) {
      Expect(entry.position, child,
             {keys.empty() ? "no key" : OneOf(keys), Shown(entry.key) + Hint(entry.key, keys)});
      return;
    }
    const Member member{.field = &field, .inline_options = slot->keys().find(entry.key)->second};
    WalkOptions(entry, child, {member, variant});
  }

  // The plug-in's own message under its key.
  void WalkOptions(const NodeEntry& entry, const std::string& path, EntryTarget target) {
    std::unique_ptr<Message> options = NewMessage(*target.member.inline_options);
    WalkMessage(entry.value, path, options.get());
    auto* variant = google::protobuf::DynamicCastToGenerated<Variant>(target.message);
    variant->set_key(entry.key);
    variant->set_options(SerializeStable(*options));
  }

  void CheckChoice(const Node& node, const std::string& path, ChoiceScope scope) {
    std::vector<const NodeEntry*> given;
    std::vector<std::string> names;
    for (int i = 0; i < scope.choice.field_count(); ++i) {
      const FieldDescriptor& field = *scope.choice.field(i);
      if (HasOwnKey(field)) names.push_back(YamlName(field));
      const auto it = scope.written.find(&field);
      if (it != scope.written.end()) given.push_back(it->second);
    }
    if (given.size() > 1) {
      Expect(given[1]->position, path,
             {"one of " + OneOf(names), given[0]->key + " and " + given[1]->key});
    } else if (given.empty() && scope.choice.options().GetExtension(choice).required()) {
      const Descriptor& message = *scope.choice.containing_type();
      const bool words = !WordsOf(message).empty();
      Expect(node.position, path,
             {words ? ExpectedMessage(message) : "one of " + OneOf(names), "none of them"});
    }
  }

  // A field that the map does not give: its default, a problem, or nothing.
  void Omit(Position place, const std::string& path, Omission omitted) {
    const FieldDescriptor& field = omitted.field;
    const Rule& asked = RuleOf(field);
    const std::string child = asked.inline_key() ? path : ChildPath(path, YamlName(field));
    if (asked.default_yaml().empty()) {
      if (asked.required()) Expect(place, child, {ExpectedField(field), "nothing"});
      return;
    }
    if (!asked.default_with().empty()) {
      const Member with = FindMember(*field.containing_type(), asked.default_with(), slots_);
      PRIMUS_CHECK(with.field != nullptr, "defaultWith names a field of the same message");
      if (!omitted.written.contains(with.field)) return;
    }
    const Node node = DefaultNode(field, place);
    const std::vector<std::string> keys = slots_.KeysOf(asked.slot());
    const bool unknown = IsVariant(field) && !node.entries.empty() &&
                         std::find(keys.begin(), keys.end(), node.entries[0].key) == keys.end();
    if (unknown) {
      Expect(place, child, {ExpectedField(field), "nothing"});
      return;
    }
    WalkField(node, child, field, omitted.message);
  }

  const Slots& slots_;
  Reading& reading_;
};

}  // namespace

Reading ReadYaml(const YamlInput& input, const Slots& slots, Message* message) {
  Reading reading{.positions = {}, .problems = Problems(input.file)};
  std::optional<Node> root = ReadNode(input.text, 0, &reading.problems);
  if (!root) return reading;
  const AssignmentScope scope{*message->GetDescriptor(), slots};
  for (std::size_t i = 0; i < input.sets.size(); ++i) {
    Assign({static_cast<uint32_t>(i + 1), input.sets[i]}, scope, &*root, &reading.problems);
  }
  Walker(slots, &reading).WalkMessage(*root, "", message);
  return reading;
}

void FillDefault(const FieldDescriptor& field, const Slots& slots, Message* message) {
  Reading reading{.positions = {}, .problems = Problems("")};
  Walker(slots, &reading).WalkField(DefaultNode(field, {}), "", field, message);
}

}  // namespace primus::config

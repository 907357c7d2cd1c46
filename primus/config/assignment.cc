#include "primus/config/assignment.h"

#include <google/protobuf/descriptor.h>

#include <charconv>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "primus/config/nearest_name.h"
#include "primus/config/node_reader.h"

#include "proto/config/rule.pb.h"

namespace primus::config {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;

constexpr std::string_view kForm = "expected PATH=VALUE such as spec.roles[ps].replicas=2";

struct Step {
  std::string name;
  bool item = false;  // [name]
};

// "a.b[c]" → a, b, [c]; nothing if it is no path.
std::optional<std::vector<Step>> ParsePath(std::string_view text) {
  std::vector<Step> steps;
  while (!text.empty()) {
    if (text.starts_with('[')) {
      const std::size_t end = text.find(']');
      if (end == std::string_view::npos || end == 1 || steps.empty()) return std::nullopt;
      steps.push_back({.name = std::string(text.substr(1, end - 1)), .item = true});
      text.remove_prefix(end + 1);
      if (!text.empty() && text[0] != '.' && text[0] != '[') return std::nullopt;
    } else {
      const std::string_view key = text.substr(0, text.find_first_of(".["));
      if (key.empty()) return std::nullopt;
      steps.push_back({.name = std::string(key)});
      text.remove_prefix(key.size());
    }
    if (!text.starts_with('.')) continue;
    text.remove_prefix(1);
    if (text.empty() || text[0] == '[') return std::nullopt;
  }
  if (steps.empty() || steps.size() > kDepthMax) return std::nullopt;
  return steps;
}

// The first = outside of brackets.
std::size_t FindEquals(std::string_view text) {
  bool inside = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '[') inside = true;
    if (text[i] == ']') inside = false;
    if (text[i] == '=' && !inside) return i;
  }
  return std::string_view::npos;
}

// Where in the schema a path has come to; lost after a key that does not exist.
class SchemaCursor {
 public:
  explicit SchemaCursor(const AssignmentScope& scope)
      : slots_(scope.slots), message_(&scope.root) {}

  void EnterKey(std::string_view key) {
    list_ = nullptr;
    if (slot_ != nullptr) {
      const auto it = slot_->keys().find(key);
      message_ = it == slot_->keys().end() ? nullptr : it->second;
      slot_ = nullptr;
      return;
    }
    if (message_ == nullptr) return;
    const Member member = FindMember(*message_, key, slots_);
    message_ = member.inline_options;
    if (member.field == nullptr || member.inline_options != nullptr) return;
    if (member.field->is_repeated()) list_ = member.field;
    if (IsVariant(*member.field)) {
      slot_ = slots_.Find(RuleOf(*member.field).slot());
    } else if (member.field->cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE) {
      message_ = member.field->message_type();
    }
  }

  // By which key the items of the list it stands at are named; "" if by none.
  std::string ItemKey() const { return list_ == nullptr ? "" : RuleOf(*list_).list_map_key(); }

 private:
  const Slots& slots_;
  const Descriptor* message_;
  const SlotKeys* slot_ = nullptr;
  const FieldDescriptor* list_ = nullptr;
};

class Assigner {
 public:
  Assigner(uint32_t set, const AssignmentScope& scope, Problems* problems)
      : cursor_(scope), place_{.set = set}, problems_(problems) {}

  void Assign(const std::vector<Step>& steps, Node value, Node* root) {
    Node* node = root;
    for (const Step& step : steps) {
      node = step.item ? EnterItem(step.name, node) : EnterKey(step.name, node);
      if (node == nullptr) return;
    }
    *node = std::move(value);
  }

 private:
  Node* EnterKey(const std::string& key, Node* node) {
    if (node->kind == NodeKind::kNull) {
      node->kind = NodeKind::kMap;
      node->position = place_;
    }
    if (node->kind != NodeKind::kMap) return Refuse("a map", Describe(*node));
    cursor_.EnterKey(key);
    path_ = ChildPath(path_, Shown(key));
    if (Node* child = node->Find(key)) return child;
    Node made;
    made.position = place_;
    node->entries.push_back({key, place_, std::move(made)});
    return &node->entries.back().value;
  }

  Node* EnterItem(const std::string& name, Node* node) {
    if (node->kind != NodeKind::kList) return Refuse("a list", Describe(*node));
    const std::string key = cursor_.ItemKey();
    Node* found = key.empty() ? ItemAt(name, node) : ItemNamed(key, name, node);
    path_ = ItemPath(path_, Shown(name));
    return found;
  }

  Node* ItemNamed(const std::string& key, const std::string& name, Node* list) {
    std::vector<std::string> names;
    for (Node& item : list->items) {
      const Node* item_name = item.Find(key);
      if (item_name == nullptr) continue;
      if (item_name->text == name) return &item;
      names.push_back(item_name->text);
    }
    return Refuse(names.empty() ? "an item with a " + key : OneOf(names),
                  Shown(name) + Hint(name, names));
  }

  Node* ItemAt(const std::string& ordinal, Node* list) {
    std::size_t index = 0;
    const auto [end, error] =
        std::from_chars(ordinal.data(), ordinal.data() + ordinal.size(), index);
    const bool whole = error == std::errc() && end == ordinal.data() + ordinal.size();
    if (whole && index < list->items.size()) return &list->items[index];
    return Refuse("an ordinal below " + std::to_string(list->items.size()), Shown(ordinal));
  }

  Node* Refuse(const std::string& expected, const std::string& got) {
    problems_->Add(place_, path_, "expected " + expected + ", got " + got);
    return nullptr;
  }

  SchemaCursor cursor_;
  Position place_;
  Problems* problems_;
  std::string path_;
};

}  // namespace

void Assign(AssignmentText assignment, const AssignmentScope& scope, Node* root,
            Problems* problems) {
  const Position place{.set = assignment.set};
  const std::size_t equals = FindEquals(assignment.text);
  const std::optional<std::vector<Step>> steps = equals == std::string_view::npos
                                                     ? std::nullopt
                                                     : ParsePath(assignment.text.substr(0, equals));
  if (!steps) {
    problems->Add(place, "", std::string(kForm) + ", got " + Shown(assignment.text));
    return;
  }
  std::optional<Node> value =
      ReadNode(assignment.text.substr(equals + 1), assignment.set, problems);
  if (!value) return;
  value->MoveTo(place);
  Assigner(assignment.set, scope, problems).Assign(*steps, std::move(*value), root);
}

}  // namespace primus::config

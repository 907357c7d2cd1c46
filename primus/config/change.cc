#include "primus/config/change.h"

#include <google/protobuf/descriptor.h>
#include <google/protobuf/message.h>

#include <map>
#include <memory>
#include <string>

#include "primus/config/node.h"
#include "primus/config/options_message.h"

#include "proto/config/rule.pb.h"

namespace primus::config {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;

// Items of a list by the name each has.
using Items = std::map<std::string, const Message*>;

Items ItemsOf(const Message& message, const FieldDescriptor& list) {
  Items items;
  const FieldDescriptor* key = nullptr;
  for (int i = 0; i < list.message_type()->field_count(); ++i) {
    const FieldDescriptor* field = list.message_type()->field(i);
    if (YamlName(*field) == RuleOf(list).list_map_key()) key = field;
  }
  const Reflection& reflection = *message.GetReflection();
  for (int i = 0; key != nullptr && i < reflection.FieldSize(message, &list); ++i) {
    const Message& item = reflection.GetRepeatedMessage(message, &list, i);
    items.emplace(item.GetReflection()->GetString(item, key), &item);
  }
  return items;
}

// Bytes of one field alone.
std::string BytesOf(const Message& message, const FieldDescriptor& field) {
  const std::unique_ptr<Message> copy(message.New());
  copy->CopyFrom(message);
  for (int i = 0; i < message.GetDescriptor()->field_count(); ++i) {
    const FieldDescriptor* other = message.GetDescriptor()->field(i);
    if (other != &field) copy->GetReflection()->ClearField(copy.get(), other);
  }
  return SerializeStable(*copy);
}

bool HasImmutableField(const google::protobuf::Descriptor& message) {
  for (int i = 0; i < message.field_count(); ++i) {
    if (RuleOf(*message.field(i)).immutable()) return true;
  }
  return false;
}

void ClearChangeable(Message* message) {
  const Reflection& reflection = *message->GetReflection();
  for (int i = 0; i < message->GetDescriptor()->field_count(); ++i) {
    const FieldDescriptor* field = message->GetDescriptor()->field(i);
    if (RuleOf(*field).changeable()) reflection.ClearField(message, field);
    if (field->cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE) continue;
    if (field->is_repeated()) {
      for (int j = 0; j < reflection.FieldSize(*message, field); ++j) {
        ClearChangeable(reflection.MutableRepeatedMessage(message, field, j));
      }
    } else if (reflection.HasField(*message, field)) {
      ClearChangeable(reflection.MutableMessage(message, field));
    }
  }
}

std::unique_ptr<Message> WithoutChangeable(const Message& message) {
  std::unique_ptr<Message> copy(message.New());
  copy->CopyFrom(message);
  ClearChangeable(copy.get());
  return copy;
}

struct Pair {
  const Message& before;
  const Message& after;
};

class Comparison {
 public:
  explicit Comparison(Reading* reading) : reading_(*reading) {}

  // All of a frozen pair has to be the same, of another what its rules say.
  enum class Freedom { kByRules, kFrozen };
  void Compare(Pair pair, const std::string& path, Freedom freedom) {
    for (int i = 0; i < pair.after.GetDescriptor()->field_count(); ++i) {
      const FieldDescriptor& field = *pair.after.GetDescriptor()->field(i);
      const bool frozen = freedom == Freedom::kFrozen || RuleOf(field).immutable();
      const std::string child = HasOwnKey(field) ? ChildPath(path, YamlName(field)) : path;
      if (BytesOf(pair.before, field) == BytesOf(pair.after, field)) continue;
      const std::size_t problems = reading_.problems.size();
      Enter(pair, field, {child, frozen ? Freedom::kFrozen : Freedom::kByRules});
      // The order of items, presence, or what has no fields to go into.
      if (frozen && reading_.problems.size() == problems) Refuse(child);
    }
  }

 private:
  struct Place {
    std::string path;
    Freedom freedom;
  };

  void Enter(Pair pair, const FieldDescriptor& field, const Place& place) {
    if (field.cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE || IsVariant(field)) return;
    if (field.is_repeated()) {
      if (!RuleOf(field).list_map_key().empty()) EnterItems(pair, field, place);
      return;
    }
    const Reflection& reflection = *pair.after.GetReflection();
    const bool present =
        reflection.HasField(pair.before, &field) && reflection.HasField(pair.after, &field);
    if (!present && place.freedom == Freedom::kFrozen) return;
    Compare({reflection.GetMessage(pair.before, &field), reflection.GetMessage(pair.after, &field)},
            place.path, place.freedom);
  }

  void EnterItems(Pair pair, const FieldDescriptor& field, const Place& place) {
    const Items before = ItemsOf(pair.before, field);
    const Items after = ItemsOf(pair.after, field);
    const bool fixed =
        place.freedom == Freedom::kFrozen || HasImmutableField(*field.message_type());
    for (const auto& [name, item] : before) {
      const std::string child = ItemPath(place.path, Shown(name));
      const auto same = after.find(name);
      if (same != after.end()) Compare({*item, *same->second}, child, place.freedom);
      if (same == after.end() && fixed) Refuse(child);
    }
    for (const auto& [name, item] : after) {
      if (fixed && !before.contains(name)) Refuse(ItemPath(place.path, Shown(name)));
    }
  }

  void Refuse(const std::string& path) {
    reading_.problems.Add(reading_.positions.LastSet(path), path,
                          "expected what the job began with, got another value");
  }

  Reading& reading_;
};

}  // namespace

void RefuseChanges(const Message& before, const Message& after, Reading* after_reading) {
  const std::unique_ptr<Message> fixed_before = WithoutChangeable(before);
  const std::unique_ptr<Message> fixed_after = WithoutChangeable(after);
  Comparison(after_reading)
      .Compare({*fixed_before, *fixed_after}, "", Comparison::Freedom::kByRules);
}

}  // namespace primus::config

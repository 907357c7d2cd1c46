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

class Comparison {
 public:
  explicit Comparison(Reading* reading) : reading_(*reading) {}

  void Compare(const Message& before, const Message& after, const std::string& path) {
    for (int i = 0; i < after.GetDescriptor()->field_count(); ++i) {
      const FieldDescriptor& field = *after.GetDescriptor()->field(i);
      const std::string child =
          HasOwnKey(field) ? ChildPath(path, YamlName(field)) : std::string(path);
      if (RuleOf(field).immutable()) {
        if (Differs(before, after, field)) Refuse(child);
      } else if (field.cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE && !IsVariant(field)) {
        Enter({before, after}, field, child);
      }
    }
  }

 private:
  struct Pair {
    const Message& before;
    const Message& after;
  };

  static bool Differs(const Message& before, const Message& after, const FieldDescriptor& field) {
    const auto only = [&field](const Message& message) {
      std::unique_ptr<Message> copy(message.New());
      copy->CopyFrom(message);
      for (int i = 0; i < message.GetDescriptor()->field_count(); ++i) {
        const FieldDescriptor* other = message.GetDescriptor()->field(i);
        if (other != &field) copy->GetReflection()->ClearField(copy.get(), other);
      }
      return SerializeStable(*copy);
    };
    return only(before) != only(after);
  }

  void Enter(Pair pair, const FieldDescriptor& field, const std::string& path) {
    if (!field.is_repeated()) {
      const Reflection& reflection = *pair.after.GetReflection();
      Compare(reflection.GetMessage(pair.before, &field), reflection.GetMessage(pair.after, &field),
              path);
      return;
    }
    if (RuleOf(field).list_map_key().empty()) return;
    const Items before = ItemsOf(pair.before, field);
    const Items after = ItemsOf(pair.after, field);
    for (const auto& [name, item] : before) {
      const std::string child = ItemPath(path, Shown(name));
      const auto same = after.find(name);
      if (same != after.end()) Compare(*item, *same->second, child);
      if (same == after.end()) Refuse(child);
    }
    for (const auto& [name, item] : after) {
      if (!before.contains(name)) Refuse(ItemPath(path, Shown(name)));
    }
  }

  void Refuse(const std::string& path) {
    reading_.problems.Add(reading_.positions.Of(path), path,
                          "expected what the job began with, got another value");
  }

  Reading& reading_;
};

}  // namespace

void RefuseChanges(const Message& before, const Message& after, Reading* after_reading) {
  Comparison(after_reading).Compare(before, after, "");
}

}  // namespace primus::config

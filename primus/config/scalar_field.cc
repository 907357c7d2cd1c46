#include "primus/config/scalar_field.h"

#include <google/protobuf/descriptor.h>
#include <google/protobuf/message.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <vector>

#include "primus/base/check.h"
#include "primus/config/nearest_name.h"
#include "primus/config/pattern.h"
#include "primus/config/schema.h"

#include "proto/config/rule.pb.h"

namespace primus::config {
namespace {

using google::protobuf::EnumValueDescriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

template <class T>
std::string NumberText(T number) {
  char text[64];
  const auto [end, error] = std::to_chars(text, text + sizeof text, number);
  PRIMUS_CHECK(error == std::errc(), "64 characters hold any double");
  return std::string(text, end);
}

bool HasBounds(const Rule& asked) {
  return asked.has_min() || asked.has_max() || asked.has_above() || asked.has_below();
}

// " from 1 to 4096", " of at least 1", " above 0" or "".
std::string BoundsText(const Rule& asked) {
  if (asked.has_min() && asked.has_max()) {
    return " from " + NumberText(asked.min()) + " to " + NumberText(asked.max());
  }
  std::string text;
  const auto add = [&text](const char* word, double bound) {
    text += (text.empty() ? "" : " and") + std::string(word) + NumberText(bound);
  };
  if (asked.has_min()) add(" of at least ", asked.min());
  if (asked.has_above()) add(" above ", asked.above());
  if (asked.has_max()) add(" of at most ", asked.max());
  if (asked.has_below()) add(" below ", asked.below());
  return text;
}

bool InBounds(const Rule& asked, double number) {
  return !(asked.has_min() && number < asked.min()) && !(asked.has_max() && number > asked.max()) &&
         !(asked.has_above() && number <= asked.above()) &&
         !(asked.has_below() && number >= asked.below());
}

std::string BoundsUnit(const Rule& asked) {
  switch (asked.pattern()) {
    case DURATION:
      return " seconds";
    case CPU:
      return " cores";
    case BYTE_SIZE:
      return " bytes";
    default:
      return "";
  }
}

// Plain digits in full, with a sign perhaps; nothing else is a whole number.
template <class T>
std::optional<T> ParseInteger(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  T number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::optional<double> ParseNumber(std::string_view text) {
  if (MeaningOfPlain(text) != PlainMeaning::kNumber) return std::nullopt;
  if (text.starts_with('+')) text.remove_prefix(1);
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  if (!std::isfinite(number)) return std::nullopt;
  return number;
}

// One field about to be set; a false answer leaves the message as it was.
class Setter {
 public:
  Setter(const FieldDescriptor& field, Message* message) : field_(field), message_(message) {}

  bool SetNumber(std::string_view text) {
    switch (field_.cpp_type()) {
      case FieldDescriptor::CPPTYPE_INT32:
        return Put(ParseInteger<int32_t>(text), &Reflection::SetInt32, &Reflection::AddInt32);
      case FieldDescriptor::CPPTYPE_INT64:
        return Put(ParseInteger<int64_t>(text), &Reflection::SetInt64, &Reflection::AddInt64);
      case FieldDescriptor::CPPTYPE_UINT32:
        return Put(ParseInteger<uint32_t>(text), &Reflection::SetUInt32, &Reflection::AddUInt32);
      case FieldDescriptor::CPPTYPE_UINT64:
        return Put(ParseInteger<uint64_t>(text), &Reflection::SetUInt64, &Reflection::AddUInt64);
      case FieldDescriptor::CPPTYPE_DOUBLE:
        return Put(ParseNumber(text), &Reflection::SetDouble, &Reflection::AddDouble);
      case FieldDescriptor::CPPTYPE_FLOAT:
        return SetFloat(ParseNumber(text));
      default:
        return false;
    }
  }

  bool SetBool(std::string_view text) {
    if (text != "true" && text != "false") return false;
    const bool value = text == "true";
    if (field_.is_repeated()) {
      message_->GetReflection()->AddBool(message_, &field_, value);
    } else {
      message_->GetReflection()->SetBool(message_, &field_, value);
    }
    return true;
  }

  bool SetEnum(std::string_view text) {
    for (int i = 0; i < field_.enum_type()->value_count(); ++i) {
      const EnumValueDescriptor* value = field_.enum_type()->value(i);
      if (value->number() == 0 || YamlName(*value) != text) continue;
      if (field_.is_repeated()) {
        message_->GetReflection()->AddEnum(message_, &field_, value);
      } else {
        message_->GetReflection()->SetEnum(message_, &field_, value);
      }
      return true;
    }
    return false;
  }

  void SetString(const std::string& text) {
    if (field_.is_repeated()) {
      message_->GetReflection()->AddString(message_, &field_, text);
    } else {
      message_->GetReflection()->SetString(message_, &field_, text);
    }
  }

 private:
  using Reflection = google::protobuf::Reflection;

  template <class T, class Set, class Append>
  bool Put(std::optional<T> number, Set set, Append append) {
    if (!number || !InBounds(RuleOf(field_), static_cast<double>(*number))) return false;
    const Reflection& reflection = *message_->GetReflection();
    if (field_.is_repeated()) {
      (reflection.*append)(message_, &field_, *number);
    } else {
      (reflection.*set)(message_, &field_, *number);
    }
    return true;
  }

  bool SetFloat(std::optional<double> number) {
    if (!number || !std::isfinite(static_cast<float>(*number))) return false;
    return Put(std::optional<float>(static_cast<float>(*number)), &Reflection::SetFloat,
               &Reflection::AddFloat);
  }

  const FieldDescriptor& field_;
  Message* message_;
};

Status Mismatch(const FieldDescriptor& field, const Node& node, const std::string& more) {
  return InvalidArgumentError("expected " + ExpectedScalar(field) + ", got " + Describe(node) +
                              more);
}

Status ReadString(const Node& node, const FieldDescriptor& field, Message* message) {
  const Rule& asked = RuleOf(field);
  const PlainMeaning meaning = node.quoted ? PlainMeaning::kText : MeaningOfPlain(node.text);
  const std::string quote = "; in quotes it is a string: \"" + Shown(node.text) + "\"";
  if (meaning == PlainMeaning::kBoolean) {
    return Mismatch(field, node, ", a boolean of YAML 1.1" + quote);
  }
  std::optional<double> size;
  const bool has_pattern = HasPattern(asked, node.text, &size);
  if (meaning == PlainMeaning::kNumber && !AllowsNumber(asked)) {
    return Mismatch(field, node, has_pattern ? ", a number" + quote : ", a number");
  }
  if (!has_pattern || (size && !InBounds(asked, *size))) return Mismatch(field, node, "");
  const std::vector<std::string> values(asked.values().begin(), asked.values().end());
  if (!values.empty() && std::find(values.begin(), values.end(), node.text) == values.end()) {
    return Mismatch(field, node, Hint(node.text, values));
  }
  Setter(field, message).SetString(node.text);
  return OkStatus();
}

}  // namespace

std::string ExpectedScalar(const FieldDescriptor& field) {
  const Rule& asked = RuleOf(field);
  switch (field.cpp_type()) {
    case FieldDescriptor::CPPTYPE_BOOL:
      return "true or false";
    case FieldDescriptor::CPPTYPE_ENUM:
      return OneOf(ValuesOf(field));
    case FieldDescriptor::CPPTYPE_DOUBLE:
    case FieldDescriptor::CPPTYPE_FLOAT:
      return "a number" + BoundsText(asked);
    case FieldDescriptor::CPPTYPE_UINT32:
    case FieldDescriptor::CPPTYPE_UINT64:
      return "a whole number" + (HasBounds(asked) ? BoundsText(asked) : " of at least 0");
    case FieldDescriptor::CPPTYPE_STRING:
      if (asked.values_size() > 0) return OneOf({asked.values().begin(), asked.values().end()});
      if (HasBounds(asked)) {
        return ExpectedText(asked) + "," + BoundsText(asked) + BoundsUnit(asked);
      }
      return ExpectedText(asked);
    default:
      return "a whole number" + BoundsText(asked);
  }
}

Status ReadScalar(const Node& node, const FieldDescriptor& field, Message* message) {
  if (node.kind != NodeKind::kScalar) return Mismatch(field, node, "");
  Setter setter(field, message);
  switch (field.cpp_type()) {
    case FieldDescriptor::CPPTYPE_STRING:
      return ReadString(node, field, message);
    case FieldDescriptor::CPPTYPE_ENUM:
      if (setter.SetEnum(node.text)) return OkStatus();
      return Mismatch(field, node, Hint(node.text, ValuesOf(field)));
    case FieldDescriptor::CPPTYPE_BOOL:
      if (!node.quoted && setter.SetBool(node.text)) return OkStatus();
      return Mismatch(field, node, "");
    default:
      if (node.quoted) return Mismatch(field, node, ", a string");
      return setter.SetNumber(node.text) ? OkStatus() : Mismatch(field, node, "");
  }
}

Node ScalarNode(const Message& message, const FieldDescriptor& field, int index) {
  const google::protobuf::Reflection& reflection = *message.GetReflection();
  const bool item = index >= 0;
  Node node;
  node.kind = NodeKind::kScalar;
  switch (field.cpp_type()) {
    case FieldDescriptor::CPPTYPE_INT32:
      node.text = std::to_string(item ? reflection.GetRepeatedInt32(message, &field, index)
                                      : reflection.GetInt32(message, &field));
      break;
    case FieldDescriptor::CPPTYPE_INT64:
      node.text = std::to_string(item ? reflection.GetRepeatedInt64(message, &field, index)
                                      : reflection.GetInt64(message, &field));
      break;
    case FieldDescriptor::CPPTYPE_UINT32:
      node.text = std::to_string(item ? reflection.GetRepeatedUInt32(message, &field, index)
                                      : reflection.GetUInt32(message, &field));
      break;
    case FieldDescriptor::CPPTYPE_UINT64:
      node.text = std::to_string(item ? reflection.GetRepeatedUInt64(message, &field, index)
                                      : reflection.GetUInt64(message, &field));
      break;
    case FieldDescriptor::CPPTYPE_DOUBLE:
      node.text = NumberText(item ? reflection.GetRepeatedDouble(message, &field, index)
                                  : reflection.GetDouble(message, &field));
      break;
    case FieldDescriptor::CPPTYPE_FLOAT:
      node.text = NumberText(item ? reflection.GetRepeatedFloat(message, &field, index)
                                  : reflection.GetFloat(message, &field));
      break;
    case FieldDescriptor::CPPTYPE_BOOL:
      node.text = (item ? reflection.GetRepeatedBool(message, &field, index)
                        : reflection.GetBool(message, &field))
                      ? "true"
                      : "false";
      break;
    case FieldDescriptor::CPPTYPE_ENUM:
      node.text = YamlName(*(item ? reflection.GetRepeatedEnum(message, &field, index)
                                  : reflection.GetEnum(message, &field)));
      break;
    case FieldDescriptor::CPPTYPE_STRING:
      node.quoted = !AllowsNumber(RuleOf(field));
      node.text = item ? reflection.GetRepeatedString(message, &field, index)
                       : reflection.GetString(message, &field);
      break;
    case FieldDescriptor::CPPTYPE_MESSAGE:
      PRIMUS_CHECK(false, "a message is no scalar");
  }
  return node;
}

}  // namespace primus::config

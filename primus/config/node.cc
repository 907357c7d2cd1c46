#include "primus/config/node.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

namespace primus::config {
namespace {

constexpr std::size_t kShownBytesMax = 60;

// The words of YAML 1.1, in the three ways of writing that it allows.
constexpr std::array<std::string_view, 22> kBooleans = {
    "y",  "Y",  "yes", "Yes", "YES", "n",    "N",    "no",   "No",    "NO",    "on",
    "On", "ON", "off", "Off", "OFF", "true", "True", "TRUE", "false", "False", "FALSE"};

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

std::size_t SkipDigits(std::string_view text, std::size_t at) {
  while (at < text.size() && (IsDigit(text[at]) || text[at] == '_')) ++at;
  return at;
}

bool IsPrefixedInteger(std::string_view text) {
  if (text.size() < 3 || text[0] != '0') return false;
  if (text[1] == 'x') {
    return std::all_of(text.begin() + 2, text.end(),
                       [](unsigned char c) { return std::isxdigit(c) != 0; });
  }
  return (text[1] == 'o' || text[1] == 'b') && std::all_of(text.begin() + 2, text.end(), IsDigit);
}

bool IsNumber(std::string_view text) {
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) text.remove_prefix(1);
  if (text.empty()) return false;
  if (text == ".inf" || text == ".Inf" || text == ".INF") return true;
  if (text == ".nan" || text == ".NaN" || text == ".NAN") return true;
  if (IsPrefixedInteger(text)) return true;
  if (!IsDigit(text[0]) && !(text[0] == '.' && text.size() > 1 && IsDigit(text[1]))) return false;
  std::size_t at = SkipDigits(text, 0);
  if (at < text.size() && text[at] == '.') at = SkipDigits(text, at + 1);
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    ++at;
    if (at < text.size() && (text[at] == '-' || text[at] == '+')) ++at;
    if (at == text.size()) return false;
    at = SkipDigits(text, at);
  }
  return at == text.size();
}

}  // namespace

const Node* Node::Find(std::string_view key) const {
  for (const NodeEntry& entry : entries) {
    if (entry.key == key) return &entry.value;
  }
  return nullptr;
}

Node* Node::Find(std::string_view key) { return const_cast<Node*>(std::as_const(*this).Find(key)); }

std::size_t Node::Count() const {
  std::size_t count = 1;
  for (const Node& item : items) count += item.Count();
  for (const NodeEntry& entry : entries) count += entry.value.Count();
  return count;
}

void Node::MoveTo(Position place) {
  position = place;
  for (Node& item : items) item.MoveTo(place);
  for (NodeEntry& entry : entries) {
    entry.position = place;
    entry.value.MoveTo(place);
  }
}

bool SameValue(const Node& a, const Node& b) {
  if (a.kind != b.kind || a.text != b.text) return false;
  const auto same_entry = [](const NodeEntry& x, const NodeEntry& y) {
    return x.key == y.key && SameValue(x.value, y.value);
  };
  return std::equal(a.items.begin(), a.items.end(), b.items.begin(), b.items.end(), SameValue) &&
         std::equal(a.entries.begin(), a.entries.end(), b.entries.begin(), b.entries.end(),
                    same_entry);
}

std::string Shown(std::string_view text) {
  std::string shown;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    // A cut in the middle of a character would not be UTF-8 any more.
    if (i >= kShownBytesMax && (byte & 0xC0) != 0x80) return shown + "…";
    if (byte >= 0x20 && byte != 0x7F) {
      shown += text[i];
      continue;
    }
    constexpr std::string_view kHex = "0123456789abcdef";
    shown += "\\x";
    shown += kHex[byte >> 4];
    shown += kHex[byte & 15];
  }
  return shown;
}

std::string Describe(const Node& node) {
  switch (node.kind) {
    case NodeKind::kNull:
      return "nothing";
    case NodeKind::kList:
      return "a list";
    case NodeKind::kMap:
      return node.entries.empty() ? "an empty map" : "a map";
    case NodeKind::kScalar:
      break;
  }
  if (node.text.empty()) return "an empty string";
  return node.quoted ? "\"" + Shown(node.text) + "\"" : Shown(node.text);
}

PlainMeaning MeaningOfPlain(std::string_view text) {
  if (std::find(kBooleans.begin(), kBooleans.end(), text) != kBooleans.end()) {
    return PlainMeaning::kBoolean;
  }
  return IsNumber(text) ? PlainMeaning::kNumber : PlainMeaning::kText;
}

}  // namespace primus::config

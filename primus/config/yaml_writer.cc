#include "primus/config/yaml_writer.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace primus::config {
namespace {

// Texts that mean themselves without quotes wherever they stand.
bool IsPlainSafe(const std::string& text) {
  constexpr std::string_view kMarks = "_./+-";
  if (text.empty() || text.front() == '-' || text.back() == '.') return false;
  const auto safe = [kMarks](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           (kMarks.find(c) != std::string_view::npos);
  };
  if (!std::all_of(text.begin(), text.end(), safe)) return false;
  return text != "null" && text != "Null" && text != "NULL" &&
         MeaningOfPlain(text) == PlainMeaning::kText;
}

std::string Quoted(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    if (c == '\n') {
      quoted += "\\n";
    } else if (c == '\r') {
      quoted += "\\r";
    } else if (c == '\t') {
      quoted += "\\t";
    } else {
      quoted += c;
    }
  }
  return quoted + '"';
}

std::string ScalarText(const Node& node) {
  return node.quoted && !IsPlainSafe(node.text) ? Quoted(node.text) : node.text;
}

class Writer {
 public:
  void Write(const Node& node, int indent) {
    if (node.kind == NodeKind::kMap) {
      for (std::size_t i = 0; i < node.entries.size(); ++i) {
        // The first key of an item stands behind its dash.
        if (i > 0 || !after_dash_) text_.append(static_cast<std::size_t>(indent), ' ');
        after_dash_ = false;
        const std::string& key = node.entries[i].key;
        text_ += (IsPlainSafe(key) ? key : Quoted(key)) + ":";
        WriteValue(node.entries[i].value, indent);
      }
      return;
    }
    for (const Node& item : node.items) {
      text_.append(static_cast<std::size_t>(indent), ' ');
      text_ += "-";
      WriteItem(item, indent);
    }
  }

  std::string Take() { return std::move(text_); }

 private:
  static bool IsInline(const Node& node) {
    return node.kind == NodeKind::kScalar || node.kind == NodeKind::kNull ||
           (node.items.empty() && node.entries.empty());
  }

  void WriteInline(const Node& node) {
    text_ += ' ';
    if (node.kind == NodeKind::kMap) text_ += "{}";
    if (node.kind == NodeKind::kList) text_ += "[]";
    if (node.kind == NodeKind::kNull) text_ += "null";
    if (node.kind == NodeKind::kScalar) text_ += ScalarText(node);
    text_ += '\n';
  }

  void WriteValue(const Node& node, int indent) {
    if (IsInline(node)) {
      WriteInline(node);
      return;
    }
    text_ += '\n';
    Write(node, indent + 2);
  }

  void WriteItem(const Node& item, int indent) {
    if (IsInline(item)) {
      WriteInline(item);
      return;
    }
    if (item.kind == NodeKind::kList) {
      text_ += '\n';
      Write(item, indent + 2);
      return;
    }
    text_ += ' ';
    after_dash_ = true;
    Write(item, indent + 2);
  }

  std::string text_;
  bool after_dash_ = false;
};

}  // namespace

std::string ToYaml(const Node& tree) {
  if (tree.kind == NodeKind::kScalar) return ScalarText(tree) + "\n";
  if (tree.items.empty() && tree.entries.empty()) {
    return tree.kind == NodeKind::kList ? "[]\n" : "{}\n";
  }
  Writer writer;
  writer.Write(tree, 0);
  return writer.Take();
}

}  // namespace primus::config

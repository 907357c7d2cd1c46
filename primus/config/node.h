// A YAML document as a tree of values: aliases are copied out, merge keys applied, and every node
// knows where it was written. Keys of a map are unique.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "primus/config/position.h"

namespace primus::config {

enum class NodeKind { kNull, kScalar, kList, kMap };

struct NodeEntry;

struct Node {
  NodeKind kind = NodeKind::kNull;
  Position position;
  std::string text;     // scalar
  bool quoted = false;  // scalar: a string, whatever it looks like
  std::vector<Node> items;
  std::vector<NodeEntry> entries;

  // Null if this is no map or has no such key.
  const Node* Find(std::string_view key) const;
  Node* Find(std::string_view key);
  // This node and all beneath.
  std::size_t Count() const;
  // Gives this node and all beneath one position.
  void MoveTo(Position place);
};

struct NodeEntry {
  std::string key;
  Position position;  // of the key
  Node value;
};

// Same kinds, keys in the same order, same texts; positions and quotes do not matter.
bool SameValue(const Node& a, const Node& b);

// What a reader would call it: `nothing`, `a map`, `a list`, or the text itself, clipped.
std::string Describe(const Node& node);
// Outside text made fit for a message: clipped, control characters escaped.
std::string Shown(std::string_view text);

// What a plain scalar means to readers of YAML 1.1 and 1.2 together: kubectl reads 1.1.
enum class PlainMeaning { kText, kNumber, kBoolean };
PlainMeaning MeaningOfPlain(std::string_view text);

}  // namespace primus::config

#include "primus/config/node_reader.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "primus/config/text_check.h"

namespace primus::config {
namespace {

constexpr std::string_view kMergeKey = "<<";

// Builds the tree out of the parser's events. After a limit is passed it only swallows events.
class TreeBuilder final : public YAML::EventHandler {
 public:
  TreeBuilder(uint32_t set, Problems* problems) : set_(set), problems_(problems) {}

  // Nothing if a limit was passed or there was no document.
  std::optional<Node> TakeRoot() { return overflow_ ? std::nullopt : std::move(root_); }

  // Where to look for the cause: what has no end is known by its beginning.
  Position PlaceOf(const YAML::Exception& error) const {
    if (!frames_.empty() && error.msg.ends_with("flow not found")) {
      return frames_.back().node.position;
    }
    return PositionOf(error.mark);
  }

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (documents_++ > 0) Fault(PositionOf(mark), "expected one document, got another");
  }
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    Node node;
    node.position = PositionOf(mark);
    Complete(std::move(node), anchor);
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    if (Ignoring()) return;
    const auto it = anchors_.find(anchor);
    Node copy;
    copy.position = PositionOf(mark);
    if (it == anchors_.end()) {
      Fault(copy.position, "expected an alias of something complete, got one of what is around it");
    } else if (Charge(it->second.Count(), copy.position)) {
      copy = it->second;
    }
    Complete(std::move(copy), 0);
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    Node node;
    node.kind = NodeKind::kScalar;
    node.position = PositionOf(mark);
    node.text = value;
    node.quoted = tag == "!" || tag == "tag:yaml.org,2002:str";
    if (!tag.empty() && tag != "?" && tag != "!" && tag != "tag:yaml.org,2002:str") {
      RefuseTag(node.position, tag);
    }
    Complete(std::move(node), anchor);
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    Open(NodeKind::kList, PositionOf(mark), anchor, tag);
  }
  void OnSequenceEnd() override { Close(); }

  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    Open(NodeKind::kMap, PositionOf(mark), anchor, tag);
  }
  void OnMapEnd() override { Close(); }

 private:
  struct Frame {
    Node node;
    YAML::anchor_t anchor = 0;
    std::optional<Node> key;                  // read, its value still to come
    std::map<std::string, Position> written;  // keys so far
    std::vector<Node> merges;
  };

  bool Ignoring() const { return overflow_ || documents_ > 1; }

  Position PositionOf(const YAML::Mark& mark) const {
    if (mark.is_null()) return {.set = set_};
    return {.set = set_,
            .line = static_cast<uint32_t>(mark.line + 1),
            .column = static_cast<uint32_t>(mark.column + 1)};
  }

  void Fault(Position position, std::string text) { problems_->Add(position, "", std::move(text)); }

  void RefuseTag(Position position, const std::string& tag) {
    Fault(position, "expected no tag, got " + Shown(tag));
  }

  bool Charge(std::size_t nodes, Position position) {
    charged_ += nodes;
    if (charged_ <= kNodesMax) return true;
    if (!overflow_) {
      Fault(position, "expected at most " + std::to_string(kNodesMax) +
                          " values with aliases copied out, got more");
    }
    overflow_ = true;
    return false;
  }

  void Open(NodeKind kind, Position position, YAML::anchor_t anchor, const std::string& tag) {
    if (Ignoring()) return;
    if (!tag.empty() && tag != "?" && tag != "!") RefuseTag(position, tag);
    if (frames_.size() >= kDepthMax) {
      Fault(position, "expected at most " + std::to_string(kDepthMax) + " levels, got more");
      overflow_ = true;
      return;
    }
    Frame frame;
    frame.node.kind = kind;
    frame.node.position = position;
    frame.anchor = anchor;
    frames_.push_back(std::move(frame));
  }

  void Close() {
    if (Ignoring() || frames_.empty()) return;
    Frame frame = std::move(frames_.back());
    frames_.pop_back();
    std::vector<Node> merges = std::move(frame.merges);
    for (Node& merged : merges) Merge(std::move(merged), &frame);
    Complete(std::move(frame.node), frame.anchor);
  }

  void Complete(Node node, YAML::anchor_t anchor) {
    if (Ignoring() || !Charge(1, node.position)) return;
    if (anchor != 0) {
      if (!Charge(node.Count(), node.position)) return;
      anchors_.insert_or_assign(anchor, node);
    }
    if (frames_.empty()) {
      root_ = std::move(node);
    } else if (frames_.back().node.kind == NodeKind::kList) {
      frames_.back().node.items.push_back(std::move(node));
    } else if (!frames_.back().key) {
      frames_.back().key = std::move(node);
    } else {
      AddEntry(std::move(node), &frames_.back());
    }
  }

  void AddEntry(Node value, Frame* frame) {
    const Node key = *std::exchange(frame->key, std::nullopt);
    if (key.kind != NodeKind::kScalar) {
      Fault(key.position, "expected a key, got " + Describe(key));
      return;
    }
    const auto [first, added] = frame->written.emplace(key.text, key.position);
    if (!added) {
      Fault(key.position, "expected each key once, got " + Shown(key.text) + " again; first at " +
                              Place(first->second));
    } else if (key.text == kMergeKey && !key.quoted) {
      frame->merges.push_back(std::move(value));
    } else {
      frame->node.entries.push_back({key.text, key.position, std::move(value)});
    }
  }

  // What is written beside the merge key wins, then the first of several maps.
  void Merge(Node from, Frame* into) {
    if (from.kind == NodeKind::kList) {
      for (Node& item : from.items) MergeMap(std::move(item), into);
    } else {
      MergeMap(std::move(from), into);
    }
  }

  void MergeMap(Node from, Frame* into) {
    if (from.kind != NodeKind::kMap) {
      Fault(from.position, "expected a map to merge, got " + Describe(from));
      return;
    }
    for (NodeEntry& entry : from.entries) {
      const bool added = into->written.emplace(entry.key, entry.position).second;
      if (added) into->node.entries.push_back(std::move(entry));
    }
  }

  uint32_t set_;
  Problems* problems_;
  std::size_t documents_ = 0;
  std::size_t charged_ = 0;
  bool overflow_ = false;
  std::vector<Frame> frames_;
  std::map<YAML::anchor_t, Node> anchors_;
  std::optional<Node> root_;
};

// Feeds `builder`; false, with a problem added, when the text is not YAML.
bool Parse(std::string_view text, TreeBuilder* builder, Problems* problems) {
  std::istringstream stream{std::string(text)};
  try {
    YAML::Parser parser(stream);
    // A second document is one too many, and on some texts the parser would go on for ever.
    if (parser.HandleNextDocument(*builder)) parser.HandleNextDocument(*builder);
    return true;
  } catch (const YAML::Exception& error) {
    const Position position = builder->PlaceOf(error);
    problems->Add(position, "", "expected YAML, got a syntax error: " + Shown(error.msg));
  }
  return false;
}

}  // namespace

std::optional<Node> ReadNode(std::string_view text, uint32_t set, Problems* problems) {
  if (std::optional<TextFault> fault = CheckText(text)) {
    fault->position.set = set;
    problems->Add(fault->position, "", std::move(fault->text));
    return std::nullopt;
  }
  TreeBuilder builder(set, problems);
  const std::size_t before = problems->size();
  if (!Parse(text, &builder, problems)) return std::nullopt;
  std::optional<Node> root = builder.TakeRoot();
  if (!root && problems->size() == before) {
    problems->Add({.set = set}, "", "expected a value, got nothing");
  }
  return root;
}

}  // namespace primus::config

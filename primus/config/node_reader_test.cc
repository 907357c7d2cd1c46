#include "primus/config/node_reader.h"

#include <gtest/gtest.h>

#include "primus/config/text_check.h"
#include "primus/config/yaml_writer.h"

namespace primus::config {
namespace {

std::string Read(std::string_view text) {
  Problems problems("f");
  const std::optional<Node> node = ReadNode(text, 0, &problems);
  if (!problems.empty()) return problems.ToStatus().message();
  return node ? ToYaml(*node) : "no tree";
}

TEST(NodeReader, CopiesAliasesOutAndMergesMaps) {
  EXPECT_EQ(Read("a: &x {k: 1}\nb: *x"), "a:\n  k: 1\nb:\n  k: 1\n");
  EXPECT_EQ(Read("a: &x {k: 1, l: 2}\nb: {<<: *x, l: 3}"),
            "a:\n  k: 1\n  l: 2\nb:\n  l: 3\n  k: 1\n");
  EXPECT_EQ(Read("- &x {k: 1}\n- &y {k: 2, m: 3}\n- {<<: [*x, *y]}"),
            "- k: 1\n- k: 2\n  m: 3\n- k: 1\n  m: 3\n");
}

TEST(NodeReader, KnowsWhereThingsAre) {
  Problems problems("f");
  const std::optional<Node> node = ReadNode("a: 1\nb:\n  - c: [x, y]\n", 0, &problems);
  ASSERT_TRUE(node.has_value());
  const Node& list = *node->Find("b");
  EXPECT_EQ(list.items[0].entries[0].position, (Position{.line = 3, .column = 5}));
  EXPECT_EQ(list.items[0].entries[0].value.items[1].position, (Position{.line = 3, .column = 12}));
}

TEST(NodeReader, RefusesWhatIsNoSingleYamlDocument) {
  EXPECT_EQ(Read(""), "f:1:1: expected a value, got nothing");
  EXPECT_EQ(Read("# nothing\n\n"), "f:1:1: expected a value, got nothing");
  EXPECT_EQ(Read("a: 1\n---\nb: 2\n"), "f:2:1: expected one document, got another");
  EXPECT_EQ(Read("a: [1, 2"),
            "f:1:4: expected YAML, got a syntax error: end of sequence flow not found");
  EXPECT_EQ(Read("a: 1\n\tb: 2\n"), "f:2:1: expected spaces as indentation, got a tab");
  EXPECT_EQ(Read("a: \x01"), "f:1:4: expected text, got a control character \\x01");
  EXPECT_EQ(Read("a: \xff"), "f:1:4: expected UTF-8, got another byte");
  EXPECT_EQ(Read("a: !!binary x"), "f:1:4: expected no tag, got tag:yaml.org,2002:binary");
  EXPECT_EQ(Read("a: *x"),
            "f:1:4: expected YAML, got a syntax error: the referenced anchor is not defined");
}

// The parser yields documents without end here.
TEST(NodeReader, EndsOnStrayMarks) {
  EXPECT_NE(Read(",:").find("expected one document, got another"), std::string::npos);
}

TEST(NodeReader, FindsEveryWrongKey) {
  EXPECT_EQ(Read("a: 1\nb: 2\na: 3\n[x]: 4\n? {y: 1}\n: 5\n"),
            "f:3:1: expected each key once, got a again; first at 1:1\n"
            "f:4:1: expected a key, got a list\n"
            "f:5:3: expected a key, got a map");
  EXPECT_EQ(Read("a: {<<: 1}"), "f:1:9: expected a map to merge, got 1");
}

TEST(NodeReader, EndsAliasBombsAndDeepNests) {
  std::string bomb = "a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n";
  for (int i = 1; i < 12; ++i) {
    const std::string before = "*a" + std::to_string(i - 1);
    bomb += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [";
    for (int j = 0; j < 10; ++j) bomb += before + (j < 9 ? "," : "");
    bomb += "]\n";
  }
  EXPECT_NE(Read(bomb).find("expected at most 100000 values with aliases copied out"),
            std::string::npos);
  EXPECT_NE(Read(std::string(65, '[') + std::string(65, ']')).find("expected at most 64 levels"),
            std::string::npos);
  EXPECT_NE(Read(std::string(500'000, '[')).find("f:1:"), std::string::npos);
  EXPECT_NE(Read("a: &a [*a]").find("expected an alias of something complete"), std::string::npos);
  EXPECT_EQ(Read(std::string(kTextBytesMax + 1, ' ')),
            "f:1:1: expected at most 1 MiB, got 1048577 bytes");
}

TEST(TextCheck, KnowsUtf8) {
  EXPECT_EQ(Utf8CharacterBytes("ä"), 2U);
  EXPECT_EQ(Utf8CharacterBytes("…"), 3U);
  EXPECT_EQ(Utf8CharacterBytes("😀"), 4U);
  for (const char* text : {"\x80", "\xc0\x80", "\xe0\x80\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80",
                           "\xf5\x80\x80\x80", "\xe2\x80"}) {
    EXPECT_EQ(Utf8CharacterBytes(text), 0U);
  }
}

}  // namespace
}  // namespace primus::config

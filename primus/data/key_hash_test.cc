#include "primus/data/key_hash.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>

namespace primus::data {
namespace {

// Published in docs/keys.md: a value that changes would lose every trained table.
TEST(KeyHash, PublishedVectors) {
  EXPECT_EQ(TableKeys("movie").OfInteger(42), 0xDB9B5A66F84F1A68ULL);
  EXPECT_EQ(TableKeys("movie").OfText("42"), 0xC98A148CEC2ED569ULL);
  EXPECT_EQ(TableKeys("movie").OfText(""), 0xB033FCF3103D2200ULL);
  EXPECT_EQ(TableKeys("movie").OfInteger(0), 0xAED2A3F7DE7D6D1DULL);
  EXPECT_EQ(TableKeys("movie").OfInteger(-1), 0x8C0773E5847A19DAULL);
  EXPECT_EQ(TableKeys("user").OfInteger(42), 0x25E92B67CA566952ULL);
  EXPECT_EQ(TableKeys("genres").OfText("Children's"), 0x979E1EB998881BD4ULL);
  EXPECT_EQ(TableKeys("stadt").OfText("Zürich"), 0x74C7969425BDA8A5ULL);
  EXPECT_EQ(TableKeys("").OfInteger(std::numeric_limits<int64_t>::min()), 0x8689A7F3F20FFA54ULL);
}

TEST(KeyHash, ATableIsPartOfTheKey) {
  EXPECT_NE(TableKeys("a").OfText("bc"), TableKeys("ab").OfText("c"));
  EXPECT_NE(TableKeys("a").OfInteger(1), TableKeys("b").OfInteger(1));
}

TEST(KeyHash, LongNamesAndValuesAreWhole) {
  const std::string text(1000, 'x');
  const TableKeys keys(std::string(300, 'n'));
  EXPECT_EQ(keys.OfText(text), keys.OfText(text));
  EXPECT_NE(keys.OfText(text), keys.OfText(text + "x"));
}

}  // namespace
}  // namespace primus::data

#include "primus/config/nearest_name.h"

#include <gtest/gtest.h>

namespace primus::config {
namespace {

TEST(NearestName, FindsTheNameThatWasMeant) {
  const std::vector<std::string> names = {"streams", "range", "limit", "timeZone", "ps"};
  EXPECT_EQ(NearestName("strems", names), "streams");
  EXPECT_EQ(NearestName("timezone", names), "timeZone");
  EXPECT_EQ(NearestName("time_zone", names), "timeZone");
  EXPECT_EQ(NearestName("rnage", names), "range");
  EXPECT_EQ(NearestName("sp", names), "ps");
}

TEST(NearestName, IsSilentWhenNothingIsNear) {
  EXPECT_EQ(NearestName("network", {"streams", "range"}), "");
  EXPECT_EQ(NearestName("a", {"b"}), "");
  EXPECT_EQ(NearestName("", {"b"}), "");
  EXPECT_EQ(NearestName(std::string(100'000, 'x'), {"x"}), "");
}

TEST(NearestName, ListsChoicesInWords) {
  EXPECT_EQ(OneOf({"a"}), "a");
  EXPECT_EQ(OneOf({"a", "b", "c"}), "a, b or c");
  EXPECT_EQ(OneOf(std::vector<std::string>(13, "x")), "x, x, x, x, x, x, x, x, x, x, x, x, …");
}

}  // namespace
}  // namespace primus::config

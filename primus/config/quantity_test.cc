#include "primus/config/quantity.h"

#include <gtest/gtest.h>

namespace primus::config {
namespace {

TEST(Quantity, ReadsCoresInThousandths) {
  EXPECT_EQ(*ParseCpuMillis("2"), 2000);
  EXPECT_EQ(*ParseCpuMillis("500m"), 500);
  EXPECT_EQ(*ParseCpuMillis("0.5"), 500);
  EXPECT_EQ(*ParseCpuMillis(".25"), 250);
  for (const char* text : {"", "m", "-1", "1Gi", "0.5m", "1 ", "1e3", "1.2.3", "2 cores"}) {
    EXPECT_FALSE(ParseCpuMillis(text).ok()) << text;
  }
}

TEST(Quantity, ReadsSizesInBytes) {
  EXPECT_EQ(*ParseByteSize("4Gi"), uint64_t{4} << 30);
  EXPECT_EQ(*ParseByteSize("512Mi"), uint64_t{512} << 20);
  EXPECT_EQ(*ParseByteSize("1G"), 1'000'000'000U);
  EXPECT_EQ(*ParseByteSize("1.5Ki"), 1536U);
  EXPECT_EQ(*ParseByteSize("1.5Ei"), (uint64_t{1} << 60) + (uint64_t{1} << 59));
  EXPECT_EQ(*ParseByteSize("17"), 17U);
  for (const char* text : {"", "Gi", "4gi", "4GB", "-4Gi", "0.1", "16Ei", "18446744073709551616"}) {
    EXPECT_FALSE(ParseByteSize(text).ok()) << text;
  }
}

}  // namespace
}  // namespace primus::config

#include <gtest/gtest.h>

#include <cerrno>

#include "primus/base/crc32c.h"
#include "primus/base/ids.h"
#include "primus/base/result.h"
#include "primus/base/seeded.h"
#include "primus/base/utc_text.h"

namespace primus {
namespace {

Result<int> Half(int n) {
  if (n % 2 != 0) return InvalidArgumentError("odd number " + std::to_string(n));
  return n / 2;
}

Result<int> Quarter(int n) {
  PRIMUS_ASSIGN(int half, Half(n));
  PRIMUS_ASSIGN(half, Half(half));
  return half;
}

Status Check(int n) {
  PRIMUS_TRY(Quarter(n).status().WithContext("quartering", std::to_string(n)));
  return OkStatus();
}

TEST(Result, PassesErrorsUpWithContext) {
  EXPECT_EQ(*Quarter(8), 2);
  EXPECT_TRUE(Check(4).ok());
  EXPECT_EQ(Check(6).ToString(), "InvalidArgument: quartering 6: odd number 3");
}

TEST(Status, TakesTheCodeOfAnErrno) {
  EXPECT_EQ(ErrnoError("opening x", ENOENT).code(), StatusCode::kNotFound);
  EXPECT_EQ(ErrnoError("writing x", ENOSPC).code(), StatusCode::kResourceExhausted);
}

TEST(Status, OnlySomeCodesPass) {
  EXPECT_TRUE(IsTransient(StatusCode::kUnavailable));
  EXPECT_TRUE(IsTransient(StatusCode::kResourceExhausted));
  EXPECT_FALSE(IsTransient(StatusCode::kOk));
  EXPECT_FALSE(IsTransient(StatusCode::kDataLoss));
}

TEST(Crc32c, MatchesThePublishedVectors) {
  EXPECT_EQ(Crc32c("123456789"), 0xE3069283U);
  EXPECT_EQ(Crc32c(std::string(32, '\0')), 0x8A9136AAU);
  const std::string text = "a text that is longer than eight bytes";
  EXPECT_EQ(Crc32c(text.data() + 5, text.size() - 5, Crc32c(text.data(), 5)), Crc32c(text));
}

TEST(Stamp, OrdersByAttemptThenViewThenCut) {
  EXPECT_LT((Stamp{1, 9, 9}), (Stamp{2, 0, 0}));
  EXPECT_LT((Stamp{1, 1, 9}), (Stamp{1, 2, 0}));
  EXPECT_LT((Stamp{1, 1, 1}), (Stamp{1, 1, 2}));
  EXPECT_EQ(ToString(Stamp{3, 7, 2}), "a3.v7.c2");
}

TEST(Seeded, IsTheSameEverywhere) {
  EXPECT_EQ(Mix64(0), 0xE220A8397B1DCDAFULL);
  SeededSequence a(7), b(7);
  for (int i = 0; i < 100; ++i) {
    const uint64_t n = a.Below(10);
    EXPECT_EQ(n, b.Below(10));
    EXPECT_LT(n, 10U);
  }
}

TEST(UtcText, IsIso) {
  EXPECT_EQ(UtcText(WallTime(Seconds(951827696))), "2000-02-29T12:34:56Z");
  EXPECT_EQ(UtcText(WallTime()), "-");
}

}  // namespace
}  // namespace primus

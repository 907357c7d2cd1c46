#include "primus/rpc/frame_header.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>

namespace primus::rpc {
namespace {

Frame Sample() { return {.request_id = 9, .message = "message", .payload = "payload"}; }

std::string WithNumber(std::string bytes, std::size_t at, uint64_t number) {
  std::memcpy(bytes.data() + at, &number, sizeof(number));
  return bytes;
}

TEST(FrameHeader, ReadsBackWhatItWrote) {
  const Result<Frame> frame = DecodeFrame(EncodeFrame(StatusCode::kOk, Sample(), {}), {});
  ASSERT_TRUE(frame.ok()) << frame.status().ToString();
  EXPECT_EQ(frame->request_id, 9U);
  EXPECT_EQ(frame->message, "message");
  EXPECT_EQ(frame->payload, "payload");
}

TEST(FrameHeader, KeepsItsPlaces) {
  const FrameRules rules{.protocol = 3, .build = "b"};
  const std::string bytes = EncodeFrame(StatusCode::kNotFound, Sample(), rules);
  std::string expected = "PRMF";
  expected += std::string("\3\0\0\0", 4);
  expected += std::string("\11\0\0\0\0\0\0\0", 8);
  expected += std::string("\7\0\0\0\0\0\0\0", 8);
  expected += std::string("\7\0\0\0\0\0\0\0", 8);
  expected += std::string("\5\0\0\0", 4);
  expected += "b" + std::string(27, '\0');
  expected += "messagepayload";
  EXPECT_EQ(bytes, expected);
}

TEST(FrameHeader, RefusesEveryCutAndLengthsThatDoNotFit) {
  const std::string bytes = EncodeFrame(StatusCode::kOk, Sample(), {});
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_EQ(DecodeFrame(bytes.substr(0, size), {}).status().code(), StatusCode::kDataLoss)
        << size;
  }
  EXPECT_EQ(DecodeFrame(bytes + "x", {}).status().code(), StatusCode::kDataLoss);
  for (const uint64_t length : {uint64_t{8}, uint64_t{100}, ~uint64_t{0}, ~uint64_t{0} - 6}) {
    EXPECT_EQ(DecodeFrame(WithNumber(bytes, 16, length), {}).status().code(),
              StatusCode::kDataLoss);
    EXPECT_EQ(DecodeFrame(WithNumber(bytes, 24, length), {}).status().code(),
              StatusCode::kDataLoss);
  }
  EXPECT_EQ(DecodeFrame("X" + bytes.substr(1), {}).status().code(), StatusCode::kDataLoss);
  std::string code = bytes;
  code[32] = 99;
  EXPECT_EQ(DecodeFrame(code, {}).status().code(), StatusCode::kDataLoss);
}

TEST(FrameHeader, RefusesWhatIsTooLargeByItsSizeAlone) {
  const std::string bytes = EncodeFrame(StatusCode::kOk, Sample(), {});
  EXPECT_EQ(DecodeHeader(bytes.substr(0, kHeaderBytes), uint64_t{1} << 40, {}).status().code(),
            StatusCode::kResourceExhausted);
  EXPECT_TRUE(DecodeFrame(bytes, {.frame_bytes_max = 14}).ok());
  EXPECT_EQ(DecodeFrame(bytes, {.frame_bytes_max = 13}).status().code(),
            StatusCode::kResourceExhausted);
}

TEST(FrameHeader, NamesBothBuildsAndCutsALongOne) {
  const std::string long_build(100, 'b');
  const std::string bytes = EncodeFrame(StatusCode::kOk, Sample(), {.build = long_build});
  EXPECT_TRUE(DecodeFrame(bytes, {.build = long_build}).ok());
  const Status status = DecodeFrame(bytes, {.build = "other"}).status();
  EXPECT_EQ(status.code(), StatusCode::kUnimplemented);
  EXPECT_NE(status.message().find(std::string(kBuildBytesMax, 'b')), std::string::npos);
  EXPECT_NE(status.message().find("other"), std::string::npos);
}

TEST(FrameHeader, CarriesAnErrorAsItsText) {
  const AnswerFrame answer = ToAnswer(NotFoundError("no such shard"), 5, {});
  EXPECT_EQ(answer.frame.request_id, 5U);
  const Result<Frame> frame = DecodeFrame(EncodeFrame(answer.code, answer.frame, {}), {});
  EXPECT_EQ(frame.status().ToString(), "NotFound: no such shard");
}

}  // namespace
}  // namespace primus::rpc

#include "primus/handover/ring_frame.h"

#include <cstring>
#include <type_traits>

#include "primus/handover/unix_packet.h"

namespace primus::handover {
namespace {

constexpr uint32_t kMagic = 0x474E5250;  // "PRNG"
constexpr uint16_t kVersion = 1;
constexpr std::size_t kTextMax = 1024;

struct Header {
  uint32_t magic;
  uint16_t version;
  uint16_t kind;
  uint32_t length;  // of the body
};

template <class T>
void Put(std::string& to, T value) {
  static_assert(std::is_trivially_copyable_v<T>);
  to.append(reinterpret_cast<const char*>(&value), sizeof(value));
}

void PutText(std::string& to, std::string_view text) {
  text = text.substr(0, kTextMax);
  Put(to, static_cast<uint32_t>(text.size()));
  to.append(text);
}

// Reads values off the front; once one is missing, all are zero and ok() is false.
class Body {
 public:
  explicit Body(std::string_view bytes) : bytes_(bytes) {}
  template <class T>
  T Get() {
    T value{};
    if (bytes_.size() < sizeof(T)) {
      ok_ = false;
      bytes_ = {};
      return value;
    }
    std::memcpy(&value, bytes_.data(), sizeof(T));
    bytes_.remove_prefix(sizeof(T));
    return value;
  }
  std::string GetText() {
    const auto size = Get<uint32_t>();
    if (size > bytes_.size() || size > kTextMax) {
      ok_ = false;
      return {};
    }
    std::string text(bytes_.substr(0, size));
    bytes_.remove_prefix(size);
    return text;
  }
  bool done() const { return ok_ && bytes_.empty(); }

 private:
  std::string_view bytes_;
  bool ok_ = true;
};

std::string EncodeBody(const RingFrame& frame) {
  std::string body;
  if (frame.kind == FrameKind::kHello) {
    const Hello& hello = frame.hello;
    Put(body, hello.protocol);
    Put(body, hello.schema);
    Put(body, hello.writer);
    Put(body, hello.reader);
    Put(body, hello.flow.attempt);
    Put(body, hello.flow.view);
    Put(body, hello.flow.cut);
    PutText(body, hello.build);
  } else if (frame.kind == FrameKind::kRefused) {
    Put(body, static_cast<int32_t>(frame.refusal.code()));
    PutText(body, frame.refusal.message());
  } else if (frame.kind == FrameKind::kMemory) {
    Put(body, frame.shape.slots);
    Put(body, frame.shape.slot_bytes);
  }
  return body;
}

Hello DecodeHello(Body& body) {
  Hello hello;
  hello.protocol = body.Get<uint32_t>();
  hello.schema = body.Get<uint64_t>();
  hello.writer = body.Get<uint64_t>();
  hello.reader = body.Get<uint64_t>();
  hello.flow.attempt = body.Get<uint64_t>();
  hello.flow.view = body.Get<uint64_t>();
  hello.flow.cut = body.Get<uint64_t>();
  hello.build = body.GetText();
  return hello;
}

Status DecodeRefusal(Body& body) {
  const auto code = body.Get<int32_t>();
  std::string text = body.GetText();
  const bool known = code > 0 && code <= static_cast<int32_t>(StatusCode::kUnauthenticated);
  return Status(known ? static_cast<StatusCode>(code) : StatusCode::kUnknown, std::move(text));
}

}  // namespace

std::string EncodeFrame(const RingFrame& frame) {
  const std::string body = EncodeBody(frame);
  std::string bytes;
  Put(bytes, Header{.magic = kMagic,
                    .version = kVersion,
                    .kind = static_cast<uint16_t>(frame.kind),
                    .length = static_cast<uint32_t>(body.size())});
  return bytes + body;
}

Result<RingFrame> DecodeFrame(std::string_view bytes) {
  Body reader(bytes);
  const auto header = reader.Get<Header>();
  if (bytes.size() < sizeof(Header) || header.magic != kMagic) {
    return DataLossError("not a frame of a ring");
  }
  if (header.version != kVersion) {
    return FailedPreconditionError("the peer's ring frames are version " +
                                   std::to_string(header.version) + ", ours " +
                                   std::to_string(kVersion));
  }
  if (header.length != bytes.size() - sizeof(Header)) return DataLossError("a frame cut short");
  RingFrame frame;
  frame.kind = static_cast<FrameKind>(header.kind);
  Body body(bytes.substr(sizeof(Header)));
  switch (frame.kind) {
    case FrameKind::kHello:
      frame.hello = DecodeHello(body);
      break;
    case FrameKind::kRefused:
      frame.refusal = DecodeRefusal(body);
      break;
    case FrameKind::kMemory:
      frame.shape.slots = body.Get<uint32_t>();
      frame.shape.slot_bytes = body.Get<uint64_t>();
      break;
    case FrameKind::kWelcome:
    case FrameKind::kReady:
      break;
    default:
      return DataLossError("a frame of no kind: " + std::to_string(header.kind));
  }
  if (!body.done()) return DataLossError("a frame with another body than its kind has");
  return frame;
}

}  // namespace primus::handover

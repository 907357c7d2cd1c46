#include "primus/handover/ring.h"

#include <gtest/gtest.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "primus/base/seeded.h"
#include "primus/handover/handover_conformance.h"
#include "primus/handover/hello.h"
#include "primus/handover/ring_channel.h"
#include "primus/handover/ring_frame.h"
#include "primus/handover/ring_memory.h"
#include "primus/handover/scratch_directory.h"
#include "primus/handover/unix_packet.h"

namespace primus::handover {
namespace {

class RingWorld {
 public:
  Handover& writing() { return writing_; }
  Handover& reading() { return reading_; }
  std::string address() const { return directory_.Path("ring"); }
  bool RunUntil(const std::function<bool()>& holds) { return loop_.RunUntil(holds, Seconds(30)); }

 private:
  ScratchDirectory directory_;
  env::AsioLoop loop_;
  RingHandover writing_{loop_};
  RingHandover reading_{loop_};
};

INSTANTIATE_TYPED_TEST_SUITE_P(Ring, HandoverConformance, RingWorld);

TEST(CheckHello, NamesBothSidesOfADifference) {
  const Hello here{.protocol = 1, .build = "b1", .schema = 7, .writer = 0, .reader = 0, .flow = {}};
  Hello there = here;
  EXPECT_TRUE(CheckHello(here, there).ok());
  there.build = "b2";
  EXPECT_EQ(CheckHello(here, there).message(), "the writer's build is b2, the reader's b1");
  there = here;
  there.protocol = 2;
  EXPECT_EQ(CheckHello(here, there).code(), StatusCode::kInvalidArgument);
  there = here;
  there.schema = 8;
  EXPECT_FALSE(CheckHello(here, there).ok());
}

TEST(RingFrame, SurvivesTheWayAndRefusesOthers) {
  const RingFrame hello{.kind = FrameKind::kHello,
                        .hello = {1, "build", 7, 5, 6, {2, 9, 0}},
                        .refusal = {},
                        .shape = {}};
  const std::string bytes = EncodeFrame(hello);
  auto back = DecodeFrame(bytes);
  ASSERT_TRUE(back.ok());
  EXPECT_EQ(back->hello.build, "build");
  EXPECT_EQ(back->hello.flow, (Stamp{2, 9, 0}));
  for (std::size_t cut = 0; cut < bytes.size(); ++cut) {
    EXPECT_FALSE(DecodeFrame(bytes.substr(0, cut)).ok()) << cut;
  }
  std::string newer = bytes;
  newer[4] = 9;
  EXPECT_EQ(DecodeFrame(newer).status().message(), "the peer's ring frames are version 9, ours 1");
  SeededSequence random(7);
  for (int round = 0; round < 20000; ++round) {
    std::string mutated = bytes;
    mutated[random.Below(mutated.size())] = static_cast<char>(random.Below(256));
    (void)DecodeFrame(mutated);  // ends, whatever it says
  }
}

TEST(RingMemory, RefusesShapesAndMemoryThatIsNoRing) {
  EXPECT_FALSE(RingMemory::Create({.slots = 0, .slot_bytes = 64}).ok());
  EXPECT_FALSE(RingMemory::Create({.slots = 65, .slot_bytes = 64}).ok());
  EXPECT_FALSE(RingMemory::Create({.slots = 2, .slot_bytes = 100}).ok());
  EXPECT_FALSE(RingMemory::Create({.slots = 2, .slot_bytes = ~uint64_t{63}}).ok());
  auto memory = RingMemory::Create({.slots = 2, .slot_bytes = 128});
  ASSERT_TRUE(memory.ok()) << memory.status().ToString();
  EXPECT_FALSE(
      RingMemory::Map(UniqueFd(::dup(memory->fd())), {.slots = 4, .slot_bytes = 4096}).ok())
      << "larger than it is";
  EXPECT_TRUE(RingMemory::Map(UniqueFd(::dup(memory->fd())), {.slots = 2, .slot_bytes = 128}).ok());
  EXPECT_NE(::ftruncate(memory->fd(), 0), 0) << "nobody can shrink it under the other";
  UniqueFd plain(::memfd_create("plain", MFD_CLOEXEC));
  ASSERT_EQ(::ftruncate(plain.get(), 1 << 20), 0);
  EXPECT_FALSE(RingMemory::Map(std::move(plain), {.slots = 2, .slot_bytes = 128}).ok());
}

// Both ends of a ring in one process, with the shared memory at hand to spoil.
class SpoiledRing : public ::testing::Test {
 protected:
  static constexpr RingShape kShape{.slots = 4, .slot_bytes = 256};

  void SetUp() override {
    auto memory = RingMemory::Create(kShape);
    ASSERT_TRUE(memory.ok());
    memory_.emplace(std::move(*memory));
    int sockets[2];
    ASSERT_EQ(::socketpair(AF_UNIX, SOCK_SEQPACKET, 0, sockets), 0);
    const int reader_bell = ::eventfd(0, EFD_NONBLOCK);
    const int writer_bell = ::eventfd(0, EFD_NONBLOCK);
    auto writer_end = RingEnd::Create(loop_, {.socket = UniqueFd(sockets[0]),
                                              .own_bell = UniqueFd(writer_bell),
                                              .peer_bell = UniqueFd(::dup(reader_bell))});
    auto reader_end = RingEnd::Create(loop_, {.socket = UniqueFd(sockets[1]),
                                              .own_bell = UniqueFd(reader_bell),
                                              .peer_bell = UniqueFd(::dup(writer_bell))});
    ASSERT_TRUE(writer_end.ok() && reader_end.ok());
    writer_ = std::make_unique<RingWriter>(Again(), std::move(*writer_end));
    reader_ = std::make_unique<RingReader>(Again(), std::move(*reader_end), Hello{});
  }

  RingMemory Again() {
    auto memory = RingMemory::Map(UniqueFd(::dup(memory_->fd())), kShape);
    PRIMUS_CHECK(memory.ok(), "a ring of ours can be mapped again");
    return std::move(*memory);
  }

  env::AsioLoop loop_;
  std::optional<RingMemory> memory_;
  std::unique_ptr<RingWriter> writer_;
  std::unique_ptr<RingReader> reader_;
};

TEST_F(SpoiledRing, ASlotOutsideClosesTheReader) {
  int closed = 0;
  reader_->Observe([] {}, [&] { ++closed; });
  writer_->Publish(*writer_->TryReserve(), 8);
  memory_->filled().entries[0].slot = 4;
  EXPECT_FALSE(reader_->TryTake().has_value());
  EXPECT_TRUE(reader_->closed());
  EXPECT_EQ(closed, 0) << "never inside the call";
  EXPECT_TRUE(loop_.RunUntil([&] { return closed == 1; }, Seconds(30)));
}

TEST_F(SpoiledRing, MoreBytesThanASlotHasClosesTheReader) {
  writer_->Publish(*writer_->TryReserve(), 8);
  memory_->filled().entries[0].bytes = 257;
  EXPECT_FALSE(reader_->TryTake().has_value());
  EXPECT_TRUE(reader_->closed());
}

TEST_F(SpoiledRing, AnImpossibleCountClosesEitherSide) {
  memory_->filled().pushed = 1000;
  EXPECT_FALSE(reader_->TryTake().has_value());
  EXPECT_TRUE(reader_->closed());
  memory_->freed().pushed = ~uint64_t{0};
  EXPECT_FALSE(writer_->TryReserve().has_value());
  EXPECT_TRUE(writer_->closed());
}

TEST_F(SpoiledRing, FreeingWhatTheReaderNeverHadClosesTheWriter) {
  memory_->freed().entries[0].slot = 2;
  memory_->freed().pushed = 1;
  EXPECT_FALSE(writer_->TryReserve().has_value());
  EXPECT_TRUE(writer_->closed());
}

TEST_F(SpoiledRing, RandomDamageNeverCrashes) {
  SeededSequence random(11);
  for (int round = 0; round < 300; ++round) {
    writer_.reset();
    reader_.reset();
    SetUp();
    for (int step = 0; step < 40; ++step) {
      SlotQueue& queue = random.Below(2) == 0 ? memory_->filled() : memory_->freed();
      if (random.Below(8) == 0) queue.pushed = queue.pushed + random.Below(3);
      if (random.Below(4) == 0) {
        queue.entries[random.Below(8)].slot = static_cast<uint32_t>(random.Below(6));
      }
      if (const auto slot = writer_->TryReserve()) writer_->Publish(*slot, random.Below(257));
      if (const auto slot = reader_->TryTake()) {
        std::memset(slot->bytes.data(), 1, slot->bytes.size());
        reader_->Release(*slot);
      }
    }
  }
}

TEST(RingAcceptor, WhoSaysNothingInTimeIsHungUpOn) {
  ScratchDirectory directory;
  env::AsioLoop loop;
  RingHandover handover(loop, Milliseconds(20));
  auto acceptor = handover.Listen(
      directory.Path("ring"), [](const Hello&) { return OkStatus(); },
      [](std::unique_ptr<Reader>) {});
  ASSERT_TRUE(acceptor.ok());
  auto silent = ConnectTo(directory.Path("ring"));
  ASSERT_TRUE(silent.ok());
  EXPECT_TRUE(loop.RunUntil([&] { return !ReceivePacket(silent->get()).ok(); }, Seconds(30)));
}

TEST(RingAcceptor, WhoSpeaksNonsenseIsToldSo) {
  ScratchDirectory directory;
  env::AsioLoop loop;
  RingHandover handover(loop);
  auto acceptor = handover.Listen(
      directory.Path("ring"), [](const Hello&) { return OkStatus(); },
      [](std::unique_ptr<Reader>) {});
  ASSERT_TRUE(acceptor.ok());
  auto stranger = ConnectTo(directory.Path("ring"));
  ASSERT_TRUE(stranger.ok());
  ASSERT_TRUE(SendPacket(stranger->get(), "GET / HTTP/1.1").ok());
  std::optional<Packet> answer;
  ASSERT_TRUE(loop.RunUntil(
      [&] {
        auto packet = ReceivePacket(stranger->get());
        if (packet.ok()) answer = std::move(*packet);
        return answer.has_value();
      },
      Seconds(30)));
  auto frame = DecodeFrame(answer->bytes);
  ASSERT_TRUE(frame.ok());
  EXPECT_EQ(frame->kind, FrameKind::kRefused);
  EXPECT_EQ(frame->refusal.code(), StatusCode::kDataLoss);
}

TEST(RingAcceptor, ReplacesTheSocketOfADeadProcess) {
  ScratchDirectory directory;
  { auto left_behind = ListenAt(directory.Path("ring")); }
  env::AsioLoop loop;
  RingHandover handover(loop);
  auto acceptor = handover.Listen(
      directory.Path("ring"), [](const Hello&) { return OkStatus(); },
      [](std::unique_ptr<Reader>) {});
  EXPECT_TRUE(acceptor.ok()) << acceptor.status().ToString();
}

}  // namespace
}  // namespace primus::handover

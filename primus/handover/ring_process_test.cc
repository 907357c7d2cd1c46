// A ring between two processes: this binary starts itself as the other side, and either side is
// killed with SIGKILL.
#include <gtest/gtest.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

#include "primus/handover/ring.h"
#include "primus/handover/scratch_directory.h"

namespace primus::handover {
namespace {

constexpr Duration kLimit = Seconds(60);
constexpr ChannelOptions kChannel{.slots = 4, .slot_bytes_max = 4096};

Status AdmitAll(const Hello& /*hello*/) { return OkStatus(); }

// The other process as writer: publishes a batch, then lives until it is killed.
int WriteAndStay(const std::string& path) {
  env::AsioLoop loop;
  RingHandover handover(loop);
  std::unique_ptr<Writer> writer;
  handover.Connect(path, {}, kChannel, [&](Result<std::unique_ptr<Writer>> result) {
    if (!result.ok()) return loop.Stop();
    writer = std::move(*result);
    const std::optional<Slot> slot = writer->TryReserve();
    std::memcpy(slot->bytes.data(), "from afar", 9);
    writer->Publish(*slot, 9);
  });
  loop.Run();
  return 1;
}

// The other process as reader: takes all there is and keeps it until it is killed.
int TakeAndStay(const std::string& path) {
  env::AsioLoop loop;
  RingHandover handover(loop);
  std::unique_ptr<Reader> reader;
  auto acceptor = handover.Listen(path, AdmitAll, [&](std::unique_ptr<Reader> accepted) {
    reader = std::move(accepted);
    const auto take = [&] {
      while (reader->TryTake()) {
      }
    };
    reader->Observe(take, [] {});
    take();
  });
  if (!acceptor.ok()) return 1;
  loop.Run();
  return 1;
}

class OtherProcess {
 public:
  OtherProcess(std::string side, std::string path) {
    char self[] = "/proc/self/exe";
    char* arguments[] = {self, side.data(), path.data(), nullptr};
    EXPECT_EQ(::posix_spawn(&pid_, self, nullptr, nullptr, arguments, nullptr), 0);
  }
  ~OtherProcess() { Kill(); }
  OtherProcess(const OtherProcess&) = delete;
  OtherProcess& operator=(const OtherProcess&) = delete;
  void Kill() {
    if (pid_ == 0) return;
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
    pid_ = 0;
  }

 private:
  pid_t pid_ = 0;
};

int OpenDescriptors() {
  int count = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
    ++count;
  }
  return count;
}

// The loop keeps descriptors of its own from its first watch on.
void LetTheLoopOpenItsOwn(RingHandover& handover, const std::string& path) {
  EXPECT_TRUE(handover.Listen(path, AdmitAll, [](std::unique_ptr<Reader>) {}).ok());
}

bool RingIsMapped() {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    if (line.find("primus-ring") != std::string::npos) return true;
  }
  return false;
}

TEST(RingBetweenProcesses, AKilledWriterFreesTheReader) {
  ScratchDirectory directory;
  env::AsioLoop loop;
  RingHandover handover(loop);
  LetTheLoopOpenItsOwn(handover, directory.Path("ring"));
  const int before = OpenDescriptors();
  std::unique_ptr<Reader> reader;
  auto acceptor =
      handover.Listen(directory.Path("ring"), AdmitAll,
                      [&](std::unique_ptr<Reader> accepted) { reader = std::move(accepted); });
  ASSERT_TRUE(acceptor.ok());
  OtherProcess writer("--write", directory.Path("ring"));
  ASSERT_TRUE(loop.RunUntil([&] { return reader != nullptr; }, kLimit));
  bool closed = false;
  reader->Observe([] {}, [&] { closed = true; });
  std::optional<Slot> slot;
  ASSERT_TRUE(loop.RunUntil([&] { return (slot = reader->TryTake()).has_value(); }, kLimit));
  writer.Kill();
  ASSERT_TRUE(loop.RunUntil([&] { return closed; }, kLimit));
  EXPECT_EQ(std::memcmp(slot->bytes.data(), "from afar", 9), 0) << "what was taken is still there";
  EXPECT_TRUE(RingIsMapped());
  reader.reset();
  acceptor->reset();
  EXPECT_FALSE(RingIsMapped());
  EXPECT_EQ(OpenDescriptors(), before);
}

TEST(RingBetweenProcesses, AKilledReaderFreesTheWriter) {
  ScratchDirectory directory;
  env::AsioLoop loop;
  RingHandover handover(loop);
  LetTheLoopOpenItsOwn(handover, directory.Path("ring"));
  const int before = OpenDescriptors();
  OtherProcess reader("--take", directory.Path("ring"));
  std::unique_ptr<Writer> writer;
  const std::function<void(Result<std::unique_ptr<Writer>>)> connected =
      [&](Result<std::unique_ptr<Writer>> result) {
        if (result.ok()) {
          writer = std::move(*result);
        } else {  // it does not listen yet
          handover.Connect(directory.Path("ring"), {}, kChannel, connected);
        }
      };
  handover.Connect(directory.Path("ring"), {}, kChannel, connected);
  ASSERT_TRUE(loop.RunUntil([&] { return writer != nullptr; }, kLimit));
  bool closed = false;
  writer->Observe([] {}, [&] { closed = true; });
  while (const std::optional<Slot> slot = writer->TryReserve()) writer->Publish(*slot, 1);
  reader.Kill();
  ASSERT_TRUE(loop.RunUntil([&] { return closed; }, kLimit));
  EXPECT_FALSE(writer->TryReserve().has_value());
  writer.reset();
  EXPECT_FALSE(RingIsMapped());
  EXPECT_EQ(OpenDescriptors(), before);
}

}  // namespace

int RunOtherSide(const std::string& side, const std::string& path) {
  return side == "--write" ? WriteAndStay(path) : TakeAndStay(path);
}

}  // namespace primus::handover

int main(int argc, char** argv) {
  if (argc == 3) return primus::handover::RunOtherSide(argv[1], argv[2]);
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}

#include "primus/rpc/grpc_network.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>

#include "primus/env/asio_loop.h"
#include "primus/rpc/network_conformance.h"
#include "primus/telemetry/catalog.h"

namespace primus::rpc {
namespace {

// A new folder, removed with what is in it.
class SocketFolder {
 public:
  SocketFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "primus-rpc-XXXXXX").string();
    const char* made = ::mkdtemp(name.data());
    EXPECT_NE(made, nullptr);
    path_ = name;
  }
  ~SocketFolder() { std::filesystem::remove_all(path_); }
  std::string Path(const std::string& name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

class GrpcWorld {
 public:
  env::EventLoop& loop() { return loop_; }
  Network& ServerNetwork() { return server_; }
  Network& ClientNetwork() { return client_; }
  Address NewAddress() { return "unix:" + folder_.Path("peer.sock"); }
  bool RunUntil(const std::function<bool()>& holds) { return loop_.RunUntil(holds, Seconds(60)); }

 private:
  SocketFolder folder_;
  env::AsioLoop loop_;
  telemetry::Registry metrics_;
  GrpcNetwork server_{loop_, metrics_};
  GrpcNetwork client_{loop_, metrics_};
};

INSTANTIATE_TYPED_TEST_SUITE_P(Grpc, NetworkCalls, GrpcWorld);
INSTANTIATE_TYPED_TEST_SUITE_P(Grpc, NetworkPeers, GrpcWorld);

class GrpcNetworkTest : public ::testing::Test {
 protected:
  static void Echo(std::string_view, Frame request, ReplyFrame reply) { reply(std::move(request)); }

  Result<Frame> Call(Network& network, Frame request) {
    const auto connection = network.Connect(address_);
    std::optional<Result<Frame>> answer;
    connection->Call("test.Echo/Say", std::move(request), Seconds(20),
                     [&](Result<Frame> result) { answer = std::move(result); });
    EXPECT_TRUE(loop_.RunUntil([&] { return answer.has_value(); }, Seconds(60)));
    return answer.has_value() ? *std::move(answer) : InternalError("the call never ended");
  }

  SocketFolder folder_;
  std::string path_ = folder_.Path("peer.sock");
  Address address_ = "unix:" + path_;
  env::AsioLoop loop_;
  telemetry::Registry metrics_;
};

TEST_F(GrpcNetworkTest, ReplacesASocketThatNobodyListensOn) {
  const int fd = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_un name{};
  name.sun_family = AF_UNIX;
  std::ranges::copy(path_, name.sun_path);
  ASSERT_EQ(::bind(fd, reinterpret_cast<const sockaddr*>(&name), sizeof(name)), 0);
  ::close(fd);
  GrpcNetwork network(loop_, metrics_);
  const auto listener = network.Listen(address_, Echo);
  ASSERT_TRUE(listener.ok()) << listener.status().ToString();
  EXPECT_TRUE(Call(network, {.message = "x"}).ok());
}

TEST_F(GrpcNetworkTest, LeavesAFileThatIsNoSocket) {
  std::ofstream(path_) << "text";
  GrpcNetwork network(loop_, metrics_);
  const Status status = network.Listen(address_, Echo).status();
  EXPECT_EQ(status.code(), StatusCode::kAlreadyExists);
  EXPECT_EQ(std::filesystem::file_size(path_), 4U);
}

TEST_F(GrpcNetworkTest, GivesTheSocketToItsOwnerAloneAndTakesItAway) {
  GrpcNetwork network(loop_, metrics_);
  {
    const auto listener = network.Listen(address_, Echo);
    ASSERT_TRUE(listener.ok());
    struct stat file {};
    ASSERT_EQ(::stat(path_.c_str(), &file), 0);
    EXPECT_EQ(file.st_mode & 0777U, 0600U);
  }
  EXPECT_FALSE(std::filesystem::exists(path_));
}

TEST_F(GrpcNetworkTest, RefusesAPathThatIsTooLongAndOtherAddresses) {
  GrpcNetwork network(loop_, metrics_);
  address_ = "unix:/" + std::string(107, 'x');
  const Status status = network.Listen(address_, Echo).status();
  EXPECT_EQ(status.code(), StatusCode::kInvalidArgument);
  EXPECT_NE(status.message().find(address_.substr(5)), std::string::npos) << status.ToString();
  EXPECT_EQ(Call(network, {}).status().code(), StatusCode::kInvalidArgument);
  address_ = "inproc:x";
  EXPECT_EQ(network.Listen(address_, Echo).status().code(), StatusCode::kInvalidArgument);
  address_ = "unix:" + folder_.Path("absent/peer.sock");
  EXPECT_EQ(network.Listen(address_, Echo).status().code(), StatusCode::kNotFound);
}

TEST_F(GrpcNetworkTest, RefusesAnotherProtocolAndBuildNamingBoth) {
  GrpcNetwork server(loop_, metrics_, {.protocol = 7, .build = "1.0+abc"});
  const auto listener = server.Listen(address_, Echo);
  ASSERT_TRUE(listener.ok());
  GrpcNetwork other_protocol(loop_, metrics_, {.protocol = 8});
  Status status = Call(other_protocol, {}).status();
  EXPECT_EQ(status.code(), StatusCode::kUnimplemented);
  EXPECT_NE(status.message().find("protocol 7"), std::string::npos) << status.ToString();
  EXPECT_NE(status.message().find("protocol 8"), std::string::npos) << status.ToString();
  GrpcNetwork other_build(loop_, metrics_, {.protocol = 7, .build = "1.0+def"});
  status = Call(other_build, {}).status();
  EXPECT_EQ(status.code(), StatusCode::kUnimplemented);
  EXPECT_NE(status.message().find("1.0+abc"), std::string::npos) << status.ToString();
  EXPECT_NE(status.message().find("1.0+def"), std::string::npos) << status.ToString();
  GrpcNetwork no_build(loop_, metrics_, {.protocol = 7});
  EXPECT_TRUE(Call(no_build, {}).ok());
}

TEST_F(GrpcNetworkTest, RefusesFramesThatAreTooLargeOnBothSides) {
  GrpcNetwork small(loop_, metrics_, {.frame_bytes_max = 1000});
  GrpcNetwork large(loop_, metrics_);
  const auto listener =
      small.Listen(address_, [](std::string_view, Frame request, ReplyFrame reply) {
        request.payload += request.payload;
        reply(std::move(request));
      });
  ASSERT_TRUE(listener.ok());
  EXPECT_TRUE(Call(large, {.payload = std::string(500, 'x')}).ok());
  // The sender's own limit, the receiver's, and the answer's.
  for (const auto& [network, bytes] :
       {std::pair<Network*, std::size_t>{&small, 1001}, {&large, 1001}, {&large, 600}}) {
    EXPECT_EQ(Call(*network, {.payload = std::string(bytes, 'x')}).status().code(),
              StatusCode::kResourceExhausted);
  }
}

TEST_F(GrpcNetworkTest, CountsWhatArrives) {
  GrpcNetwork network(loop_, metrics_);
  const auto listener = network.Listen(address_, Echo);
  ASSERT_TRUE(listener.ok());
  ASSERT_TRUE(Call(network, {.payload = std::string(100, 'x')}).ok());
  EXPECT_EQ(metrics_.Get(telemetry::kRpcReceivedFrames).Get(), 2U);
  EXPECT_EQ(metrics_.Get(telemetry::kRpcReceivedBytes).Get(), 2U * (kHeaderBytes + 100));
  EXPECT_EQ(metrics_.Get(telemetry::kRpcRefusedFrames).Get(), 0U);
  EXPECT_EQ(metrics_.Get(telemetry::kRpcOpenCalls).Get(), 0);
}

TEST_F(GrpcNetworkTest, MayGoBeforeItsListenersAndConnections) {
  auto network = std::make_unique<GrpcNetwork>(loop_, metrics_);
  auto listener = network->Listen(address_, Echo);
  ASSERT_TRUE(listener.ok());
  const auto connection = network->Connect(address_);
  network.reset();
  std::optional<Result<Frame>> answer;
  connection->Call("m", {.message = "x"}, Seconds(20),
                   [&](Result<Frame> result) { answer = std::move(result); });
  ASSERT_TRUE(loop_.RunUntil([&] { return answer.has_value(); }, Seconds(60)));
  EXPECT_TRUE(answer->ok()) << answer->status().ToString();
}

}  // namespace
}  // namespace primus::rpc

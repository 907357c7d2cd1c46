// The writer's half of the handshake: one attempt to connect.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "primus/handover/handshake.h"
#include "primus/handover/ring_channel.h"

namespace primus::handover {

class RingConnect {
 public:
  using Done = std::function<void(Result<std::unique_ptr<Writer>>)>;
  struct Options {
    std::string address;
    Hello hello;
    ChannelOptions channel;
    Duration timeout{0};
  };
  // `done` once, from the loop; it may destroy this. An error: it will never be called.
  static Result<std::unique_ptr<RingConnect>> Start(env::AsioLoop& loop, Options options,
                                                    Done done);

 private:
  RingConnect(env::AsioLoop& loop, const Options& options, Done done);
  void OnFrame(const RingFrame& frame);
  Status SendMemory();
  Result<std::unique_ptr<Writer>> MakeWriter();
  void Finish(Result<std::unique_ptr<Writer>> result);

  env::AsioLoop& loop_;
  const RingShape shape_;
  Done done_;
  std::unique_ptr<Handshake> handshake_;
  std::optional<RingMemory> memory_;
  UniqueFd reader_bell_;
  UniqueFd writer_bell_;
};

}  // namespace primus::handover

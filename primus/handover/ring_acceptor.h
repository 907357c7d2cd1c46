// The reader's half: listens, and carries each handshake through to a RingReader.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "primus/handover/handover.h"
#include "primus/handover/handshake.h"
#include "primus/handover/ring_channel.h"

namespace primus::handover {

class RingAcceptor final : public Acceptor {
 public:
  using OnReader = std::function<void(std::unique_ptr<Reader>)>;
  static Result<std::unique_ptr<RingAcceptor>> Create(env::AsioLoop& loop, std::string address,
                                                      Duration timeout);
  ~RingAcceptor() override;
  RingAcceptor(const RingAcceptor&) = delete;
  RingAcceptor& operator=(const RingAcceptor&) = delete;

  // Call once, before the loop runs on.
  void Serve(Admit admit, OnReader on_reader);

 private:
  struct Pending {
    std::unique_ptr<Handshake> handshake;
    bool admitted = false;
    Hello hello;
  };

  RingAcceptor(env::AsioLoop& loop, std::string address, Duration timeout);
  void OnConnection();
  void Begin(UniqueFd socket);
  void OnFrame(uint64_t id, const RingFrame& frame, std::vector<UniqueFd> fds);
  Result<std::unique_ptr<Reader>> MakeReader(Pending& pending, const RingFrame& frame,
                                             std::vector<UniqueFd> fds);
  void Refuse(uint64_t id, const Status& reason);

  env::AsioLoop& loop_;
  const std::string address_;
  const Duration timeout_;
  Admit admit_;
  OnReader on_reader_;
  UniqueFd listener_;
  std::unique_ptr<env::Watch> watch_;
  std::map<uint64_t, Pending> pending_;
  uint64_t ids_ = 0;
};

}  // namespace primus::handover

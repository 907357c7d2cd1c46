// The fixture of the hand-over's conformance suite (handover_conformance.h): a writer and a reader
// of one World.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "primus/handover/handover.h"

namespace primus::handover {

template <class World>
class HandoverConformance : public ::testing::Test {
 protected:
  void Listen() {
    auto acceptor = world_.reading().Listen(
        world_.address(),
        [this](const Hello& hello) {
          return hello.build == "bad" ? FailedPreconditionError("not this build") : OkStatus();
        },
        [this](std::unique_ptr<Reader> reader) { readers_.push_back(std::move(reader)); });
    ASSERT_TRUE(acceptor.ok()) << acceptor.status().ToString();
    acceptor_ = std::move(*acceptor);
  }

  void Connect(std::string build = "good") {
    const Hello hello{.protocol = 1,
                      .build = std::move(build),
                      .schema = 77,
                      .writer = 5,
                      .reader = 6,
                      .flow = {2, 9, 0}};
    world_.writing().Connect(world_.address(), hello, {.slots = 3, .slot_bytes_max = 4096},
                             [this](Result<std::unique_ptr<Writer>> writer) {
                               outcome_ = writer.status();
                               if (writer.ok()) writer_ = std::move(*writer);
                             });
  }

  // A channel with reader() and writer_.
  void Open() {
    Listen();
    Connect();
    ASSERT_TRUE(world_.RunUntil([this] { return writer_ && readers_.size() == 1; }));
  }

  void Publish(std::string_view text) {
    const std::optional<Slot> slot = writer_->TryReserve();
    ASSERT_TRUE(slot.has_value());
    std::memcpy(slot->bytes.data(), text.data(), text.size());
    writer_->Publish(*slot, text.size());
  }

  // Runs until a slot can be taken.
  std::optional<Slot> Take() {
    std::optional<Slot> slot;
    world_.RunUntil([&] {
      slot = reader()->TryTake();
      return slot.has_value();
    });
    return slot;
  }

  static std::string TextOf(const Slot& slot) {
    return {reinterpret_cast<const char*>(slot.bytes.data()), slot.bytes.size()};
  }
  std::unique_ptr<Reader>& reader() { return readers_.front(); }

  World world_;
  std::unique_ptr<Acceptor> acceptor_;
  std::unique_ptr<Writer> writer_;
  std::vector<std::unique_ptr<Reader>> readers_;
  std::optional<Status> outcome_;
};

}  // namespace primus::handover

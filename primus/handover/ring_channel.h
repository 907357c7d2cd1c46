// The two ends of a ring as Writer and Reader. Whatever the peer left in shared memory is checked
// against what this end knows of each slot; a peer that breaks the rules closes the channel.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "primus/handover/handover.h"
#include "primus/handover/ring_end.h"
#include "primus/handover/ring_memory.h"

namespace primus::handover {

class RingWriter final : public Writer {
 public:
  RingWriter(RingMemory memory, std::unique_ptr<RingEnd> end);
  std::optional<Slot> TryReserve() override;
  void Publish(const Slot& slot, uint64_t bytes_used) override;
  uint64_t slot_bytes_max() const override { return memory_.shape().slot_bytes; }
  bool closed() const override { return end_->closed(); }
  void Observe(std::function<void()> on_credit, std::function<void()> on_closed) override;

 private:
  enum class State { kFree, kReserved, kWithReader };
  // Takes back what the reader freed.
  Status Collect();

  RingMemory memory_;
  std::unique_ptr<RingEnd> end_;
  SlotProducer filled_;
  SlotConsumer freed_;
  std::vector<State> slots_;
};

class RingReader final : public Reader {
 public:
  RingReader(RingMemory memory, std::unique_ptr<RingEnd> end, Hello hello);
  std::optional<Slot> TryTake() override;
  void Release(const Slot& slot) override;
  bool closed() const override { return end_->closed(); }
  const Hello& hello() const override { return hello_; }
  void Observe(std::function<void()> on_ready, std::function<void()> on_closed) override;

 private:
  Result<std::optional<Slot>> Pop();

  RingMemory memory_;
  std::unique_ptr<RingEnd> end_;
  const Hello hello_;
  SlotConsumer filled_;
  SlotProducer freed_;
  std::vector<bool> taken_;
};

}  // namespace primus::handover

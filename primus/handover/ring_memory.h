// The shared memory of a ring: a control block, then the slots.
//
// A memfd, sealed against growing and shrinking and allocated in full, so that neither end can be
// killed by touching it. Two queues of slot numbers are in the control block: filled (writer to
// reader) and freed (reader to writer). A slot number is in one place at a time, so a queue never
// holds more than all slots. Each end believes nothing that it reads here: numbers are checked
// against what it knows of each slot.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "primus/base/result.h"
#include "primus/handover/unix_packet.h"

namespace primus::handover {

inline constexpr uint32_t kRingSlotsMax = 64;
inline constexpr uint64_t kRingBytesMax = uint64_t{4} << 30;

struct RingShape {
  uint32_t slots = 0;
  uint64_t slot_bytes = 0;  // a multiple of 64
};
// kInvalidArgument when no ring has this shape.
Status CheckShape(const RingShape& shape);

// One direction; in shared memory.
struct SlotQueue {
  struct Entry {
    std::atomic<uint32_t> slot;
    std::atomic<uint64_t> bytes;
  };
  alignas(64) std::atomic<uint64_t> pushed;    // entries ever
  alignas(64) std::atomic<uint32_t> sleeping;  // the consumer waits for its doorbell
  alignas(64) Entry entries[kRingSlotsMax];
};
static_assert(std::atomic<uint64_t>::is_always_lock_free);

struct SlotEntry {
  uint32_t slot = 0;
  uint64_t bytes = 0;
};

// The end that pushes. True from Push: the consumer sleeps, ring its doorbell.
class SlotProducer {
 public:
  explicit SlotProducer(SlotQueue& queue) : queue_(&queue) {}
  [[nodiscard]] bool Push(const SlotEntry& entry);

 private:
  SlotQueue* queue_;
  uint64_t pushed_ = 0;
};

// The end that pops.
class SlotConsumer {
 public:
  explicit SlotConsumer(SlotQueue& queue) : queue_(&queue) {}
  // kDataLoss when the count in shared memory is impossible.
  Result<std::optional<SlotEntry>> TryPop();
  // Asks for the doorbell. False when something has come already: pop again.
  [[nodiscard]] bool Sleep();

 private:
  SlotQueue* queue_;
  uint64_t popped_ = 0;
};

class RingMemory {
 public:
  static Result<RingMemory> Create(const RingShape& shape);
  // Maps what a peer made; kInvalidArgument when it is not sealed or has another size.
  static Result<RingMemory> Map(UniqueFd fd, const RingShape& shape);
  ~RingMemory();
  RingMemory(RingMemory&& other) noexcept;
  RingMemory& operator=(RingMemory&&) = delete;

  const RingShape& shape() const { return shape_; }
  int fd() const { return fd_.get(); }
  std::span<std::byte> slot(uint32_t index) const;
  SlotQueue& filled() const { return control()->filled; }
  SlotQueue& freed() const { return control()->freed; }

 private:
  struct Control {
    SlotQueue filled;
    SlotQueue freed;
  };
  RingMemory(UniqueFd fd, const RingShape& shape, std::byte* base)
      : fd_(std::move(fd)), shape_(shape), base_(base) {}
  static uint64_t ControlBytes();
  static uint64_t TotalBytes(const RingShape& shape);
  static Result<RingMemory> MapChecked(UniqueFd fd, const RingShape& shape);
  Control* control() const { return reinterpret_cast<Control*>(base_); }

  UniqueFd fd_;
  RingShape shape_;
  std::byte* base_;
};

}  // namespace primus::handover

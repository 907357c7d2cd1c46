// Hand-over of minibatches from an executor to a trainer: slots that the writer fills in place and
// the reader views without a copy.
//
// A channel belongs to one pair of incarnations and one flow (the stamp at which the data flow
// was last reset); it has a fixed number of slots of a fixed size. A slot is free, reserved (being
// filled), published (in order) or taken. Each side learns on its loop when there is something to
// do, and when the other is gone; then the channel is closed for good, and everything in it freed.
// Implementations: ring.h (memfd over a Unix socket) and the simulator's. Loop thread only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "primus/base/ids.h"
#include "primus/base/result.h"

namespace primus::handover {

// Who speaks, checked by the reader before it accepts. A mismatch of protocol, build or schema is
// refused with a Status that names both.
struct Hello {
  uint32_t protocol = 1;
  std::string build;
  uint64_t schema = 0;  // hash of the feature layout
  Incarnation writer = 0;
  Incarnation reader = 0;
  Stamp flow;  // attempt and view of the last reset; cut is 0
};

struct ChannelOptions {
  uint32_t slots = 8;
  uint64_t slot_bytes_max = 1 << 20;
};

struct Slot {
  uint32_t index = 0;
  std::span<std::byte> bytes;  // 64-byte aligned; the whole slot for a writer
};

class Writer {
 public:
  virtual ~Writer() = default;  // closes the channel; what was published and not taken is gone
  // A free slot, or nothing when the reader holds all (no credit).
  virtual std::optional<Slot> TryReserve() = 0;
  // Hands `bytes_used` bytes of a reserved slot over. Slots arrive in the order of Publish.
  virtual void Publish(const Slot& slot, uint64_t bytes_used) = 0;
  virtual uint64_t slot_bytes_max() const = 0;
  virtual bool closed() const = 0;
  // `on_credit` after slots became free, at least when TryReserve had found none; `on_closed` once,
  // when the reader is gone. Both come from the loop and may destroy the writer.
  virtual void Observe(std::function<void()> on_credit, std::function<void()> on_closed) = 0;
};

class Reader {
 public:
  virtual ~Reader() = default;  // closes the channel
  // The next published slot, its bytes as used. It stays valid until Release or destruction.
  virtual std::optional<Slot> TryTake() = 0;
  virtual void Release(const Slot& slot) = 0;
  virtual bool closed() const = 0;
  virtual const Hello& hello() const = 0;
  // `on_ready` after slots were published, at least when TryTake had found none (take until there
  // are none); `on_closed` once, when the writer is gone. Both come from the loop and may destroy
  // the reader.
  virtual void Observe(std::function<void()> on_ready, std::function<void()> on_closed) = 0;
};

// Decides over a writer's Hello: OK to accept.
using Admit = std::function<Status(const Hello&)>;

class Acceptor {
 public:
  virtual ~Acceptor() = default;  // stops listening; accepted readers live on
};

class Handover {
 public:
  virtual ~Handover() = default;
  virtual Result<std::unique_ptr<Acceptor>> Listen(
      const std::string& address, Admit admit,
      std::function<void(std::unique_ptr<Reader>)> on_reader) = 0;
  // `done` on the loop, later, with a writer or the reason of the refusal.
  virtual void Connect(const std::string& address, const Hello& hello,
                       const ChannelOptions& options,
                       std::function<void(Result<std::unique_ptr<Writer>>)> done) = 0;
};

}  // namespace primus::handover

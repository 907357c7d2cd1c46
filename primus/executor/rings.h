// The rings to the trainers of the view: which to open, and whose turn the next batch is.
//
// Pure. One ring a trainer, in the order of replica ids. A ring that could not be opened is
// tried again after a back-off. One that breaks after batches went into it is not: rows are lost
// with it, so either the master resets the flow soon, or this replica must end, so that its tasks
// are leased again (Overdue).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "primus/base/ids.h"
#include "primus/base/status.h"
#include "primus/base/time.h"
#include "primus/batch/minibatch.h"

namespace primus::executor {

struct Trainer {
  ReplicaId replica;
  Incarnation incarnation = 0;
  std::string address;  // of its hand-over
};

// How training batches are dealt out.
enum class Turn {
  kByCredit,  // to the next trainer in the round that has a free slot
  kFixed,     // to the next trainer in the round, whatever it has
};

class Rings {
 public:
  using RingId = uint64_t;  // 0 is none; never used twice
  struct Opening {
    RingId ring = 0;
    Trainer trainer;
  };

  explicit Rings(Turn turn) : turn_(turn) {}

  // The trainers of the view are these. Returns the rings to close.
  std::vector<RingId> Align(std::vector<Trainer> trainers, Instant now);
  // Forgets all trainers. Returns the rings to close.
  std::vector<RingId> Clear() { return Align({}, Instant()); }
  // The rings to open now.
  std::vector<Opening> TakeDue(Instant now);

  // What happened to a ring; one that is not of this view any more is ignored.
  void Opened(RingId ring);
  void Broken(RingId ring, Instant now);
  void Reserved(RingId ring);  // a slot is in hand
  void Sent(RingId ring);      // the slot in hand is used

  // Where the next batch goes, if there is a slot for it. A progressive phase has one trainer.
  std::optional<RingId> Next(batch::Purpose purpose) const;

  // kUnavailable when rows are lost with a ring and no new flow came in time.
  Status Overdue(Instant now) const;
  std::optional<Instant> next_wake() const;

 private:
  enum class State { kClosed, kOpening, kOpen, kLost };
  struct Ring {
    Trainer trainer;
    State state = State::kClosed;
    RingId id = 0;
    bool reserved = false;
    bool used = false;
    Duration back_off{0};
    Instant at;  // kClosed: when to open; kLost: when patience ends
  };

  Ring* Find(RingId ring);

  const Turn turn_;
  std::vector<Ring> rings_;
  RingId ids_ = 0;
  ReplicaId last_;  // the trainer of the last batch
};

}  // namespace primus::executor

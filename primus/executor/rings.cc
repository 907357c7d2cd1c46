#include "primus/executor/rings.h"

#include <algorithm>
#include <utility>

namespace primus::executor {
namespace {

constexpr Duration kBackOffFirst = Milliseconds(10);
constexpr Duration kBackOffMax = Seconds(1);
// Longer than silence is found in, so that the master's own reset comes first.
constexpr Duration kPatience = Seconds(20);

}  // namespace

std::vector<Rings::RingId> Rings::Align(std::vector<Trainer> trainers, Instant now) {
  std::sort(trainers.begin(), trainers.end(),
            [](const Trainer& a, const Trainer& b) { return a.replica < b.replica; });
  std::vector<Ring> old = std::exchange(rings_, {});
  for (Trainer& trainer : trainers) {
    const auto kept = std::find_if(old.begin(), old.end(), [&](const Ring& ring) {
      return ring.trainer.incarnation == trainer.incarnation;
    });
    if (kept != old.end()) {
      rings_.push_back(std::move(*kept));
      old.erase(kept);
      continue;
    }
    Ring& fresh = rings_.emplace_back();
    fresh.trainer = std::move(trainer);
    fresh.at = now;
  }
  std::vector<RingId> closed;
  for (const Ring& ring : old) {
    if (ring.id != 0) closed.push_back(ring.id);
  }
  return closed;
}

std::vector<Rings::Opening> Rings::TakeDue(Instant now) {
  std::vector<Opening> openings;
  for (Ring& ring : rings_) {
    if (ring.state != State::kClosed || ring.at > now) continue;
    ring.state = State::kOpening;
    ring.id = ++ids_;
    openings.push_back({.ring = ring.id, .trainer = ring.trainer});
  }
  return openings;
}

void Rings::Opened(RingId id) {
  Ring* ring = Find(id);
  if (ring == nullptr) return;
  ring->state = State::kOpen;
  ring->back_off = Duration(0);
}

void Rings::Broken(RingId id, Instant now) {
  Ring* ring = Find(id);
  if (ring == nullptr) return;
  ring->id = 0;
  ring->reserved = false;
  if (ring->used) {
    ring->state = State::kLost;
    ring->at = now + kPatience;
    return;
  }
  ring->state = State::kClosed;
  ring->back_off = std::clamp(ring->back_off * 2, kBackOffFirst, kBackOffMax);
  ring->at = now + ring->back_off;
}

void Rings::Reserved(RingId id) {
  Ring* ring = Find(id);
  if (ring != nullptr) ring->reserved = true;
}

void Rings::Sent(RingId id) {
  Ring* ring = Find(id);
  if (ring == nullptr) return;
  ring->reserved = false;
  ring->used = true;
  last_ = ring->trainer.replica;
}

std::optional<Rings::RingId> Rings::Next(batch::Purpose purpose) const {
  if (rings_.empty()) return std::nullopt;
  const auto after_last = std::upper_bound(
      rings_.begin(), rings_.end(), last_,
      [](const ReplicaId& id, const Ring& ring) { return id < ring.trainer.replica; });
  std::size_t at = static_cast<std::size_t>(after_last - rings_.begin());
  std::size_t candidates = rings_.size();
  if (purpose == batch::Purpose::kProgressive) {
    at = 0;
    candidates = 1;
  } else if (turn_ == Turn::kFixed) {
    candidates = 1;
  }
  for (std::size_t i = 0; i < candidates; ++i) {
    const Ring& ring = rings_[(at + i) % rings_.size()];
    if (ring.reserved) return ring.id;
  }
  return std::nullopt;
}

Status Rings::Overdue(Instant now) const {
  for (const Ring& ring : rings_) {
    if (ring.state != State::kLost || ring.at > now) continue;
    return UnavailableError("the ring to " + ToString(ring.trainer.replica) +
                            " broke with batches in it, and the master did not reset the flow");
  }
  return OkStatus();
}

std::optional<Instant> Rings::next_wake() const {
  std::optional<Instant> wake;
  for (const Ring& ring : rings_) {
    if (ring.state != State::kClosed && ring.state != State::kLost) continue;
    wake = wake ? std::min(*wake, ring.at) : ring.at;
  }
  return wake;
}

Rings::Ring* Rings::Find(RingId id) {
  for (Ring& ring : rings_) {
    if (id != 0 && ring.id == id) return &ring;
  }
  return nullptr;
}

}  // namespace primus::executor

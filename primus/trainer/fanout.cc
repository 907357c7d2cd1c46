#include "primus/trainer/fanout.h"

#include <algorithm>

namespace primus::trainer {
namespace {

constexpr Duration kBackOffMin = Milliseconds(20);
constexpr Duration kBackOffMax = Milliseconds(500);
constexpr uint32_t kDoublingsMax = 5;

}  // namespace

void Fanout::Start(std::size_t count, Instant now) {
  peers_.assign(count, Peer{.state = State::kDue, .due = now, .refusals = 0});
}

std::vector<uint32_t> Fanout::TakeDue(Instant now) {
  std::vector<uint32_t> due;
  for (uint32_t ps = 0; ps < peers_.size(); ++ps) {
    if (peers_[ps].state != State::kDue || peers_[ps].due > now) continue;
    peers_[ps].state = State::kSent;
    due.push_back(ps);
  }
  return due;
}

uint32_t Fanout::Refused(uint32_t ps, Instant now) {
  Peer& peer = peers_[ps];
  const uint32_t doublings = std::min(peer.refusals, kDoublingsMax);
  peer.state = State::kDue;
  peer.due = now + std::min(kBackOffMin * (1 << doublings), kBackOffMax);
  return ++peer.refusals;
}

void Fanout::MakeAllDue(Instant now) {
  for (Peer& peer : peers_) {
    if (peer.state == State::kDue) peer.due = now;
    peer.refusals = 0;
  }
}

bool Fanout::done() const {
  return std::ranges::all_of(peers_, [](const Peer& p) { return p.state == State::kDone; });
}

std::optional<Instant> Fanout::next_due() const {
  std::optional<Instant> first;
  for (const Peer& peer : peers_) {
    if (peer.state == State::kDue && (!first || peer.due < *first)) first = peer.due;
  }
  return first;
}

}  // namespace primus::trainer

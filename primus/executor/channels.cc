#include "primus/executor/channels.h"

#include <algorithm>
#include <utility>

namespace primus::executor {
namespace {

constexpr Duration kBackOffFirst = Milliseconds(10);
constexpr Duration kBackOffMax = Seconds(1);
// Longer than silence is found in, so that the master's own reset comes first.
constexpr Duration kPatience = Seconds(20);

}  // namespace

std::vector<Channels::ChannelId> Channels::Align(std::vector<Trainer> trainers, Instant now) {
  std::sort(trainers.begin(), trainers.end(),
            [](const Trainer& a, const Trainer& b) { return a.replica < b.replica; });
  std::vector<Channel> old = std::exchange(channels_, {});
  for (Trainer& trainer : trainers) {
    const auto kept = std::find_if(old.begin(), old.end(), [&](const Channel& channel) {
      return channel.trainer.incarnation == trainer.incarnation;
    });
    if (kept != old.end()) {
      channels_.push_back(std::move(*kept));
      old.erase(kept);
      continue;
    }
    Channel& fresh = channels_.emplace_back();
    fresh.trainer = std::move(trainer);
    fresh.at = now;
  }
  std::vector<ChannelId> closed;
  for (const Channel& channel : old) {
    if (channel.id != 0) closed.push_back(channel.id);
  }
  return closed;
}

std::vector<Channels::Opening> Channels::TakeDue(Instant now) {
  std::vector<Opening> openings;
  for (Channel& channel : channels_) {
    if (channel.state != State::kClosed || channel.at > now) continue;
    channel.state = State::kOpening;
    channel.id = ++ids_;
    openings.push_back({.channel = channel.id, .trainer = channel.trainer});
  }
  return openings;
}

void Channels::Opened(ChannelId id) {
  Channel* channel = Find(id);
  if (channel == nullptr) return;
  channel->state = State::kOpen;
  channel->back_off = Duration(0);
}

void Channels::Broken(ChannelId id, Instant now) {
  Channel* channel = Find(id);
  if (channel == nullptr) return;
  channel->id = 0;
  channel->reserved = false;
  if (channel->used) {
    channel->state = State::kLost;
    channel->at = now + kPatience;
    return;
  }
  channel->state = State::kClosed;
  channel->back_off = std::clamp(channel->back_off * 2, kBackOffFirst, kBackOffMax);
  channel->at = now + channel->back_off;
}

void Channels::Reserved(ChannelId id) {
  Channel* channel = Find(id);
  if (channel != nullptr) channel->reserved = true;
}

void Channels::Sent(ChannelId id) {
  Channel* channel = Find(id);
  if (channel == nullptr) return;
  channel->reserved = false;
  channel->used = true;
  last_ = channel->trainer.replica;
}

std::optional<Channels::ChannelId> Channels::Next(batch::Purpose purpose) const {
  if (channels_.empty()) return std::nullopt;
  const auto after_last = std::upper_bound(
      channels_.begin(), channels_.end(), last_,
      [](const ReplicaId& id, const Channel& channel) { return id < channel.trainer.replica; });
  std::size_t at = static_cast<std::size_t>(after_last - channels_.begin());
  std::size_t candidates = channels_.size();
  if (purpose == batch::Purpose::kProgressive) {
    at = 0;
    candidates = 1;
  } else if (turn_ == Turn::kFixed) {
    candidates = 1;
  }
  for (std::size_t i = 0; i < candidates; ++i) {
    const Channel& channel = channels_[(at + i) % channels_.size()];
    if (channel.reserved) return channel.id;
  }
  return std::nullopt;
}

Status Channels::Overdue(Instant now) const {
  for (const Channel& channel : channels_) {
    if (channel.state != State::kLost || channel.at > now) continue;
    return UnavailableError("the channel to " + ToString(channel.trainer.replica) +
                            " broke with batches in it, and the master did not reset the flow");
  }
  return OkStatus();
}

std::optional<Instant> Channels::next_wake() const {
  std::optional<Instant> wake;
  for (const Channel& channel : channels_) {
    if (channel.state != State::kClosed && channel.state != State::kLost) continue;
    wake = wake ? std::min(*wake, channel.at) : channel.at;
  }
  return wake;
}

Channels::Channel* Channels::Find(ChannelId id) {
  for (Channel& channel : channels_) {
    if (id != 0 && channel.id == id) return &channel;
  }
  return nullptr;
}

}  // namespace primus::executor

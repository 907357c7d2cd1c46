#include "primus/handover/ring_channel.h"

#include <algorithm>
#include <string>

#include "primus/base/check.h"

namespace primus::handover {

RingWriter::RingWriter(RingMemory memory, std::unique_ptr<RingEnd> end)
    : memory_(std::move(memory)),
      end_(std::move(end)),
      filled_(memory_.filled()),
      freed_(memory_.freed()),
      slots_(memory_.shape().slots, State::kFree) {}

std::optional<Slot> RingWriter::TryReserve() {
  do {
    if (end_->closed()) return std::nullopt;
    if (!Collect().ok()) {
      end_->Close();
      return std::nullopt;
    }
    const auto free = std::find(slots_.begin(), slots_.end(), State::kFree);
    if (free == slots_.end()) continue;
    *free = State::kReserved;
    const auto index = static_cast<uint32_t>(free - slots_.begin());
    return Slot{.index = index, .bytes = memory_.slot(index)};
  } while (!freed_.Sleep());
  return std::nullopt;
}

void RingWriter::Publish(const Slot& slot, uint64_t bytes_used) {
  PRIMUS_CHECK(slots_[slot.index] == State::kReserved, "only a reserved slot is published");
  PRIMUS_CHECK(bytes_used <= slot_bytes_max(), "a slot holds what it holds");
  if (end_->closed()) return;
  slots_[slot.index] = State::kWithReader;
  if (filled_.Push({.slot = slot.index, .bytes = bytes_used})) end_->RingPeer();
}

void RingWriter::Observe(std::function<void()> on_credit, std::function<void()> on_closed) {
  end_->Observe(std::move(on_credit), std::move(on_closed));
}

Status RingWriter::Collect() {
  while (true) {
    PRIMUS_ASSIGN(const std::optional<SlotEntry> entry, freed_.TryPop());
    if (!entry) return OkStatus();
    if (entry->slot >= slots_.size() || slots_[entry->slot] != State::kWithReader) {
      return DataLossError("the reader freed slot " + std::to_string(entry->slot) +
                           ", which it does not have");
    }
    slots_[entry->slot] = State::kFree;
  }
}

RingReader::RingReader(RingMemory memory, std::unique_ptr<RingEnd> end, Hello hello)
    : memory_(std::move(memory)),
      end_(std::move(end)),
      hello_(std::move(hello)),
      filled_(memory_.filled()),
      freed_(memory_.freed()),
      taken_(memory_.shape().slots, false) {}

std::optional<Slot> RingReader::TryTake() {
  do {
    if (end_->closed()) return std::nullopt;
    Result<std::optional<Slot>> slot = Pop();
    if (!slot.ok()) {
      end_->Close();
      return std::nullopt;
    }
    if (slot->has_value()) return *slot;
  } while (!filled_.Sleep());
  return std::nullopt;
}

Result<std::optional<Slot>> RingReader::Pop() {
  PRIMUS_ASSIGN(const std::optional<SlotEntry> entry, filled_.TryPop());
  if (!entry) return std::optional<Slot>();
  if (entry->slot >= taken_.size() || taken_[entry->slot] ||
      entry->bytes > memory_.shape().slot_bytes) {
    return DataLossError("the writer published slot " + std::to_string(entry->slot) +
                         ", which it does not have");
  }
  taken_[entry->slot] = true;
  return std::optional<Slot>(
      {.index = entry->slot, .bytes = memory_.slot(entry->slot).first(entry->bytes)});
}

void RingReader::Release(const Slot& slot) {
  PRIMUS_CHECK(taken_[slot.index], "only a taken slot is released");
  taken_[slot.index] = false;
  if (end_->closed()) return;
  if (freed_.Push({.slot = slot.index, .bytes = 0})) end_->RingPeer();
}

void RingReader::Observe(std::function<void()> on_ready, std::function<void()> on_closed) {
  end_->Observe(std::move(on_ready), std::move(on_closed));
  // What was published before anybody looked rings, too.
  if (!end_->closed() && !filled_.Sleep()) end_->RingOwn();
}

}  // namespace primus::handover

#include "primus/handover/ring_memory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <utility>

namespace primus::handover {
namespace {

constexpr uint64_t kPage = 4096;
constexpr int kSeals = F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL;

}  // namespace

Status CheckShape(const RingShape& shape) {
  if (shape.slots == 0 || shape.slots > kRingSlotsMax) {
    return InvalidArgumentError("a ring has 1 to " + std::to_string(kRingSlotsMax) +
                                " slots, not " + std::to_string(shape.slots));
  }
  if (shape.slot_bytes == 0 || shape.slot_bytes % 64 != 0 ||
      shape.slot_bytes > kRingBytesMax / shape.slots) {
    return InvalidArgumentError("a ring of " + std::to_string(shape.slots) +
                                " slots cannot have slots of " + std::to_string(shape.slot_bytes) +
                                " bytes");
  }
  return OkStatus();
}

bool SlotProducer::Push(const SlotEntry& entry) {
  SlotQueue::Entry& to = queue_->entries[pushed_ % kRingSlotsMax];
  to.slot.store(entry.slot, std::memory_order_relaxed);
  to.bytes.store(entry.bytes, std::memory_order_relaxed);
  // Sequentially consistent with Sleep: either it sees this count, or we see that it sleeps.
  queue_->pushed.store(++pushed_, std::memory_order_seq_cst);
  return queue_->sleeping.load(std::memory_order_seq_cst) != 0 &&
         queue_->sleeping.exchange(0, std::memory_order_seq_cst) != 0;
}

Result<std::optional<SlotEntry>> SlotConsumer::TryPop() {
  const uint64_t waiting = queue_->pushed.load(std::memory_order_acquire) - popped_;
  if (waiting == 0) return std::optional<SlotEntry>();
  if (waiting > kRingSlotsMax) return DataLossError("the ring's control block is corrupt");
  const SlotQueue::Entry& from = queue_->entries[popped_ % kRingSlotsMax];
  ++popped_;
  return std::optional<SlotEntry>({.slot = from.slot.load(std::memory_order_relaxed),
                                   .bytes = from.bytes.load(std::memory_order_relaxed)});
}

bool SlotConsumer::Sleep() {
  queue_->sleeping.store(1, std::memory_order_seq_cst);
  if (queue_->pushed.load(std::memory_order_seq_cst) == popped_) return true;
  queue_->sleeping.store(0, std::memory_order_relaxed);
  return false;
}

Result<RingMemory> RingMemory::Create(const RingShape& shape) {
  PRIMUS_TRY(CheckShape(shape));
  UniqueFd fd(::memfd_create("primus-ring", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (!fd.valid()) return ErrnoError("making the memory of a ring", errno);
  const auto bytes = static_cast<off_t>(TotalBytes(shape));
  if (::ftruncate(fd.get(), bytes) != 0) return ErrnoError("sizing the memory of a ring", errno);
  // Now, or the first touch of a page that is not there would kill the process.
  if (const int error = ::posix_fallocate(fd.get(), 0, bytes); error != 0) {
    return ErrnoError("allocating the memory of a ring", error);
  }
  if (::fcntl(fd.get(), F_ADD_SEALS, kSeals) != 0) {
    return ErrnoError("sealing the memory of a ring", errno);
  }
  return MapChecked(std::move(fd), shape);
}

Result<RingMemory> RingMemory::Map(UniqueFd fd, const RingShape& shape) {
  PRIMUS_TRY(CheckShape(shape));
  const int seals = ::fcntl(fd.get(), F_GET_SEALS);
  if (seals < 0 || (seals & kSeals) != kSeals) {
    return InvalidArgumentError("the memory of a ring is not sealed");
  }
  struct stat status {};
  if (::fstat(fd.get(), &status) != 0) return ErrnoError("looking at the memory of a ring", errno);
  if (static_cast<uint64_t>(status.st_size) != TotalBytes(shape)) {
    return InvalidArgumentError("the memory of a ring has " + std::to_string(status.st_size) +
                                " bytes, expected " + std::to_string(TotalBytes(shape)));
  }
  return MapChecked(std::move(fd), shape);
}

Result<RingMemory> RingMemory::MapChecked(UniqueFd fd, const RingShape& shape) {
  void* base = ::mmap(nullptr, TotalBytes(shape), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE,
                      fd.get(), 0);
  if (base == MAP_FAILED) return ErrnoError("mapping the memory of a ring", errno);
  return RingMemory(std::move(fd), shape, static_cast<std::byte*>(base));
}

RingMemory::RingMemory(RingMemory&& other) noexcept
    : fd_(std::move(other.fd_)), shape_(other.shape_), base_(std::exchange(other.base_, nullptr)) {}

RingMemory::~RingMemory() {
  if (base_ != nullptr) ::munmap(base_, TotalBytes(shape_));
}

std::span<std::byte> RingMemory::slot(uint32_t index) const {
  return {base_ + ControlBytes() + index * shape_.slot_bytes, shape_.slot_bytes};
}

uint64_t RingMemory::ControlBytes() { return (sizeof(Control) + kPage - 1) / kPage * kPage; }

uint64_t RingMemory::TotalBytes(const RingShape& shape) {
  return ControlBytes() + shape.slots * shape.slot_bytes;
}

}  // namespace primus::handover

#include "primus/ps/payload.h"

#include <bit>

#include "proto/wire/parameters.pb.h"

namespace primus::ps {
namespace {

static_assert(std::endian::native == std::endian::little, "payloads are little-endian");

// Cuts arrays off the front of a payload. Keys come first, so both kinds of arrays are aligned if
// the payload is.
class PayloadCursor {
 public:
  explicit PayloadCursor(const std::string& payload)
      : next_(payload.data()), left_(payload.size()) {
    PRIMUS_CHECK(reinterpret_cast<uintptr_t>(next_) % alignof(uint64_t) == 0,
                 "a payload is aligned for keys");
  }

  template <class T>
  Result<std::span<const T>> Take(uint64_t count) {
    if (count > left_ / sizeof(T)) return InvalidArgumentError("payload is too short");
    const std::span<const T> taken(reinterpret_cast<const T*>(next_), count);
    next_ += taken.size_bytes();
    left_ -= taken.size_bytes();
    return taken;
  }
  Status CheckDone() const {
    if (left_ == 0) return OkStatus();
    return InvalidArgumentError("payload is longer by " + std::to_string(left_) + " bytes");
  }

 private:
  const char* next_;
  std::size_t left_;
};

Result<uint32_t> WidthOf(const jobspec::ModelPlan& plan, uint32_t table) {
  if (table < plan.tables.size()) return plan.tables[table].width();
  return InvalidArgumentError("no table " + std::to_string(table) + ", there are " +
                              std::to_string(plan.tables.size()));
}

}  // namespace

Result<PullLayout> ReadPull(const jobspec::ModelPlan& plan, const wire::PullRequest& request,
                            const std::string& payload) {
  PayloadCursor cursor(payload);
  PullLayout layout;
  for (const wire::TableCount& count : request.tables()) {
    PRIMUS_ASSIGN(const uint32_t width, WidthOf(plan, count.table()));
    PRIMUS_ASSIGN(const auto keys, cursor.Take<uint64_t>(count.keys()));
    layout.tables.push_back({.table = count.table(), .keys = keys});
    layout.row_values += uint64_t{width} * keys.size();
  }
  PRIMUS_TRY(cursor.CheckDone());
  return layout;
}

Result<PushLayout> ReadPush(const jobspec::ModelPlan& plan, const wire::PushRequest& request,
                            const std::string& payload) {
  PayloadCursor cursor(payload);
  PushLayout layout;
  for (const wire::TableCount& count : request.tables()) {
    PRIMUS_ASSIGN(const auto keys, cursor.Take<uint64_t>(count.keys()));
    layout.tables.push_back({.table = count.table(), .keys = keys, .gradients = {}});
  }
  for (embedding::TableGradients& table : layout.tables) {
    PRIMUS_ASSIGN(const uint32_t width, WidthOf(plan, table.table));
    PRIMUS_ASSIGN(table.gradients, cursor.Take<float>(uint64_t{width} * table.keys.size()));
  }
  PRIMUS_ASSIGN(layout.dense, cursor.Take<float>(request.dense_values()));
  PRIMUS_TRY(cursor.CheckDone());
  return layout;
}

}  // namespace primus::ps

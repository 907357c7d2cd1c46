// Sets of row positions as sorted, disjoint, half-open intervals: the currency of exactness.
//
// Adjacent intervals are merged, so a finished task is one interval whatever order its rows came
// in. Values; not thread safe.
#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <vector>

namespace primus::batch {

struct Interval {
  uint64_t begin = 0;
  uint64_t end = 0;  // exclusive, > begin
  auto operator<=>(const Interval&) const = default;
};

class IntervalSet {
 public:
  IntervalSet() = default;
  static IntervalSet Of(uint64_t begin, uint64_t end);

  // Adds [begin, end); empty is ignored. Returns how many positions were new.
  uint64_t Add(uint64_t begin, uint64_t end);
  uint64_t Add(const IntervalSet& other);
  // True if any position of [begin, end) is inside.
  bool Intersects(uint64_t begin, uint64_t end) const;
  bool Contains(uint64_t position) const;
  // The positions of [begin, end) that are not inside.
  IntervalSet Missing(uint64_t begin, uint64_t end) const;

  uint64_t size() const { return size_; }  // positions
  bool empty() const { return size_ == 0; }
  std::span<const Interval> intervals() const { return intervals_; }
  bool operator==(const IntervalSet&) const = default;

 private:
  std::vector<Interval> intervals_;
  uint64_t size_ = 0;
};

}  // namespace primus::batch

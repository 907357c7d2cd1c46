#include "primus/batch/interval_set.h"

#include <algorithm>

namespace primus::batch {

IntervalSet IntervalSet::Of(uint64_t begin, uint64_t end) {
  IntervalSet set;
  set.Add(begin, end);
  return set;
}

uint64_t IntervalSet::Add(uint64_t begin, uint64_t end) {
  if (begin >= end) return 0;
  // [first, last) are the intervals that touch or overlap [begin, end).
  const auto first = std::lower_bound(
      intervals_.begin(), intervals_.end(), begin,
      [](const Interval& interval, uint64_t position) { return interval.end < position; });
  auto last = first;
  uint64_t inside = 0;
  Interval merged{begin, end};
  for (; last != intervals_.end() && last->begin <= end; ++last) {
    const uint64_t overlap_begin = std::max(last->begin, begin);
    const uint64_t overlap_end = std::min(last->end, end);
    if (overlap_begin < overlap_end) inside += overlap_end - overlap_begin;
    merged.begin = std::min(merged.begin, last->begin);
    merged.end = std::max(merged.end, last->end);
  }
  if (first == last) {
    intervals_.insert(first, merged);
  } else {
    *first = merged;
    intervals_.erase(first + 1, last);
  }
  const uint64_t added = end - begin - inside;
  size_ += added;
  return added;
}

uint64_t IntervalSet::Add(const IntervalSet& other) {
  uint64_t added = 0;
  for (const Interval& interval : other.intervals_) added += Add(interval.begin, interval.end);
  return added;
}

bool IntervalSet::Intersects(uint64_t begin, uint64_t end) const {
  const auto it = std::upper_bound(
      intervals_.begin(), intervals_.end(), begin,
      [](uint64_t position, const Interval& interval) { return position < interval.end; });
  return begin < end && it != intervals_.end() && it->begin < end;
}

bool IntervalSet::Contains(uint64_t position) const { return Intersects(position, position + 1); }

IntervalSet IntervalSet::Missing(uint64_t begin, uint64_t end) const {
  IntervalSet missing;
  for (const Interval& interval : intervals_) {
    if (interval.end <= begin) continue;
    if (interval.begin >= end) break;
    missing.Add(begin, std::min(interval.begin, end));
    begin = std::max(begin, interval.end);
  }
  missing.Add(begin, end);
  return missing;
}

}  // namespace primus::batch

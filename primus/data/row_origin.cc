#include "primus/data/row_origin.h"

#include <algorithm>
#include <utility>

namespace primus::data {

void RowOrigin::Append(std::string path, uint64_t first_row, int64_t begin) {
  stretches_.push_back({std::move(path), first_row, begin});
}

std::string RowOrigin::At(int64_t row) const {
  const auto after =
      std::upper_bound(stretches_.begin(), stretches_.end(), row,
                       [](int64_t value, const Stretch& stretch) { return value < stretch.begin; });
  if (after == stretches_.begin()) return "row " + std::to_string(row);
  const Stretch& stretch = *std::prev(after);
  const uint64_t in_file = stretch.first_row + static_cast<uint64_t>(row - stretch.begin);
  return stretch.path + " row " + std::to_string(in_file);
}

}  // namespace primus::data

// Where the rows of a batch stand in their files, so that every complaint about a value names the
// file and the row. Values.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace primus::data {

class RowOrigin {
 public:
  RowOrigin() = default;
  // All rows come from `path`; the batch's first one is row `first_row` of it.
  RowOrigin(std::string path, uint64_t first_row) { Append(std::move(path), first_row, 0); }

  // From row `begin` of the batch on, rows come from `path`, `first_row` first. Calls go in order.
  void Append(std::string path, uint64_t first_row, int64_t begin);

  // "data/a.parquet row 17": rows of a file are counted from 0.
  std::string At(int64_t row) const;

 private:
  struct Stretch {
    std::string path;
    uint64_t first_row = 0;
    int64_t begin = 0;
  };
  std::vector<Stretch> stretches_;
};

}  // namespace primus::data

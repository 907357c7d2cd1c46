// What a counting model must hold at a data position: every key as often as the position says that
// its row was trained. The oracle of every save point.
#pragma once

#include <cstdint>
#include <vector>

#include "primus/base/result.h"
#include "primus/data/ledger.h"
#include "primus/sim/counted_rows.h"
#include "primus/sim/counting_store.h"

namespace primus::sim {

class ExpectedModel {
 public:
  ExpectedModel(const CountedDataOptions& data, uint64_t task_rows_max);

  // kInternal names the first key, term of the balance or span that is not as it must be.
  Status Check(const data::Position& position, const KeyCounts& model) const;

 private:
  Status AddOpen(const data::Position& position, KeyCounts* expected) const;
  data::RowCounts CountsAt(const data::Position& position) const;

  std::vector<std::vector<CountedRow>> tasks_;  // of one pass, by ordinal
};

}  // namespace primus::sim

// How far a trainer has come and where its time goes, for people; nothing is decided by it.
#pragma once

#include <cstdint>

#include "primus/base/time.h"

namespace primus::trainer {

// Since the start of this process. Times are sums over steps, which may overlap, except `wait`:
// the time with no step in flight although one might have begun.
struct Progress {
  double loss_sum = 0;
  uint64_t loss_rows = 0;
  Duration wait{0};
  Duration pull{0};
  Duration compute{0};
  Duration push{0};
};

}  // namespace primus::trainer

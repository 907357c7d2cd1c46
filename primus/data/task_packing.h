// Packs the splits of a window into tasks: large files are cut at `rows_max`, small ones joined up
// to it. The same splits give the same tasks in the same order, which is what lets a restarted
// master name them again.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "primus/data/row_stream.h"

namespace primus::data {

// Tasks without ids, in order; none for a window without rows.
std::vector<TaskPlan> PackTasks(const std::string& stream, const std::string& window,
                                const std::vector<Split>& splits, uint64_t rows_max);

}  // namespace primus::data

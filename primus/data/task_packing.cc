#include "primus/data/task_packing.h"

#include <algorithm>

namespace primus::data {

std::vector<TaskPlan> PackTasks(const std::string& stream, const std::string& window,
                                const std::vector<Split>& splits, uint64_t rows_max) {
  std::vector<TaskPlan> tasks;
  for (Split rest : splits) {
    while (rest.rows > 0) {
      if (tasks.empty() || tasks.back().rows >= rows_max) {
        tasks.push_back({.id = 0, .stream = stream, .window = window, .rows = 0, .splits = {}});
      }
      TaskPlan& task = tasks.back();
      Split piece = rest;
      piece.rows = std::min(rest.rows, rows_max - task.rows);
      task.splits.push_back(piece);
      task.rows += piece.rows;
      rest.first_row += piece.rows;
      rest.rows -= piece.rows;
    }
  }
  return tasks;
}

}  // namespace primus::data

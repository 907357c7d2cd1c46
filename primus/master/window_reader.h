// Plans one window at a time: from the blob of an earlier life, or from the files, kept in a blob
// before it is used, so that every life of the job plans the same tasks. Blocks; called on a
// ThreadPool thread.
#pragma once

#include <string>
#include <vector>

#include "primus/base/result.h"
#include "primus/data/row_stream.h"
#include "primus/data/window_plan.h"
#include "primus/store/blob_store.h"

namespace primus::master {

struct WindowTasks {
  std::string awaits;  // as in data::WindowPlan
  std::vector<data::TaskPlan> tasks;
};

class WindowReader {
 public:
  WindowReader(store::BlobStore& blobs, data::WindowPlanner& planner, uint64_t task_rows_max)
      : blobs_(blobs), planner_(planner), task_rows_max_(task_rows_max) {}

  Result<WindowTasks> Read(const std::string& stream, const std::string& window,
                           data::Unready unready);

 private:
  store::BlobStore& blobs_;
  data::WindowPlanner& planner_;
  uint64_t task_rows_max_;
};

}  // namespace primus::master

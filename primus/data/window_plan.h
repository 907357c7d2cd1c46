// What a window of a stream holds: the seam that the master's planner asks for splits.
//
// Blocks; called on a ThreadPool thread. A listing or footer that cannot be read is an error,
// never an empty window.
#pragma once

#include <string>
#include <vector>

#include "primus/base/result.h"
#include "primus/data/row_stream.h"

namespace primus::data {

// What becomes of a window that is not ready.
enum class Unready {
  kWait,  // the plan says what it awaits
  kFail,  // an error that says what is missing
  kSkip,  // planned without rows
  kUse,   // planned with what is there
};

struct WindowPlan {
  // The marker that is not there yet: ask again. Empty: `splits` is all there is; it may be empty.
  std::string awaits;
  std::vector<Split> splits;  // of the base source, in canonical order (path bytes)
};

class WindowPlanner {
 public:
  virtual ~WindowPlanner() = default;
  // The windows of the stream's range, in order: "1997-09-20", "1997-09-21", …
  virtual std::vector<std::string> Windows(const std::string& stream) = 0;
  virtual Result<WindowPlan> Plan(const std::string& stream, const std::string& window,
                                  Unready unready) = 0;
};

}  // namespace primus::data

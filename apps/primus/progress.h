// What `run` shows while a job works: on a terminal one line that is written over, else a line when
// the job's phase changes and every few seconds.
#pragma once

#include <cstdio>
#include <string>

namespace primus::wire {
class JobStatus;
}

namespace primus::apps {

enum class ProgressStyle { kTerminal, kLines, kNothing };

class Progress {
 public:
  Progress(std::string job, ProgressStyle style, std::FILE* out)
      : job_(std::move(job)), style_(style), out_(out) {}

  void Show(const wire::JobStatus& status);
  // A line of its own, below the progress.
  void Say(const std::string& text);

 private:
  const std::string job_;
  const ProgressStyle style_;
  std::FILE* out_;
  std::string last_;
  std::string phase_;
  int shows_since_line_ = 0;
  bool line_open_ = false;
};

// "movielens  Running  train, pass 2  window 1997-11-03  41200 rows/s  loss 0.61  …"
std::string ProgressLine(const std::string& job, const wire::JobStatus& status);

}  // namespace primus::apps

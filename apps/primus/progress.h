// What `run` shows while a job works: on a terminal one line that is written over, else a line when
// the job's phase changes and every few seconds. Whose failure made the job restart is a line of
// its own.
#pragma once

#include <cstdio>
#include <string>
#include <vector>

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
  void ShowRestart(const wire::JobStatus& status);
  void Write(const std::string& line);

  const std::string job_;
  const ProgressStyle style_;
  std::FILE* out_;
  std::string last_;
  std::string state_;    // phase and what it waits for, as last shown
  std::string restart_;  // the message of the last one
  bool is_first_ = true;
  int shows_since_line_ = 0;
  bool line_open_ = false;
};

// "movielens  Running  ratings pass 2/3 1997-11-03  41200 rows/s  loss 0.6100  …"
std::string ProgressLine(const std::string& job, const wire::JobStatus& status);

// "41200 rows/s", "loss 0.6100", …: those that the job has.
std::vector<std::string> MetricTexts(const wire::JobStatus& status);

// At most `columns` bytes of it, whole characters; all if there are 0 columns.
std::string CutTo(std::size_t columns, std::string line);

}  // namespace primus::apps

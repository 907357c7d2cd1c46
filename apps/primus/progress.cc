#include "apps/primus/progress.h"

#include <array>
#include <utility>

#include "primus/api/conditions.h"

#include "proto/wire/node.pb.h"

namespace primus::apps {
namespace {

// Show is called about twice a second.
constexpr int kShowsALine = 10;

struct MetricText {
  const char* key;  // in JobStatus.metrics
  const char* format;
};

// In the order in which they are shown; what a job has not is left out.
constexpr std::array kMetrics = {
    MetricText{"rowsPerSecond", "%.0f rows/s"},
    MetricText{"loss", "loss %.4f"},
    MetricText{"auc", "AUC %.4f"},
    MetricText{"holdoutAuc", "hold-out AUC %.4f"},
    MetricText{"progressiveAuc", "progressive AUC %.4f"},
    MetricText{"entries", "%.0f entries"},
};

std::string Format(const MetricText& text, double value) {
  std::array<char, 64> buffer{};
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  std::snprintf(buffer.data(), buffer.size(), text.format, value);
#pragma GCC diagnostic pop
  return buffer.data();
}

}  // namespace

std::string ProgressLine(const std::string& job, const wire::JobStatus& status) {
  std::string line = job + "  " + api::Phase(status);
  for (const wire::StreamStatus& stream : status.streams()) {
    if (!stream.window().empty()) line += "  " + stream.name() + " " + stream.window();
  }
  for (const MetricText& text : kMetrics) {
    const auto it = status.metrics().find(text.key);
    if (it != status.metrics().end()) line += "  " + Format(text, it->second);
  }
  if (status.save_point().record() > 0) {
    line += "  save point " + std::to_string(status.save_point().record());
  }
  return line;
}

void Progress::Show(const wire::JobStatus& status) {
  if (style_ == ProgressStyle::kNothing) return;
  std::string line = ProgressLine(job_, status);
  std::string phase = api::Phase(status);
  // Lines are for reading later: one at each change of phase, and now and then.
  const bool is_due =
      style_ == ProgressStyle::kTerminal || phase != phase_ || ++shows_since_line_ >= kShowsALine;
  if (line == last_ || !is_due) return;
  shows_since_line_ = 0;
  phase_ = std::move(phase);
  if (style_ == ProgressStyle::kTerminal) {
    std::fprintf(out_, "\r\033[K%s", line.c_str());
    line_open_ = true;
  } else {
    std::fprintf(out_, "%s\n", line.c_str());
  }
  std::fflush(out_);
  last_ = std::move(line);
}

void Progress::Say(const std::string& text) {
  if (std::exchange(line_open_, false)) std::fputc('\n', out_);
  std::fprintf(out_, "%s\n", text.c_str());
  std::fflush(out_);
}

}  // namespace primus::apps

#include "apps/primus/progress.h"

#include <sys/ioctl.h>

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
    MetricText{"auc", "first-pass AUC %.4f"},
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

// Of the terminal; 0 if it does not say.
std::size_t ColumnsOf(std::FILE* out) {
  winsize size{};
  return ::ioctl(::fileno(out), TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

// The phase, and what the job waits for if it does not get on.
std::string StateText(const wire::JobStatus& status) {
  std::string text = api::Phase(status);
  const wire::Condition* stalled = api::FindCondition(status, api::kStalled);
  if (stalled != nullptr && stalled->status()) text += "  " + stalled->message();
  return text;
}

}  // namespace

std::vector<std::string> MetricTexts(const wire::JobStatus& status) {
  std::vector<std::string> texts;
  for (const MetricText& text : kMetrics) {
    const auto it = status.metrics().find(text.key);
    if (it != status.metrics().end()) texts.push_back(Format(text, it->second));
  }
  return texts;
}

std::string ProgressLine(const std::string& job, const wire::JobStatus& status) {
  std::string line = job + "  " + StateText(status);
  for (const wire::StreamStatus& stream : status.streams()) {
    if (stream.phase().empty() && stream.window().empty()) continue;
    line += "  " + stream.name();
    if (!stream.phase().empty()) line += " " + stream.phase();
    if (!stream.window().empty()) line += " " + stream.window();
  }
  for (const std::string& text : MetricTexts(status)) line += "  " + text;
  if (status.save_point().record() > 0) {
    line += "  save point " + std::to_string(status.save_point().record());
  }
  return line;
}

std::string CutTo(std::size_t columns, std::string line) {
  if (columns == 0 || line.size() <= columns) return line;
  const auto continues = [&line](std::size_t at) {
    return (static_cast<unsigned char>(line[at]) & 0xC0U) == 0x80U;
  };
  while (columns > 0 && continues(columns)) --columns;
  line.resize(columns);
  return line;
}

void Progress::Show(const wire::JobStatus& status) {
  if (style_ == ProgressStyle::kNothing) return;
  ShowRestart(status);
  std::string line = ProgressLine(job_, status);
  std::string state = StateText(status);
  // Lines are for reading later: one at each change of state, and now and then.
  const bool is_due =
      style_ == ProgressStyle::kTerminal || state != state_ || ++shows_since_line_ >= kShowsALine;
  if (line == last_ || !is_due) return;
  shows_since_line_ = 0;
  state_ = std::move(state);
  Write(line);
  last_ = std::move(line);
}

// A restart may be over before it is looked at: its message stays in the condition.
void Progress::ShowRestart(const wire::JobStatus& status) {
  const wire::Condition* restart = api::FindCondition(status, api::kRestarting);
  const bool is_old = std::exchange(is_first_, false) && !api::IsTrue(status, api::kRestarting);
  const std::string message = restart == nullptr ? "" : restart->message();
  if (message == std::exchange(restart_, message) || message.empty() || is_old) return;
  if (std::exchange(line_open_, false)) std::fputs("\r\033[K", out_);
  std::fprintf(out_, "%s  restarts: %s\n", job_.c_str(), message.c_str());
  std::fflush(out_);
  last_.clear();
}

void Progress::Write(const std::string& line) {
  if (style_ == ProgressStyle::kTerminal) {
    std::fprintf(out_, "\r\033[K%s", CutTo(ColumnsOf(out_), line).c_str());
    line_open_ = true;
  } else {
    std::fprintf(out_, "%s\n", line.c_str());
  }
  std::fflush(out_);
}

void Progress::Say(const std::string& text) {
  if (std::exchange(line_open_, false)) std::fputc('\n', out_);
  std::fprintf(out_, "%s\n", text.c_str());
  std::fflush(out_);
}

}  // namespace primus::apps

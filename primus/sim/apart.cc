#include "primus/sim/apart.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

namespace primus::sim {
namespace {

class Writer {
 public:
  void Put(uint64_t number) { bytes_.append(reinterpret_cast<const char*>(&number), 8); }
  void Put(const std::string& text) {
    Put(text.size());
    bytes_ += text;
  }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

// Gives zeros behind the end; whole() says so.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : rest_(bytes) {}
  uint64_t Number() {
    uint64_t number = 0;
    const std::string_view bytes = Take(sizeof(number));
    if (!bytes.empty()) std::memcpy(&number, bytes.data(), sizeof(number));
    return number;
  }
  std::string Text() { return std::string(Take(Number())); }
  bool whole() const { return whole_; }

 private:
  std::string_view Take(uint64_t size) {
    whole_ = whole_ && size <= rest_.size();
    if (!whole_) return {};
    const std::string_view taken = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return taken;
  }

  std::string_view rest_;
  bool whole_ = true;
};

std::string Encode(const RunReport& report) {
  Writer out;
  out.Put(static_cast<uint64_t>(report.status.code()));
  out.Put(report.status.message());
  out.Put(report.ending);
  out.Put(report.hash);
  out.Put(report.events);
  out.Put(static_cast<uint64_t>(report.virtual_time.count()));
  out.Put(report.rollbacks);
  out.Put(report.hits.size());
  for (const auto& [fault, states] : report.hits) {
    out.Put(fault);
    out.Put(states.size());
    for (const auto& [state, count] : states) {
      out.Put(state);
      out.Put(count);
    }
  }
  out.Put(report.tail.size());
  for (const std::string& line : report.tail) out.Put(line);
  return out.bytes();
}

bool Decode(std::string_view bytes, RunReport* report) {
  Reader in(bytes);
  const auto code = static_cast<StatusCode>(in.Number());
  report->status = Status(code, in.Text());
  report->ending = in.Text();
  report->hash = in.Number();
  report->events = in.Number();
  report->virtual_time = Duration(static_cast<int64_t>(in.Number()));
  report->rollbacks = in.Number();
  for (uint64_t faults = in.Number(); faults > 0 && in.whole(); --faults) {
    std::map<std::string, uint64_t>& states = report->hits[in.Text()];
    for (uint64_t left = in.Number(); left > 0 && in.whole(); --left) {
      const std::string state = in.Text();
      states[state] = in.Number();
    }
  }
  for (uint64_t lines = in.Number(); lines > 0 && in.whole(); --lines) {
    report->tail.push_back(in.Text());
  }
  return in.whole();
}

void WriteAll(int to, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t wrote = ::write(to, bytes.data(), bytes.size());
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) return;
    bytes.remove_prefix(static_cast<std::size_t>(wrote));
  }
}

std::string ReadAll(int from) {
  std::string bytes;
  char buffer[4096];
  while (true) {
    const ssize_t got = ::read(from, buffer, sizeof(buffer));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return bytes;
    bytes.append(buffer, static_cast<std::size_t>(got));
  }
}

}  // namespace

RunReport RunSeedApart(uint64_t seed, const std::function<void(std::string_view)>& log) {
  RunReport report;
  int ends[2];
  if (::pipe(ends) != 0) {
    report.status = ErrnoError("cannot make a pipe", errno);
    return report;
  }
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(ends[0]);
    WriteAll(ends[1], Encode(RunSeed(seed, log)));
    ::_exit(0);
  }
  ::close(ends[1]);
  if (child < 0) report.status = ErrnoError("cannot fork", errno);
  const std::string bytes = child < 0 ? std::string() : ReadAll(ends[0]);
  ::close(ends[0]);
  if (child < 0) return report;
  int ended = 0;
  while (::waitpid(child, &ended, 0) < 0 && errno == EINTR) continue;
  if (WIFEXITED(ended) && WEXITSTATUS(ended) == 0 && Decode(bytes, &report)) return report;
  report.status = InternalError(WIFSIGNALED(ended)
                                    ? "the run crashed: signal " + std::to_string(WTERMSIG(ended))
                                    : "the run ended with " + std::to_string(WEXITSTATUS(ended)));
  return report;
}

}  // namespace primus::sim

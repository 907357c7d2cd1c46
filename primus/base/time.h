// Time as values. `Instant` is monotonic and local to one process: leases, timeouts and
// heartbeats use it. `WallTime` is for event time and display only. Nothing here reads a clock:
// that is env::Clock's business.
#pragma once

#include <chrono>
#include <cstdint>

namespace primus {

using Duration = std::chrono::nanoseconds;

struct MonotonicClock {
  using duration = Duration;
  using rep = Duration::rep;
  using period = Duration::period;
  static constexpr bool is_steady = true;
};
using Instant = std::chrono::time_point<MonotonicClock, Duration>;

struct UtcClock {
  using duration = Duration;
  using rep = Duration::rep;
  using period = Duration::period;
  static constexpr bool is_steady = false;
};
// Nanoseconds since 1970-01-01T00:00:00Z.
using WallTime = std::chrono::time_point<UtcClock, Duration>;

struct Now {
  Instant monotonic;
  WallTime wall;
};

constexpr Duration Seconds(int64_t n) { return std::chrono::seconds(n); }
constexpr Duration Milliseconds(int64_t n) { return std::chrono::milliseconds(n); }
constexpr Duration Microseconds(int64_t n) { return std::chrono::microseconds(n); }

constexpr double ToSeconds(Duration d) { return std::chrono::duration<double>(d).count(); }
constexpr int64_t ToMilliseconds(Duration d) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(d).count();
}

}  // namespace primus

// The conditions of a Job: typed observations with the time of their last change.
//
// A terminal condition that is true (Completed, Failed) never flips, and never stands beside
// another terminal one. `Phase` is derived from them, for columns only.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "primus/base/time.h"

namespace primus::wire {
class Condition;
class JobStatus;
}  // namespace primus::wire

namespace primus::api {

inline constexpr std::string_view kCreated = "Created";
inline constexpr std::string_view kRunning = "Running";
inline constexpr std::string_view kSuspended = "Suspended";
inline constexpr std::string_view kRestarting = "Restarting";
inline constexpr std::string_view kStalled = "Stalled";  // it waits for data
inline constexpr std::string_view kCompleted = "Completed";
inline constexpr std::string_view kFailed = "Failed";

// Reason of Suspended: stopped at once, what is newer than the last save point is lost.
inline constexpr std::string_view kInterrupted = "Interrupted";

enum class Truth { kFalse, kTrue };

struct ConditionChange {
  std::string_view type;  // one of those above
  Truth truth = Truth::kTrue;
  std::string reason{};   // one CamelCase word
  std::string message{};  // for people
};

// True if the status is different now: a change that terminal conditions forbid, or that changes
// nothing, leaves it as it is. The time of transition moves only when the truth does.
bool SetCondition(wire::JobStatus* status, const ConditionChange& change, WallTime now,
                  uint64_t generation);

// Null if the condition was never set.
const wire::Condition* FindCondition(const wire::JobStatus& status, std::string_view type);
bool IsTrue(const wire::JobStatus& status, std::string_view type);

// The terminal condition that is true, or null.
const wire::Condition* FindTerminal(const wire::JobStatus& status);

// Failed, Completed, Suspended, Restarting, Running or Pending.
std::string Phase(const wire::JobStatus& status);

}  // namespace primus::api

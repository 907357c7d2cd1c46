// The signals that stop a job, with a save point.
#pragma once

#include <signal.h>

#include <array>

namespace primus::apps {

inline constexpr std::array kStopSignals = {SIGINT, SIGTERM, SIGHUP};

inline void MaskStopSignals(int how) {
  sigset_t signals;
  ::sigemptyset(&signals);
  for (const int signal : kStopSignals) ::sigaddset(&signals, signal);
  ::sigprocmask(how, &signals, nullptr);
}

// They wait from here on; of this thread and those that it starts.
inline void HoldStopSignals() { MaskStopSignals(SIG_BLOCK); }
// What waited arrives now, and what comes from now on.
inline void ReleaseStopSignals() { MaskStopSignals(SIG_UNBLOCK); }

}  // namespace primus::apps

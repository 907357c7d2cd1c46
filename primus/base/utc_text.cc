#include "primus/base/utc_text.h"

#include <array>
#include <ctime>

namespace primus {

std::string UtcText(WallTime time) {
  if (time == WallTime()) return "-";
  const std::time_t seconds =
      std::chrono::duration_cast<std::chrono::seconds>(time.time_since_epoch()).count();
  std::tm parts{};
  ::gmtime_r(&seconds, &parts);
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text.data();
}

}  // namespace primus

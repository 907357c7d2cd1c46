#include "primus/data/window.h"

#include "primus/config/timestamp.h"

namespace primus::data {

Result<WindowBounds> DayBounds(std::string_view name) {
  PRIMUS_ASSIGN(const WallTime begin, config::ParseDate(name));
  return WindowBounds{begin, begin + std::chrono::days(1)};
}

}  // namespace primus::data

// A point in time for people.
#pragma once

#include <string>

#include "primus/base/time.h"

namespace primus {

// "2026-01-31T12:00:00Z"; "-" for the beginning of 1970, which is never.
std::string UtcText(WallTime time);

}  // namespace primus

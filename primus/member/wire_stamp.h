// Stamps as messages carry them.
#pragma once

#include "primus/base/ids.h"

namespace primus::wire {
class Stamp;
}

namespace primus::member {

Stamp ToStamp(const wire::Stamp& message);
void ToWire(const Stamp& stamp, wire::Stamp* message);

}  // namespace primus::member

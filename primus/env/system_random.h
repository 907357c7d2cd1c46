// Numbers from the kernel's generator. Any thread.
#pragma once

#include "primus/env/random.h"

namespace primus::env {

class SystemRandom final : public Random {
 public:
  uint64_t Next() override;
};

}  // namespace primus::env

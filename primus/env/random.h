// Numbers that nobody can guess (real) or that the seed of a simulation decides.
#pragma once

#include <cstdint>

namespace primus::env {

class Random {
 public:
  virtual ~Random() = default;
  virtual uint64_t Next() = 0;
};

}  // namespace primus::env

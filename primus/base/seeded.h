// Numbers that depend on a seed and a position alone (SplitMix64, Steele et al. 2014): the same
// on every machine, in any order, on any thread.
#pragma once

#include <cstdint>

namespace primus {

// One round of SplitMix64's output function: a bijection that mixes all bits.
constexpr uint64_t Mix64(uint64_t x) {
  x += 0x9E3779B97F4A7C15ULL;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ULL;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBULL;
  return x ^ (x >> 31);
}

constexpr uint64_t Mix64(uint64_t a, uint64_t b) { return Mix64(Mix64(a) ^ b); }
constexpr uint64_t Mix64(uint64_t a, uint64_t b, uint64_t c) { return Mix64(Mix64(a, b) ^ c); }

// Uniform in [0, 1) from 53 bits.
constexpr double ToUnit(uint64_t x) { return static_cast<double>(x >> 11) * 0x1.0p-53; }

// A small sequential generator over Mix64. Copies continue independently.
class SeededSequence {
 public:
  explicit SeededSequence(uint64_t seed) : state_(seed) {}
  uint64_t Next() { return Mix64(state_ += 0x9E3779B97F4A7C15ULL); }
  double NextUnit() { return ToUnit(Next()); }
  // Uniform in [0, n), n > 0 (bias below n / 2^53).
  uint64_t Below(uint64_t n) { return (Next() >> 11) % n; }

 private:
  uint64_t state_;
};

}  // namespace primus

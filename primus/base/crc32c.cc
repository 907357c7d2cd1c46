#include "primus/base/crc32c.h"

#include <nmmintrin.h>

#include <array>
#include <cstring>

namespace primus {
namespace {

constexpr std::array<uint32_t, 256> MakeTable() {
  std::array<uint32_t, 256> table{};
  for (uint32_t i = 0; i < 256; ++i) {
    uint32_t value = i;
    for (int bit = 0; bit < 8; ++bit) value = (value >> 1) ^ ((value & 1) ? 0x82F63B78U : 0);
    table[i] = value;
  }
  return table;
}
constexpr std::array<uint32_t, 256> kTable = MakeTable();

uint32_t ByTable(const unsigned char* data, std::size_t size, uint32_t state) {
  for (std::size_t i = 0; i < size; ++i) state = (state >> 8) ^ kTable[(state ^ data[i]) & 0xFF];
  return state;
}

__attribute__((target("sse4.2"))) uint32_t BySse42(const unsigned char* data, std::size_t size,
                                                   uint32_t state) {
  uint64_t wide = state;
  for (; size >= 8; data += 8, size -= 8) {
    uint64_t word;
    std::memcpy(&word, data, 8);
    wide = _mm_crc32_u64(wide, word);
  }
  state = static_cast<uint32_t>(wide);
  for (; size > 0; ++data, --size) state = _mm_crc32_u8(state, *data);
  return state;
}

}  // namespace

uint32_t Crc32c(const void* data, std::size_t size, uint32_t crc) {
  const auto* bytes = static_cast<const unsigned char*>(data);
  const uint32_t state = ~crc;
  return ~(__builtin_cpu_supports("sse4.2") ? BySse42(bytes, size, state)
                                            : ByTable(bytes, size, state));
}

}  // namespace primus

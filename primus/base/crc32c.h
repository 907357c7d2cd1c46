// CRC-32C (Castagnoli, polynomial 0x1EDC6F41 reflected), the checksum of every file block.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace primus {

// Extends `crc` (0 to start) by `size` bytes. Crc32c("123456789") is 0xE3069283.
uint32_t Crc32c(const void* data, std::size_t size, uint32_t crc = 0);
inline uint32_t Crc32c(std::string_view bytes) { return Crc32c(bytes.data(), bytes.size()); }

}  // namespace primus

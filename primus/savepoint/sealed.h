// Small durable blobs: an 8-byte magic whose last byte is the format version, u32 length and u32
// CRC32C of the message (little endian), the message.
#pragma once

#include <string>
#include <string_view>

#include "primus/base/result.h"

namespace primus::savepoint {

// `magic` has 8 characters.
std::string Seal(std::string_view magic, std::string_view message);
// The message inside `bytes` (a view into them). kDataLoss names what is wrong; a newer format is
// named with both versions.
Result<std::string_view> Unseal(std::string_view magic, std::string_view bytes);

}  // namespace primus::savepoint

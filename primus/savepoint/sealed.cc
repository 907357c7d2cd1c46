#include "primus/savepoint/sealed.h"

#include <cstdint>
#include <cstring>

#include "primus/base/crc32c.h"

namespace primus::savepoint {
namespace {

constexpr std::size_t kMagic = 8;
constexpr std::size_t kHeader = 16;

uint32_t LoadU32(std::string_view bytes, std::size_t offset) {
  uint32_t value;
  std::memcpy(&value, bytes.data() + offset, sizeof(value));
  return value;
}

}  // namespace

std::string Seal(std::string_view magic, std::string_view message) {
  PRIMUS_CHECK(magic.size() == kMagic, "a magic has 8 characters");
  const auto size = static_cast<uint32_t>(message.size());
  const uint32_t crc = Crc32c(message);
  std::string bytes(magic);
  bytes.append(reinterpret_cast<const char*>(&size), sizeof(size));
  bytes.append(reinterpret_cast<const char*>(&crc), sizeof(crc));
  return bytes.append(message);
}

Result<std::string_view> Unseal(std::string_view magic, std::string_view bytes) {
  const std::string name(magic.substr(0, kMagic - 1));
  if (bytes.size() < kHeader || !bytes.starts_with(name)) {
    return DataLossError("the bytes do not start with " + name);
  }
  if (bytes[kMagic - 1] != magic[kMagic - 1]) {
    return DataLossError(name + " format version " + bytes[kMagic - 1] + ", this build reads " +
                         magic[kMagic - 1]);
  }
  const std::string_view message = bytes.substr(kHeader);
  if (LoadU32(bytes, 8) != message.size()) return DataLossError("it is cut short");
  if (LoadU32(bytes, 12) != Crc32c(message)) return DataLossError("its checksum is wrong");
  return message;
}

}  // namespace primus::savepoint

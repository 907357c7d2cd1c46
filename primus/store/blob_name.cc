#include "primus/store/blob_name.h"

#include <cstddef>
#include <string>

namespace primus::store {
namespace {

constexpr std::size_t kNameBytesMax = 255;

bool Allowed(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
         c == '_' || c == '-';
}

Status Refuse(std::string_view name, std::string_view why) {
  return InvalidArgumentError("blob name \"" + std::string(name) + "\" " + std::string(why));
}

}  // namespace

Status CheckBlobName(std::string_view name) {
  if (name.empty()) return Refuse(name, "is empty");
  if (name.size() > kNameBytesMax) return Refuse(name.substr(0, 40), "… is longer than 255 bytes");
  bool part_begins = true;
  for (const char c : name) {
    if (c == '/' && part_begins) return Refuse(name, "has an empty part");
    if (c == '.' && part_begins) return Refuse(name, "has a part that starts with a dot");
    if (c != '/' && !Allowed(c)) return Refuse(name, "has a character outside [A-Za-z0-9._/-]");
    part_begins = c == '/';
  }
  if (part_begins) return Refuse(name, "has an empty part");
  return OkStatus();
}

}  // namespace primus::store

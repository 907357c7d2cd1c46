#include "primus/base/check.h"

#include <cstdio>
#include <cstdlib>

namespace primus {

void CheckFailed(std::string_view condition, std::string_view text, std::source_location where) {
  std::fprintf(stderr, "%s:%u: check failed: %.*s: %.*s\n", where.file_name(), where.line(),
               static_cast<int>(condition.size()), condition.data(), static_cast<int>(text.size()),
               text.data());
  std::fflush(stderr);
  std::abort();
}

}  // namespace primus

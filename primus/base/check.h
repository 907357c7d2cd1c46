// PRIMUS_CHECK(condition, text): an invariant of our own code. Prints file, line, condition and
// text to standard error and aborts; never for outside input.
#pragma once

#include <source_location>
#include <string_view>

namespace primus {

[[noreturn]] void CheckFailed(std::string_view condition, std::string_view text,
                              std::source_location where = std::source_location::current());

}  // namespace primus

#define PRIMUS_CHECK(condition, text)          \
  do {                                         \
    if (!(condition)) [[unlikely]]             \
      ::primus::CheckFailed(#condition, text); \
  } while (false)

// What a text must be before a YAML parser sees it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "primus/config/position.h"

namespace primus::config {

struct TextFault {
  Position position;  // its `set` is 0
  std::string text;
};

// The first thing wrong: too long, not UTF-8, a control character, a tab as indentation.
std::optional<TextFault> CheckText(std::string_view text);

// Bytes of the UTF-8 character at the front; 0 if there is none.
std::size_t Utf8CharacterBytes(std::string_view text);

}  // namespace primus::config

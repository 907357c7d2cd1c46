#include "primus/config/text_check.h"

#include "primus/config/node_reader.h"

namespace primus::config {
namespace {

bool IsContinuation(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

bool IsRefusedControl(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte == 0x7F || (byte < 0x20 && c != '\n' && c != '\r' && c != '\t');
}

// Whether a line has a tab in its indentation and something to indent.
bool IsIndentedByTab(std::string_view line) {
  const std::size_t end = line.find_first_not_of(" \t");
  if (end == std::string_view::npos || line[end] == '#' || line[end] == '\r') return false;
  return line.substr(0, end).find('\t') != std::string_view::npos;
}

std::optional<TextFault> CheckLine(std::string_view line, uint32_t number) {
  const auto fault = [number](std::size_t at, std::string text) {
    return TextFault{{.line = number, .column = static_cast<uint32_t>(at + 1)}, std::move(text)};
  };
  if (IsIndentedByTab(line)) {
    return fault(line.find('\t'), "expected spaces as indentation, got a tab");
  }
  for (std::size_t at = 0; at < line.size();) {
    const std::size_t bytes = Utf8CharacterBytes(line.substr(at));
    if (bytes == 0) return fault(at, "expected UTF-8, got another byte");
    if (IsRefusedControl(line[at])) {
      return fault(at, "expected text, got a control character " + Shown(line.substr(at, 1)));
    }
    at += bytes;
  }
  return std::nullopt;
}

}  // namespace

std::size_t Utf8CharacterBytes(std::string_view text) {
  if (text.empty()) return 0;
  const auto first = static_cast<unsigned char>(text[0]);
  if (first < 0x80) return 1;
  const std::size_t bytes = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < bytes) return 0;
  for (std::size_t i = 1; i < bytes; ++i) {
    if (!IsContinuation(text[i])) return 0;
  }
  const auto second = static_cast<unsigned char>(text[1]);
  const bool overlong = (first == 0xE0 && second < 0xA0) || (first == 0xF0 && second < 0x90);
  const bool surrogate = first == 0xED && second >= 0xA0;
  const bool beyond = first == 0xF4 && second >= 0x90;
  return overlong || surrogate || beyond ? 0 : bytes;
}

std::optional<TextFault> CheckText(std::string_view text) {
  if (text.size() > kTextBytesMax) {
    return TextFault{{}, "expected at most 1 MiB, got " + std::to_string(text.size()) + " bytes"};
  }
  uint32_t number = 1;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    if (auto fault = CheckLine(text.substr(0, end), number)) return fault;
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
    ++number;
  }
  return std::nullopt;
}

}  // namespace primus::config

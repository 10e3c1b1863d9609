// Text without the blanks around it. Thread: any.
#pragma once

#include <string_view>

namespace berth::text {

// blanks: the characters to remove; the callers differ in what they take for a blank.
inline std::string_view Trim(std::string_view text, std::string_view blanks) {
  const size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

// unicode.IsSpace of Go for ASCII, which strings.TrimSpace removes.
inline constexpr std::string_view kSpace = " \t\n\v\f\r";

}  // namespace berth::text

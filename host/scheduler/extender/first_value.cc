#include "scheduler/extender/first_value.h"

#include <cstddef>

namespace berth::extender {
namespace {

constexpr std::string_view kSpace = " \t\r\n";

// The index after the string that begins at text[at]; npos if the string has no end.
size_t BehindString(std::string_view text, size_t at) {
  for (++at; at < text.size(); ++at) {
    if (text[at] == '"') return at + 1;
    if (text[at] == '\\') ++at;
  }
  return std::string_view::npos;
}

// The index after the object or array that begins at text[at]; npos if it has no end.
size_t BehindBrackets(std::string_view text, size_t at) {
  size_t depth = 0;
  while (at < text.size()) {
    switch (text[at]) {
      case '"': at = BehindString(text, at); continue;
      case '{':
      case '[': ++depth; break;
      case '}':
      case ']':
        if (--depth == 0) return at + 1;
        break;
      default: break;
    }
    ++at;
  }
  return std::string_view::npos;
}

}  // namespace

std::string_view FirstValue(std::string_view text) {
  const size_t begin = text.find_first_not_of(kSpace);
  if (begin == std::string_view::npos) return {};
  text.remove_prefix(begin);
  if (text[0] == '"') {
    const size_t end = BehindString(text, 0);
    return end == std::string_view::npos ? std::string_view() : text.substr(0, end);
  }
  if (text[0] != '{' && text[0] != '[') return text.substr(0, text.find_first_of(kSpace));
  const size_t end = BehindBrackets(text, 0);
  return end == std::string_view::npos ? std::string_view() : text.substr(0, end);
}

}  // namespace berth::extender

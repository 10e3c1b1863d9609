// Text functions with Go's formats: joined lists, %q, [A B]. Thread: any.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace berth::base {

inline bool IsDigit(char c) { return c >= '0' && c <= '9'; }
// A control character of ASCII: U+0000 to U+001F, and U+007F.
inline bool IsControl(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

// ASCII letters in lower case: all, or the first character only.
std::string Lower(std::string_view text);
std::string LowerFirst(std::string text);

std::string Join(const std::vector<std::string>& parts, std::string_view separator);
// Go's %q of a string: double-quoted, with Go's escapes.
std::string Quoted(std::string_view text);
// Go's %v of a []string: "[A B]".
std::string Bracketed(const std::vector<std::string>& parts);
// Matches a shell pattern with a whole name: * any text, ? one character, [a-z] and [!a-z] sets, \ quotes.
bool GlobMatches(std::string_view pattern, std::string_view name);

}  // namespace berth::base

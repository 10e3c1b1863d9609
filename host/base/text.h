// Text helpers that Go's formatting makes necessary: joined lists, %q, [A B]. Thread: any.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace berth::base {

std::string Join(const std::vector<std::string>& parts, std::string_view separator);
// Go's %q of a string: double-quoted, with Go's escapes.
std::string Quoted(std::string_view text);
// Go's %v of a []string: "[A B]".
std::string Bracketed(const std::vector<std::string>& parts);
// Shell pattern over a whole name: * any run, ? one character, [a-z] and [!a-z] sets, \ quotes.
bool GlobMatches(std::string_view pattern, std::string_view name);

}  // namespace berth::base

// Parses the query of a URL. Thread: any; pure functions.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace berth::serve {

// "a=1&b&a=%20" as decoded pairs in order: {a,1} {b,""} {a," "}. Like Go's net/url: + is a space, and pairs with a ; or
// an invalid % are skipped.
std::vector<std::pair<std::string, std::string>> ParseQuery(std::string_view query);

// Decodes %XX in a path; returns the path unchanged if one is invalid.
std::string DecodePath(std::string_view path);

}  // namespace berth::serve

// The query of a URL. Thread: any; pure functions.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace berth::serve {

// "a=1&b&a=%20" as pairs in order, decoded: {a,1} {b,""} {a," "}. As Go's net/url reads them: + is a space, and pairs
// with a ; or a broken % are left out.
std::vector<std::pair<std::string, std::string>> ParseQuery(std::string_view query);

// A path without its %XX; as it was when one is broken.
std::string DecodePath(std::string_view path);

}  // namespace berth::serve

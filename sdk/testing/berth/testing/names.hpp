// Names of parametrised tests out of a case's own words. Pure; any thread.
#pragma once

#include <cctype>
#include <string>
#include <string_view>

namespace berth::sdk::testing {

// GoogleTest takes letters and digits: "one victim, no reply" -> "OneVictimNoReply".
inline std::string TestNameOf(std::string_view words) {
  std::string name;
  bool begins = true;
  for (const unsigned char c : words) {
    if (std::isalnum(c) != 0) name += static_cast<char>(begins ? std::toupper(c) : c);
    begins = std::isalnum(c) == 0;
  }
  return name;
}

}  // namespace berth::sdk::testing

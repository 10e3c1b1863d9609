#include "berth/testing/names.hpp"

#include <cctype>

namespace berth::sdk::testing {

std::string TestNameOf(std::string_view words) {
  std::string name;
  bool begins = true;
  for (const unsigned char c : words) {
    if (std::isalnum(c) != 0) name += static_cast<char>(begins ? std::toupper(c) : c);
    begins = std::isalnum(c) == 0;
  }
  return name;
}

}  // namespace berth::sdk::testing

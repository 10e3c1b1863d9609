#include "config/flags/arguments.h"

#include <algorithm>
#include <cstddef>

namespace berth::flags {

std::vector<std::string> Arguments(int argc, char** argv) { return {argv + std::min(argc, 1), argv + argc}; }

std::vector<std::string> Normalized(std::vector<std::string> arguments) {
  for (std::string& argument : arguments) {
    if (argument == "--") break;
    if (argument.starts_with("--")) {
      const size_t name_end = std::min(argument.find('='), argument.size());
      std::replace(argument.begin(), argument.begin() + static_cast<std::ptrdiff_t>(name_end), '_', '-');
    } else if (argument.size() > 3 && argument[0] == '-' && argument[2] == '=') {
      argument.erase(2, 1);
    }
  }
  return arguments;
}

}  // namespace berth::flags

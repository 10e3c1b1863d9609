#include "ctl/command.h"

#include <algorithm>
#include <cstddef>

namespace berth::ctl {

std::vector<std::string> NormalizedArguments(int argc, char** argv) {
  std::vector<std::string> out;
  bool flags_over = false;
  for (int i = 1; i < argc; ++i) {
    std::string arg = argv[i];
    flags_over = flags_over || arg == "--";
    if (!flags_over && arg.starts_with("-v=")) arg = "-" + arg;
    if (!flags_over && arg.starts_with("--")) {
      std::replace(arg.begin(), arg.begin() + static_cast<std::ptrdiff_t>(std::min(arg.find('='), arg.size())), '_',
                   '-');
    }
    out.push_back(std::move(arg));
  }
  return out;
}

}  // namespace berth::ctl

#include "os/machine/hostname.h"

#include <unistd.h>

#include <array>

namespace berth::os {

std::string Hostname() {
  std::array<char, 256> name{};
  return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "localhost";
}

}  // namespace berth::os

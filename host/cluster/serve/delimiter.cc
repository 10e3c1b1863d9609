#include "cluster/serve/delimiter.h"

#include <array>
#include <random>

namespace berth::serve {

std::string Delimiter() {
  constexpr std::array<const char*, 4> kDelimiters{":", ": ", "=", " "};
  return kDelimiters[std::random_device()() % kDelimiters.size()];
}

}  // namespace berth::serve

#include "kubeconfig/surroundings.h"

#include <unistd.h>

#include <string_view>

namespace berth::kubeconfig {

Surroundings SurroundingsOfProcess() {
  static const base::RealClock clock;
  Surroundings surroundings;
  surroundings.clock = &clock;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const size_t equals = text.find('=');
    if (equals == std::string_view::npos) continue;
    surroundings.environment.emplace(text.substr(0, equals), text.substr(equals + 1));
  }
  return surroundings;
}

const std::string& Variable(const Environment& environment, const std::string& name) {
  static const std::string kUnset;
  const auto found = environment.find(name);
  return found == environment.end() ? kUnset : found->second;
}

}  // namespace berth::kubeconfig

#include "client/credentials/environment.h"

#include <unistd.h>

#include <string_view>

namespace berth::credentials {

ProcessEnvironment EnvironmentOfProcess() {
  static const base::RealClock clock;
  ProcessEnvironment process;
  process.clock = &clock;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const size_t equals = text.find('=');
    if (equals == std::string_view::npos) continue;
    process.environment.emplace(text.substr(0, equals), text.substr(equals + 1));
  }
  return process;
}

const std::string& Variable(const Environment& environment, const std::string& name) {
  static const std::string kUnset;
  const auto found = environment.find(name);
  return found == environment.end() ? kUnset : found->second;
}

bool MaySpeakHttp2(const Environment& environment) { return Variable(environment, "DISABLE_HTTP2").empty(); }

}  // namespace berth::credentials

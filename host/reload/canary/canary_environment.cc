#include "reload/canary/canary_environment.h"

#include <unistd.h>

#include <algorithm>
#include <string_view>

namespace berth::canary {
namespace {

constexpr std::string_view kKept[] = {
    "PATH", "LANG", "LANGUAGE", "TZ", "TZDIR", "LD_LIBRARY_PATH", "GLIBC_TUNABLES", "MALLOC_ARENA_MAX"};

bool IsKept(std::string_view name) {
  return std::find(std::begin(kKept), std::end(kKept), name) != std::end(kKept) || name.starts_with("LC_") ||
         name.ends_with("SAN_OPTIONS");
}

}  // namespace

std::vector<std::string> ScrubbedEnvironment(const std::vector<std::string>& others) {
  std::vector<std::string> kept;
  for (char** one = environ; one != nullptr && *one != nullptr; ++one) {
    const std::string_view variable = *one, name = variable.substr(0, variable.find('='));
    if (IsKept(name) || std::find(others.begin(), others.end(), name) != others.end()) kept.emplace_back(variable);
  }
  return kept;
}

}  // namespace berth::canary

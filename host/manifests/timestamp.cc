#include "manifests/timestamp.h"

#include <cstdio>
#include <ctime>

namespace berth::manifests {

std::string Rfc3339(int64_t unix_ns) {
  const std::time_t seconds = unix_ns / 1'000'000'000;
  std::tm utc{};
  gmtime_r(&seconds, &utc);
  char text[64];
  const size_t n = std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &utc);
  std::snprintf(text + n, sizeof text - n, ".%06dZ", static_cast<int>(unix_ns / 1000 % 1'000'000));
  return text;
}

}  // namespace berth::manifests

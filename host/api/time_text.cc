#include "api/time_text.h"

#include <cstdio>
#include <ctime>

namespace berth::api {
namespace {

std::string ToSeconds(int64_t unix_ns) {
  const std::time_t seconds = unix_ns / 1'000'000'000;
  std::tm utc{};
  gmtime_r(&seconds, &utc);
  char text[64];
  return std::string(text, std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &utc));
}

}  // namespace

std::string TimeText(int64_t unix_ns) { return ToSeconds(unix_ns) + "Z"; }

std::string MicroTimeText(int64_t unix_ns) {
  char fraction[16];
  std::snprintf(fraction, sizeof fraction, ".%06dZ", static_cast<int>(unix_ns / 1000 % 1'000'000));
  return ToSeconds(unix_ns) + fraction;
}

}  // namespace berth::api

#include "bind/duration_text.h"

#include "base/clock.h"

namespace berth::bind {

std::string GoDuration(int64_t ns) {
  const int64_t ms = ns / base::kMillisecond;
  if (ms < 1000) return ms == 0 ? "0s" : std::to_string(ms) + "ms";
  const int64_t hours = ms / 3'600'000, minutes = ms / 60'000 % 60, seconds = ms / 1000 % 60;
  std::string fraction = std::to_string(1000 + ms % 1000).substr(1);
  while (!fraction.empty() && fraction.back() == '0') fraction.pop_back();
  std::string text = std::to_string(seconds) + (fraction.empty() ? "" : "." + fraction) + "s";
  if (hours > 0 || minutes > 0) text = std::to_string(minutes) + "m" + text;
  if (hours > 0) text = std::to_string(hours) + "h" + text;
  return text;
}

}  // namespace berth::bind

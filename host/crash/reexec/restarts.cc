#include "crash/reexec/restarts.h"

#include <algorithm>
#include <charconv>

#include "crash/record/signal_text.h"

namespace berth::crash {

Restarts Restarts::Read(std::string_view text) {
  Restarts restarts;
  for (size_t end; !text.empty(); text.remove_prefix(std::min(end + 1, text.size()))) {
    end = std::min(text.find('\n'), text.size());
    int64_t time = 0;
    const auto [rest, error] = std::from_chars(text.data(), text.data() + end, time);
    if (error != std::errc() || rest != text.data() + end) continue;
    std::rotate(restarts.last_.begin(), restarts.last_.begin() + 1, restarts.last_.end());
    restarts.last_.back() = time;
  }
  return restarts;
}

bool Restarts::Allows(int64_t unix_seconds) const {
  size_t lately = 0;
  for (const int64_t time : last_) {
    if (time > unix_seconds - kRestartWindowSeconds && time <= unix_seconds) ++lately;
  }
  return lately < kMostRestarts;
}

void Restarts::Append(int fd, int64_t unix_seconds) {
  lseek(fd, 0, SEEK_END);
  (SignalText() << unix_seconds << "\n").WriteTo(fd);
}

}  // namespace berth::crash

#include "cluster/reflector/progress.h"

#include <charconv>

namespace berth::reflector {

std::optional<uint64_t> VersionNumber(std::string_view version) {
  uint64_t number = 0;
  const char* end = version.data() + version.size();
  const auto [at, error] = std::from_chars(version.data(), end, number);
  if (version.empty() || error != std::errc() || at != end) return std::nullopt;
  return number;
}

void Progress::Reached(std::string_view version) {
  const auto number = VersionNumber(version);
  if (!number) return;
  reached_.store(*number);
  Notify();
}

void Progress::Listed(uint64_t request) {
  listed_.store(request);
  Notify();
}

// Sequentially consistent with Wait: either the waiting thread sees the new state, or this one sees that it waits.
void Progress::Notify() {
  if (waiting_.load() == 0) return;
  base::MutexLock lock(mutex_);
  changed_.notify_all();
}

template <class Fn>
bool Progress::Waiting(Fn wait) {
  waiting_.fetch_add(1);
  base::MutexLock lock(mutex_);
  const bool reached = wait(lock);
  waiting_.fetch_sub(1);
  return reached;
}

bool Progress::WaitForVersion(uint64_t version, std::chrono::nanoseconds time, const std::stop_token& stop) {
  return Waiting([&](base::MutexLock& lock) {
    return changed_.wait_for(lock, stop, time, [&] { return reached_.load() >= version; });
  });
}

bool Progress::WaitForList(uint64_t request, std::optional<std::chrono::nanoseconds> time,
                           const std::stop_token& stop) {
  const auto listed = [&] { return listed_.load() >= request; };
  return Waiting([&](base::MutexLock& lock) {
    return time ? changed_.wait_for(lock, stop, *time, listed) : changed_.wait(lock, stop, listed);
  });
}

}  // namespace berth::reflector

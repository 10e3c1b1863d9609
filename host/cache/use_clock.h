// Who was used last, for things that are kept up to a limit: what the running cycle has used may be pointed at, so it
// stays, and the limit is passed instead, until the next cycle begins. Thread: scheduling thread.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace berth::cache {

class UseClock {
 public:
  using Time = uint64_t;

  Time Use() { return ++now_; }
  void BeginCycle() {
    began_ = now_;
    all_used_ = false;
  }

  // Which entry of a full map is to make room: the one used longest ago. end() when the map holds fewer than limit, or
  // when the running cycle has used them all. used_of(value) -> Time.
  template <class Map, class UsedOf>
  typename Map::iterator ToEvict(Map& map, size_t limit, UsedOf&& used_of) {
    if (map.size() < limit || all_used_) return map.end();
    const auto oldest = std::min_element(
        map.begin(), map.end(), [&](const auto& a, const auto& b) { return used_of(a.second) < used_of(b.second); });
    all_used_ = used_of(oldest->second) > began_;
    return all_used_ ? map.end() : oldest;
  }

  // Between cycles, of a map that holds more than limit: whatever was used before this time has to go.
  template <class Map, class UsedOf>
  static Time OldestToKeep(const Map& map, size_t limit, UsedOf&& used_of) {
    std::vector<Time> times;
    times.reserve(map.size());
    for (const auto& entry : map) times.push_back(used_of(entry.second));
    const auto oldest = times.begin() + static_cast<std::ptrdiff_t>(limit - 1);
    std::nth_element(times.begin(), oldest, times.end(), std::greater<>());
    return *oldest;
  }

 private:
  Time now_ = 0, began_ = 0;
  bool all_used_ = false;  // by the running cycle: the map is full of what it has used
};

}  // namespace berth::cache

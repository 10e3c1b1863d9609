// Finds the entry that was used longest ago, for maps with a size limit. Plugins may hold pointers to entries used in
// the current cycle, so these stay, and the map may exceed its limit until the next cycle begins. Thread: the
// scheduling thread.
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

  // The entry of a full map to remove: the one used longest ago. end() if the map holds fewer than limit entries, or if
  // the current cycle has used all of them. used_of(value) -> Time.
  template <class Map, class UsedOf>
  typename Map::iterator ToEvict(Map& map, size_t limit, UsedOf&& used_of) {
    if (map.size() < limit || all_used_) return map.end();
    const auto oldest = std::min_element(
        map.begin(), map.end(), [&](const auto& a, const auto& b) { return used_of(a.second) < used_of(b.second); });
    all_used_ = used_of(oldest->second) > began_;
    return all_used_ ? map.end() : oldest;
  }

  // Between cycles, for a map with more than limit entries: all entries used before this time must be removed.
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
  bool all_used_ = false;  // the current cycle has used all entries of the full map
};

}  // namespace berth::cache

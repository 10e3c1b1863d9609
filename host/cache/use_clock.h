// Who was used last, for things that are kept up to a limit: what the running cycle has used may be pointed at, so it
// stays, and the limit is passed instead. Thread: scheduling thread.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace berth::cache {

class UseClock {
 public:
  using Time = uint64_t;

  Time Use() { return ++now_; }
  void BeginCycle() { began_ = now_; }

  // Which entry of a full map is to make room: the one used longest ago. end() when the map holds fewer than limit, or
  // when the running cycle has used them all. used_of(value) -> Time.
  template <class Map, class UsedOf>
  typename Map::iterator ToEvict(Map& map, size_t limit, UsedOf&& used_of) const {
    if (map.size() < limit) return map.end();
    const auto oldest = std::min_element(
        map.begin(), map.end(), [&](const auto& a, const auto& b) { return used_of(a.second) < used_of(b.second); });
    return used_of(oldest->second) > began_ ? map.end() : oldest;
  }

 private:
  Time now_ = 0, began_ = 0;
};

}  // namespace berth::cache

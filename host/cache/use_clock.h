// Who was used last, for things that are kept up to a limit: what the running cycle has used may be pointed at, so it
// stays, and the limit is passed instead. Thread: scheduling thread.
#pragma once

#include <cstdint>

namespace berth::cache {

class UseClock {
 public:
  using Time = uint64_t;

  Time Use() { return ++now_; }
  void BeginCycle() { began_ = now_; }
  bool UsedInCycle(Time used) const { return used > began_; }

 private:
  Time now_ = 0, began_ = 0;
};

}  // namespace berth::cache

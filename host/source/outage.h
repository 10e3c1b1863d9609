// Since when a watch is broken, and why. A server that accepts a watch and ends it at once does not mend it: either
// something has come, or the watch must stand for a second. Thread: any. Ownership: the clock outlives it.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>

#include "base/clock.h"

namespace berth::source {

class Outage {
 public:
  struct State {
    int64_t since_unix_ns, lasted_ns;
    std::string why;  // the last failure
  };
  explicit Outage(const base::Clock& clock) : clock_(clock) {}

  void Broke(std::string why);
  void Accepted();  // the server has begun to answer
  void Mended();
  // nullopt: the watch is not broken.
  std::optional<State> state() const;

 private:
  bool Stands() const;  // mutex_ is held

  const base::Clock& clock_;
  mutable std::mutex mutex_;  // guards what follows
  bool broken_ = false;
  int64_t since_unix_ns_ = 0, since_mono_ns_ = 0;
  std::optional<int64_t> accepted_mono_ns_;  // the watch that is open now
  std::string why_;
};

}  // namespace berth::source

// Records since when a watch is broken, and why. An accepted watch ends the outage only if the server sends something
// or keeps the watch open for a second. Thread: any. Ownership: the clock must outlive it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/thread_annotations.h"

namespace berth::reflector {

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
  bool Stands() const REQUIRES(mutex_);

  const base::Clock& clock_;
  mutable base::Mutex mutex_;
  bool broken_ GUARDED_BY(mutex_) = false;
  int64_t since_unix_ns_ GUARDED_BY(mutex_) = 0, since_mono_ns_ GUARDED_BY(mutex_) = 0;
  std::optional<int64_t> accepted_mono_ns_ GUARDED_BY(mutex_);  // of the watch that is open now
  std::string why_ GUARDED_BY(mutex_);
};

}  // namespace berth::reflector

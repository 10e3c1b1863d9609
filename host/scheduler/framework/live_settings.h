// The part of a policy that belongs to no profile and changes while the scheduler runs. Thread: a value.
#pragma once

#include <cstdint>

namespace berth::framework {

struct LiveSettings {
  uint32_t parallelism = 16;  // > 0
  int64_t pod_initial_backoff_ns = 1'000'000'000;
  int64_t pod_max_backoff_ns = 10'000'000'000;
  int verbosity = 0;  // of the log; >= 0
  bool operator==(const LiveSettings&) const = default;
};

}  // namespace berth::framework

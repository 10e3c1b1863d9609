// The host's pod behind the view that a plugin was shown: each berth_pod that crosses the ABI is the `abi` of one, and
// plugins must pass no other. Thread: as the pod.
#pragma once

#include <cstddef>

#include "api/pod.h"

namespace berth::plugin {

inline const api::Pod& PodOf(const berth_pod& view) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Winvalid-offsetof"  // api::Pod has no virtual base
  constexpr size_t kOffset = offsetof(api::Pod, abi);
#pragma GCC diagnostic pop
  return *reinterpret_cast<const api::Pod*>(reinterpret_cast<const char*>(&view) - kOffset);
}

}  // namespace berth::plugin

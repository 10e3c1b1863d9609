// The QoS class of a pod, computed from its resources as the API server computes status.qosClass. Thread: any. Source:
// k8s.io/kubernetes pkg/apis/core/v1/helper/qos/qos.go ComputePodQOS.
#pragma once

#include <berth/plugin.hpp>

namespace plugins {

// In the order of precedence.
enum class QosClass { kBestEffort, kBurstable, kGuaranteed };

class QosClasses {
 public:
  explicit QosClasses(berth::sdk::Host& host) : cpu_(host.Intern("cpu")), memory_(host.Intern("memory")) {}

  QosClass Of(const berth::sdk::Pod& pod) const {
    const berth_resources& resources = pod.resources();
    Sums requests, limits;
    bool limited = true;  // each list of limits has cpu and memory
    if ((resources.has & BERTH_RESOURCES_POD_LEVEL) != 0) {
      Add(resources.pod_requests, requests);
      // Upstream does not look at what pod-level resources limit if they limit nothing at all.
      limited = Add(resources.pod_limits, limits) || resources.pod_limits.n == 0;
    } else {
      for (const berth_container& container : pod.containers()) {
        Add(container.requests, requests);
        if (!Add(container.limits, limits)) limited = false;
      }
    }
    if (requests.empty() && limits.empty()) return QosClass::kBestEffort;
    return limited && requests == limits ? QosClass::kGuaranteed : QosClass::kBurstable;
  }

 private:
  // Amounts that are not positive do not count, so 0 means that there is none.
  struct Sums {
    unsigned __int128 cpu = 0, memory = 0;
    bool empty() const { return cpu == 0 && memory == 0; }
    bool operator==(const Sums&) const = default;
  };

  // Whether the list has both resources.
  bool Add(const berth_list& amounts, Sums& sums) const {
    bool cpu = false, memory = false;
    for (const berth_amount& amount : berth::sdk::List<berth_amount>(amounts)) {
      if (amount.value <= 0) continue;
      if (amount.name == cpu_) sums.cpu += static_cast<uint64_t>(amount.value), cpu = true;
      if (amount.name == memory_) sums.memory += static_cast<uint64_t>(amount.value), memory = true;
    }
    return cpu && memory;
  }

  berth::sdk::Id cpu_, memory_;
};

}  // namespace plugins

// The pods that a trial removes from a node, and the exclusive resources of their containers. The host copies it with
// each trial. Source: pkg/noderesourcetopology/{prefilter.go,preemption/preemption.go} of
// kubernetes-sigs/scheduler-plugins. Thread: one at a time.
#pragma once

#include <berth/plugin.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "../common/qos_class.h"
#include "demand.h"
#include "placement.h"

namespace plugins::node_topology {

// The resources that a container releases.
struct Release {
  uint64_t container;  // its hash
  berth::sdk::Id name;
  int64_t amount;
  bool device;  // it counts only if the node's zones list it
};

class Victims {
 public:
  bool empty() const { return victims_.empty(); }

  void Add(const berth::sdk::Host& host, const berth::sdk::Pod& pod, QosClass qos) {
    Remove(pod);
    Victim& victim = victims_.emplace_back();
    victim.uid = pod.uid();
    for (const berth_container& container : pod.containers()) {
      if (container.kind == BERTH_CONTAINER_APP) AddContainer(host, pod, container, qos, victim.releases);
    }
  }
  void Remove(const berth::sdk::Pod& pod) {
    std::erase_if(victims_, [&pod](const Victim& victim) { return victim.uid == pod.uid(); });
  }

  template <class Each>
  void ForEachRelease(Each&& each) const {
    for (const Victim& victim : victims_) {
      for (const Release& release : victim.releases) each(release);
    }
  }

 private:
  struct Victim {
    std::string uid;
    std::vector<Release> releases;
  };

  static void AddContainer(const berth::sdk::Host& host, const berth::sdk::Pod& pod, const berth_container& container,
                           QosClass qos, std::vector<Release>& releases) {
    const uint64_t hash = HashOfContainer(host.Text(pod.ns()), pod.name(), host.Text(container.name));
    for (const berth_amount& amount : berth::sdk::List<berth_amount>(container.requests)) {
      const std::string_view name = host.Text(amount.name);
      const bool device = !IsNative(name);
      if (device || (qos == QosClass::kGuaranteed && IsExclusive(name, amount.value))) {
        releases.push_back({hash, amount.name, amount.value, device});
      }
    }
  }

  std::vector<Victim> victims_;
};

}  // namespace plugins::node_topology

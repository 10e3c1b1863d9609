// The data that the plugin reads from the JSON of a pod: its node, the scheduler that chose the node, and whether it
// has exclusive resources. Source: pkg/noderesourcetopology/resourcerequests/exclusive.go and
// podprovider/podprovider.go of kubernetes-sigs/scheduler-plugins; pkg/apis/core/v1/helper/qos of k8s.io/kubernetes.
// Thread: any.
#pragma once

#include <berth/objects.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../common/quantity_text.h"
#include "demand.h"

namespace plugins::node_topology {

struct ContainerFacts {
  std::string name;
  bool exclusive = false;            // it has exclusive CPUs, memory, or hugepages
  std::vector<std::string> devices;  // what it requests; exclusive if zones list it
};
struct PodFacts {
  std::string uid, ns, name, node, scheduler, phase;
  std::vector<ContainerFacts> containers;  // those that may have exclusive resources
};

class PodReader {
 public:
  explicit PodReader(const berth::sdk::Objects& objects) : objects_(objects) {}

  PodFacts Read(const berth::sdk::Object& pod) const {
    PodFacts facts;
    facts.uid = pod.uid();
    facts.ns = pod.ns();
    facts.name = pod.name();
    facts.node = pod.At("spec", "nodeName").AsString();
    facts.scheduler = pod.At("spec", "schedulerName").AsString();
    facts.phase = pod.At("status", "phase").AsString();
    const bool guaranteed = IsGuaranteed(pod);
    const Value inits = pod.At("spec", "initContainers"), apps = pod.At("spec", "containers");
    for (uint32_t i = 0; i < inits.size(); ++i) {
      if (inits[i].Get("restartPolicy").AsString() == "Always") AddContainer(inits[i], guaranteed, facts);
    }
    for (uint32_t i = 0; i < apps.size(); ++i) AddContainer(apps[i], guaranteed, facts);
    return facts;
  }

 private:
  using Value = berth::sdk::Value;

  void AddContainer(const Value& container, bool guaranteed, PodFacts& facts) const {
    const Value requests = container.Get("resources").Get("requests");
    ContainerFacts own;
    for (uint32_t i = 0; i < requests.size(); ++i) {
      const std::string_view name = requests.KeyAt(i);
      if (!IsNative(name)) own.devices.emplace_back(name);
      own.exclusive = own.exclusive || (guaranteed && IsExclusive(name, Milli(requests[i])));
    }
    if (!own.exclusive && own.devices.empty()) return;
    own.name = container.Get("name").AsString();
    facts.containers.push_back(std::move(own));
  }
  int64_t Milli(const Value& amount) const { return objects_.Milli(QuantityText(amount)).value_or(0); }

  // Reads it from the status. If it is missing, computes it as the API server does.
  bool IsGuaranteed(const berth::sdk::Object& pod) const {
    const std::string_view said = pod.At("status", "qosClass").AsString();
    if (!said.empty()) return said == "Guaranteed";
    const Value of_pod = pod.At("spec", "resources");
    Sums sums;
    if (of_pod.is_object()) {
      Add(of_pod, sums);
    } else {
      AddAll(pod.At("spec", "initContainers"), sums);
      AddAll(pod.At("spec", "containers"), sums);
    }
    return sums.any && sums.limited && sums.cpu == 0 && sums.memory == 0;
  }
  struct Sums {
    __int128 cpu = 0, memory = 0;  // requests without limits
    bool any = false;              // requests or limits
    bool limited = true;           // each has both limits
  };
  void AddAll(const Value& containers, Sums& sums) const {
    for (uint32_t i = 0; i < containers.size(); ++i) Add(containers[i].Get("resources"), sums);
  }
  void Add(const Value& resources, Sums& sums) const {
    const Value requests = resources.Get("requests"), limits = resources.Get("limits");
    for (const std::string_view name : {"cpu", "memory"}) {
      const int64_t request = std::max<int64_t>(0, Milli(requests.Get(name)));
      const int64_t limit = std::max<int64_t>(0, Milli(limits.Get(name)));
      (name == "cpu" ? sums.cpu : sums.memory) += static_cast<__int128>(request) - limit;
      sums.any = sums.any || request > 0 || limit > 0;
      sums.limited = sums.limited && limit > 0;
    }
  }

  const berth::sdk::Objects& objects_;
};

}  // namespace plugins::node_topology

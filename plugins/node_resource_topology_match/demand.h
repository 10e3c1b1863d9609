// The requests of a pod, prepared for comparison with the cells of a board: by container, and for the pod as a whole.
// Source: GetPodEffectiveRequest of pkg/util/resource.go, and pkg/noderesourcetopology/{filter,numaresources}.go of
// kubernetes-sigs/scheduler-plugins. Thread: made and used in one call.
#pragma once

#include <berth/plugin.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>
#include <vector>

#include "../common/bounded_amount.h"
#include "../common/qos_class.h"
#include "../common/resource_names.h"
#include "board.h"

namespace plugins::node_topology {

// A name without a domain, or with one of Kubernetes.
inline bool IsNative(std::string_view name) {
  return name.find('/') == name.npos || name.find("kubernetes.io/") != name.npos;
}
// Zones have it always, and pods get it exclusively if their class is Guaranteed.
inline bool IsShareable(std::string_view name) {
  return name == "cpu" || name == "memory" || name.starts_with("hugepages-");
}

// Whether a container of a pod of the class Guaranteed gets this amount exclusively. CPUs in thousandths.
inline bool IsExclusive(std::string_view name, int64_t amount) {
  return IsShareable(name) && amount > 0 && (name != "cpu" || amount % 1000 == 0);
}

// A resource that the pod names.
struct Resource {
  enum class Offer : uint8_t { kEveryNode, kSomeNodes, kNoNode };

  berth::sdk::Id name = berth::sdk::kNoId;
  Offer offer = Offer::kNoNode;
  bool soft = false;        // any amount satisfies the pod
  bool host_level = false;  // may belong to no zone
  bool cpu = false;
  int64_t weight = 1;
  const int64_t* cells = nullptr;        // of the board; null: no zone lists it
  const int64_t* allocatable = nullptr;  // of the snapshot; null: no node has it
};
struct Want {
  uint32_t resource;  // its place
  int64_t amount;
};
struct Part {
  uint32_t kind;  // BERTH_CONTAINER_*
  std::vector<Want> wants;
};

class Demand {
 public:
  Demand(const berth::sdk::Host& host, const berth::sdk::Pod& pod, QosClass qos)
      : host_(host), guaranteed_(qos == QosClass::kGuaranteed) {
    for (const berth_container& container : pod.containers()) {
      Part& part = containers_.emplace_back(Part{container.kind, {}});
      for (const berth_amount& amount : berth::sdk::List<berth_amount>(container.requests)) {
        part.wants.push_back({PlaceOf(amount.name), amount.value});
      }
    }
    SumUp(pod);
  }

  // In the order in which they start.
  const std::vector<Part>& containers() const { return containers_; }
  const std::vector<Want>& pod() const { return pod_; }
  const std::vector<Resource>& resources() const { return resources_; }
  std::vector<Resource>& resources() { return resources_; }
  bool guaranteed() const { return guaranteed_; }
  // Whether a container names a resource of a device.
  bool devices() const { return devices_; }

  void ReadZones(const Board& board) {
    for (Resource& resource : resources_) resource.cells = board.Column(resource.name);
  }
  void ReadNodes(const berth::sdk::Snapshot& snap) {
    for (Resource& resource : resources_) {
      const auto column = snap.Int64(BERTH_NODE_ALLOCATABLE, resource.name);
      resource.allocatable = column ? column->data() : nullptr;
    }
  }

 private:
  uint32_t PlaceOf(berth::sdk::Id name) {
    const auto same = [name](const Resource& resource) { return resource.name == name; };
    const auto place = std::find_if(resources_.begin(), resources_.end(), same) - resources_.begin();
    if (place == std::ssize(resources_)) Add(name);
    return static_cast<uint32_t>(place);
  }
  void Add(berth::sdk::Id name) {
    const std::string_view text = host_.Text(name);
    const bool basic = text == "cpu" || text == "memory" || text == "pods" || text == "ephemeral-storage";
    Resource& resource = resources_.emplace_back();
    resource.name = name;
    resource.cpu = text == "cpu";
    resource.soft = !guaranteed_ && IsShareable(text);
    resource.host_level = text == "ephemeral-storage" || text == "storage" || !IsNative(text);
    if (basic) resource.offer = Resource::Offer::kEveryNode;
    if (!basic && IsScalarResourceName(text)) resource.offer = Resource::Offer::kSomeNodes;
    devices_ = devices_ || !IsNative(text);
  }

  // The larger of the sum of the containers and of the largest init container, and the overhead. A sidecar counts as an
  // init container.
  void SumUp(const berth::sdk::Pod& pod) {
    std::vector<Want> inits;
    for (const Part& part : containers_) {
      for (const Want& want : part.wants) {
        if (part.kind == BERTH_CONTAINER_APP) {
          Add(At(pod_, want.resource), want.amount);
        } else {
          Raise(At(inits, want.resource), want.amount);
        }
      }
    }
    for (const Want& want : inits) Raise(At(pod_, want.resource), want.amount);
    const bool devices = devices_;  // the overhead is no container
    for (const berth_amount& amount : berth::sdk::List<berth_amount>(pod.resources().overhead)) {
      Add(At(pod_, PlaceOf(amount.name)), amount.value);
    }
    devices_ = devices;
  }
  static void Add(Want& want, int64_t amount) { want.amount = SaturatedSum(want.amount, amount); }
  static void Raise(Want& want, int64_t amount) { want.amount = std::max(want.amount, amount); }
  static Want& At(std::vector<Want>& wants, uint32_t resource) {
    const auto same = [resource](const Want& want) { return want.resource == resource; };
    const auto at = std::find_if(wants.begin(), wants.end(), same);
    return at == wants.end() ? wants.emplace_back(Want{resource, 0}) : *at;
  }

  const berth::sdk::Host& host_;
  const bool guaranteed_;
  bool devices_ = false;
  std::vector<Resource> resources_;
  std::vector<Part> containers_;
  std::vector<Want> pod_;
};

}  // namespace plugins::node_topology

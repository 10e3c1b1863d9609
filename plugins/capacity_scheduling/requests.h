// What a pod requests, as CapacityScheduling counts it: per resource, the sum over its containers or the largest init
// container, then the overhead. Sidecars count as init containers, and pod-level resources do not count.
// Source: computePodResourceRequest in pkg/capacityscheduling/capacity_scheduling.go of
// kubernetes-sigs/scheduler-plugins. Thread: any. Ownership: owns the ids of four resource names; ids in an answer live
// as long as the pod.
#pragma once

#include <berth/plugin.hpp>

#include <array>
#include <cstddef>
#include <optional>

#include "amounts.h"

namespace plugins::capacity_scheduling {

using berth::sdk::Host;
using berth::sdk::Pod;

class ResourceIds {
 public:
  explicit ResourceIds(Host& host)
      : ids_{host.Intern("cpu"), host.Intern("memory"), host.Intern("ephemeral-storage"), host.Intern("pods")} {}

  std::optional<Native> NativeOf(Id name) const {
    for (size_t i = 0; i < kNatives; ++i) {
      if (ids_[i] == name) return static_cast<Native>(i);
    }
    return std::nullopt;
  }

 private:
  std::array<Id, kNatives> ids_;
};

class Requests {
 public:
  explicit Requests(const ResourceIds& ids) : ids_(ids) {}

  Amounts Of(const Pod& pod) const {
    Amounts sum;
    for (const berth_container& container : pod.containers()) {
      if (container.kind == BERTH_CONTAINER_APP) Add(container.requests, sum);
    }
    for (const berth_container& container : pod.containers()) {
      if (container.kind != BERTH_CONTAINER_APP) Raise(container.requests, sum);
    }
    Add(pod.resources().overhead, sum);
    return sum;
  }

 private:
  using List = berth::sdk::List<berth_amount>;

  void Add(const List& amounts, Amounts& sum) const {
    for (const berth_amount& amount : amounts) {
      if (int64_t* cell = CellOf(amount, sum)) *cell = Sum(*cell, amount.value);
    }
  }
  // SetMaxResource
  void Raise(const List& amounts, Amounts& sum) const {
    for (const berth_amount& amount : amounts) {
      const auto native = ids_.NativeOf(amount.name);
      if (native == kPods || (!native && amount.value <= sum.Of(amount.name))) continue;
      if (int64_t* cell = CellOf(amount, sum)) *cell = std::max(*cell, amount.value);
    }
  }
  // Null: the resource is not counted.
  int64_t* CellOf(const berth_amount& amount, Amounts& sum) const {
    if (const auto native = ids_.NativeOf(amount.name)) return &sum[*native];
    return (amount.flags & BERTH_AMOUNT_SCALAR) != 0 ? &sum.At(amount.name) : nullptr;
  }

  const ResourceIds& ids_;
};

}  // namespace plugins::capacity_scheduling

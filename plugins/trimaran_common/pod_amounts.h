// The requests of a pod, as these plugins count them: init containers raise the sum, also sidecars, and resources of
// the pod itself do not count. Amounts are bounded, and those of a pod together, so that the sums of a node stay exact
// when pods come and go. Pure; thread: any. Source: GetEffectiveResource and SetMaxLimits in
// pkg/trimaran/resourcestats.go of kubernetes-sigs/scheduler-plugins.
#pragma once

#include <berth/plugin.hpp>

#include <algorithm>
#include <cstdint>

#include "../common/bounded_amount.h"

namespace plugins::trimaran {

struct Amounts {
  int64_t cpu = 0, memory = 0;  // thousandths of a CPU; bytes

  Amounts& operator+=(const Amounts& other) {
    cpu += other.cpu;
    memory += other.memory;
    return *this;
  }
  Amounts& operator-=(const Amounts& other) {
    cpu -= other.cpu;
    memory -= other.memory;
    return *this;
  }
  void Bound() {
    cpu = BoundedAmount(cpu);
    memory = BoundedAmount(memory);
  }
  void Raise(const Amounts& other) {
    cpu = std::max(cpu, other.cpu);
    memory = std::max(memory, other.memory);
  }
  bool operator==(const Amounts&) const = default;
};

// The two together, where limits are at least the requests.
struct Bounds {
  Amounts requests, limits;
  bool operator==(const Bounds&) const = default;
};

class PodAmounts {
 public:
  explicit PodAmounts(berth::sdk::Host& host) : cpu_(host.Intern("cpu")), memory_(host.Intern("memory")) {}

  berth::sdk::Id cpu() const { return cpu_; }
  berth::sdk::Id memory() const { return memory_; }

  Amounts RequestsOf(const berth::sdk::Pod& pod) const { return Effective(pod, &berth_container::requests); }
  Amounts LimitsOf(const berth::sdk::Pod& pod) const { return Effective(pod, &berth_container::limits); }
  Bounds BoundsOf(const berth::sdk::Pod& pod) const {
    Bounds bounds{RequestsOf(pod), LimitsOf(pod)};
    bounds.limits.Raise(bounds.requests);
    return bounds;
  }
  Amounts Of(berth::sdk::List<berth_amount> list) const {
    Amounts amounts;
    for (const berth_amount& amount : list) {
      if (amount.name == cpu_) amounts.cpu = amount.value;
      if (amount.name == memory_) amounts.memory = amount.value;
    }
    amounts.Bound();
    return amounts;
  }

 private:
  Amounts Effective(const berth::sdk::Pod& pod, berth_list berth_container::*which) const {
    Amounts sum;
    for (const berth_container& container : pod.containers()) {
      if (container.kind == BERTH_CONTAINER_APP) Add(Of(container.*which), sum);
    }
    for (const berth_container& container : pod.containers()) {
      if (container.kind != BERTH_CONTAINER_APP) sum.Raise(Of(container.*which));
    }
    Add(Of(pod.resources().overhead), sum);
    return sum;
  }
  static void Add(const Amounts& amounts, Amounts& sum) {
    sum += amounts;
    sum.Bound();
  }

  const berth::sdk::Id cpu_, memory_;
};

}  // namespace plugins::trimaran

// The quotas of the namespaces, what the pods of each namespace use, and the sums over all quotas.
//
// What a namespace uses is the sum over its pods that have a node, assumed pods included. It is known without a quota
// too, so that a quota that comes later starts with it. A namespace without pods and quota is dropped.
//
// Thread: [serial]; the quotas do not change during a scheduling cycle. Ownership: owns the ids of namespaces; the host
// outlives it. Source: pkg/capacityscheduling/elasticquota.go of kubernetes-sigs/scheduler-plugins.
#pragma once

#include <berth/plugin.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

#include "amounts.h"
#include "elastic_quota.h"

namespace plugins::capacity_scheduling {

struct Namespace {
  uint64_t pods = 0;
  Amounts used;
  std::optional<Limits> quota;
};

// usedOverMaxWith, usedOverMinWith, usedOverMin: of a namespace with this quota and this usage.
inline bool OverMaxWith(const Limits& quota, const Amounts& used, const Amounts& request) {
  return Exceeds(request, used, quota.max, kUnlimited);
}
inline bool OverMinWith(const Limits& quota, const Amounts& used, const Amounts& request) {
  return Exceeds(request, used, quota.min, 0);
}
inline bool OverMin(const Limits& quota, const Amounts& used) { return Exceeds(used, {}, quota.min, 0); }

// aggregatedUsedOverMinWith: of all quotas together.
inline bool PoolOverMinWith(const Amounts& used, const Amounts& min, const Amounts& request) {
  return Exceeds(request, used, min, 0) || ScalarsExceed(used, request, min, 0);
}

class Quotas {
 public:
  explicit Quotas(Host& host) : host_(host) {}
  Quotas(const Quotas&) = delete;
  Quotas& operator=(const Quotas&) = delete;

  // Null: the namespace has no quota.
  const Namespace* With(Id ns) const {
    const auto at = namespaces_.find(ns);
    return at != namespaces_.end() && at->second.quota ? &at->second : nullptr;
  }
  bool none() const { return quotas_ == 0; }
  const Amounts& used() const { return used_; }  // of all namespaces that have a quota
  const Amounts& min() const { return min_; }

  void PodCame(Id ns, const Amounts& request) {
    Namespace& one = At(ns);
    ++one.pods;
    one.used.Add(request);
    one.used.DropZeros();
    if (!one.quota) return;
    used_.Add(request);
    used_.DropZeros();
  }
  void PodLeft(Id ns, const Amounts& request) {
    const auto at = namespaces_.find(ns);
    if (at == namespaces_.end()) return;
    Namespace& one = at->second;
    --one.pods;
    one.used.Subtract(request);
    one.used.DropZeros();
    if (one.quota) {
      used_.Subtract(request);
      used_.DropZeros();
    }
    Forget(ns, one);
  }
  // nullopt: the namespace has none any more.
  void Set(Id ns, std::optional<Limits> quota) {
    Namespace& one = At(ns);
    Count(one, &Amounts::Subtract, -1);
    one.quota = std::move(quota);
    Count(one, &Amounts::Add, +1);
    used_.DropZeros();
    min_.DropZeros();
    Forget(ns, one);
  }

  // What the pods use, by namespace.
  std::string Dump() const {
    std::map<std::string, std::string> lines;
    for (const auto& [ns, one] : namespaces_) {
      if (one.pods != 0) lines[std::string(host_.Text(ns))] = std::to_string(one.pods) + TextOf(one.used);
    }
    std::string text;
    for (const auto& [ns, line] : lines) text += ns + " " + line + "\n";
    return text;
  }

 private:
  Namespace& At(Id ns) {
    const auto [at, is_new] = namespaces_.try_emplace(ns);
    if (is_new) host_.Keep(ns);
    return at->second;
  }
  void Forget(Id ns, const Namespace& one) {
    if (one.pods != 0 || one.quota) return;
    namespaces_.erase(ns);
    host_.Drop(ns);
  }
  void Count(const Namespace& one, void (Amounts::*change)(const Amounts&), int32_t n) {
    if (!one.quota) return;
    (used_.*change)(one.used);
    (min_.*change)(one.quota->min);
    quotas_ += n;
  }
  std::string TextOf(const Amounts& amounts) const {
    std::string text;
    for (const Native native : {kCpu, kMemory, kEphemeralStorage, kPods}) text += " " + std::to_string(amounts[native]);
    std::map<std::string, int64_t> scalars;
    for (const Scalar& scalar : amounts.scalars()) scalars[std::string(host_.Text(scalar.name))] = scalar.value;
    for (const auto& [name, value] : scalars) text += " " + name + "=" + std::to_string(value);
    return text;
  }

  Host& host_;
  std::unordered_map<Id, Namespace> namespaces_;
  Amounts used_, min_;
  int32_t quotas_ = 0;
};

}  // namespace plugins::capacity_scheduling

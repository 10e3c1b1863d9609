// Keeps the quotas up to date: their objects, and the pods that come to nodes and leave them.
// Thread: [serial]. Ownership: the host outlives it.
#pragma once

#include <berth/objects.hpp>
#include <berth/plugin.hpp>

#include <optional>

#include "elastic_quota.h"
#include "quotas.h"
#include "requests.h"

namespace plugins::capacity_scheduling {

class Books {
 public:
  explicit Books(Host& host)
      : host_(host), objects_(host), ids_(host), requests_(ids_), reader_(host, objects_, ids_), quotas_(host) {}

  const Quotas& quotas() const { return quotas_; }
  const Requests& requests() const { return requests_; }

  void Activate() { kind_ = objects_.Need("scheduling.x-k8s.io", "v1alpha1", "elasticquotas"); }

  // If a namespace has several quotas, the first by name counts.
  void ObjectChanged(berth::sdk::ObjectKind kind, const berth::sdk::Object& before, const berth::sdk::Object& now) {
    if (kind != kind_) return;
    const std::string_view ns = now ? now.ns() : before.ns();
    const berth::sdk::ObjectList all = objects_.All(kind_, ns);
    const Id id = host_.Intern(ns);
    quotas_.Set(id, all.empty() ? std::nullopt : std::optional(reader_.Read(all[0])));
    host_.Drop(id);
  }

  void Take(const berth::sdk::List<berth_delta>& deltas) {
    for (const berth_delta& delta : deltas) {
      const Pod pod(delta.pod);
      if (delta.kind == BERTH_DELTA_POD_ADD) quotas_.PodCame(pod.ns(), requests_.Of(pod));
      if (delta.kind == BERTH_DELTA_POD_REMOVE) quotas_.PodLeft(pod.ns(), requests_.Of(pod));
    }
  }

 private:
  Host& host_;
  const berth::sdk::Objects objects_;
  const ResourceIds ids_;
  const Requests requests_;
  const LimitsReader reader_;
  Quotas quotas_;
  berth::sdk::ObjectKind kind_ = 0;
};

}  // namespace plugins::capacity_scheduling

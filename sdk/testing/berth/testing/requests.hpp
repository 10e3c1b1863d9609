// Effective requests of a pod, by Kubernetes' rules (source: k8s.io/component-helpers/resource/helpers.go,
// PodRequests): the sum of app containers and sidecars, or the largest step of the init containers if that is more,
// then overhead; spec.resources takes the place of the sums of cpu, memory and hugepages.
#pragma once

#include <algorithm>
#include <map>
#include <string>

#include "berth/host.h"
#include "berth/testing/strings.hpp"
#include "berth/views.hpp"

namespace berth::sdk::testing {

using Totals = std::map<std::string, int64_t>;  // by resource name: sorted as the ABI wants it

inline Totals TotalsOf(List<berth_amount> amounts) {
  Totals totals;
  for (const berth_amount& one : amounts) totals[TextOf(one.name)] = one.value;
  return totals;
}
inline void AddTo(Totals& totals, const Totals& more) {
  for (const auto& [name, value] : more) totals[name] += value;
}
inline void RaiseTo(Totals& totals, const Totals& least) {
  for (const auto& [name, value] : least) {
    const auto [at, fresh] = totals.emplace(name, value);
    if (!fresh) at->second = std::max(at->second, value);
  }
}

// flags: BERTH_REQUESTS_SKIP_POD_LEVEL and BERTH_REQUESTS_NON_MISSING. USE_STATUS changes nothing: fake pods have no
// status.
inline Totals EffectiveRequests(const berth_resources& resources, uint32_t flags) {
  Totals sum, sidecars, init;
  for (const berth_container& container : List<berth_container>(resources.containers)) {
    Totals requests = TotalsOf(container.requests);
    if (flags & BERTH_REQUESTS_NON_MISSING) {
      requests.emplace("cpu", 100);
      requests.emplace("memory", int64_t{200} << 20);
    }
    if (container.kind == BERTH_CONTAINER_APP) {
      AddTo(sum, requests);
    } else if (container.kind == BERTH_CONTAINER_SIDECAR) {
      AddTo(sum, requests);
      AddTo(sidecars, requests);
      RaiseTo(init, sidecars);
    } else {
      AddTo(requests, sidecars);
      RaiseTo(init, requests);
    }
  }
  RaiseTo(sum, init);
  if ((resources.has & BERTH_RESOURCES_POD_LEVEL) && !(flags & BERTH_REQUESTS_SKIP_POD_LEVEL)) {
    for (const auto& [name, value] : TotalsOf(resources.pod_requests)) sum[name] = value;
  }
  AddTo(sum, TotalsOf(resources.overhead));
  return sum;
}

}  // namespace berth::sdk::testing

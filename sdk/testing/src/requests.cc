#include "berth/testing/requests.hpp"

#include <algorithm>

namespace berth::sdk::testing {

Totals TotalsOf(List<berth_amount> amounts) {
  Totals totals;
  for (const berth_amount& one : amounts) totals[TextOf(one.name)] = one.value;
  return totals;
}

void AddTo(Totals& totals, const Totals& more) {
  for (const auto& [name, value] : more) totals[name] += value;
}

void RaiseTo(Totals& totals, const Totals& least) {
  for (const auto& [name, value] : least) {
    const auto [at, fresh] = totals.emplace(name, value);
    if (!fresh) at->second = std::max(at->second, value);
  }
}

Totals EffectiveRequests(const berth_resources& resources, uint32_t flags) {
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

// Effective requests of a pod, by Kubernetes' rules (source: k8s.io/component-helpers/resource/helpers.go,
// PodRequests): the sum of app containers and sidecars, or the largest step of the init containers if that is more,
// then overhead; spec.resources replaces the sums of cpu, memory, and hugepages.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "berth/host.h"
#include "berth/testing/strings.hpp"
#include "berth/views.hpp"

namespace berth::sdk::testing {

using Totals = std::map<std::string, int64_t>;  // by resource name: sorted as the ABI wants it

Totals TotalsOf(List<berth_amount> amounts);
void AddTo(Totals& totals, const Totals& more);
void RaiseTo(Totals& totals, const Totals& least);

// flags: BERTH_REQUESTS_SKIP_POD_LEVEL and BERTH_REQUESTS_NON_MISSING. USE_STATUS changes nothing: fake pods have no
// status.
Totals EffectiveRequests(const berth_resources& resources, uint32_t flags);

}  // namespace berth::sdk::testing

// What a running pod counts in the quota of its namespace. Source: computePodResourceRequest in
// kubernetes-sigs/scheduler-plugins pkg/controllers/elasticquota_controller.go. Differs: the overhead counts, as in the
// plugin CapacityScheduling, where the original computes it and drops the sum. Thread: any; pure.
#pragma once

#include <vector>

#include "controllers/rules/resource_amounts.h"

namespace berth::rules {

struct PodRequestParts {
  std::vector<Amounts> containers, init_containers;  // requests of each
  Amounts overhead;
};

// For each resource: the sum of all containers, or the largest init container if that is more; and the overhead.
Amounts RequestsOf(PodRequestParts parts);

}  // namespace berth::rules

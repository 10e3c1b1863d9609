// ElasticQuota (scheduling.x-k8s.io/v1alpha1), and the used amounts. Source: kubernetes-sigs/scheduler-plugins
// apis/scheduling/v1alpha1/types.go, pkg/controllers/elasticquota_controller.go. Thread: any; values and pure
// functions.
#pragma once

#include <string_view>

#include "base/result.h"
#include "controllers/rules/object_meta.h"
#include "controllers/rules/resource_amounts.h"

namespace berth::rules {

struct ElasticQuota {
  ObjectMeta meta;
  Amounts min, max;
  Amounts used;  // status.used
};

// Error: names the object and the field.
base::Result<ElasticQuota> ReadElasticQuota(std::string_view json);

// Zero of each resource in min or max. The caller adds the requests of all running pods of the namespace, which may
// name more resources.
Amounts NothingUsed(const ElasticQuota& quota);

}  // namespace berth::rules

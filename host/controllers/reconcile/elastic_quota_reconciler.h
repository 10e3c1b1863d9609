// The controller of ElasticQuotas: status.used. Source: kubernetes-sigs/scheduler-plugins
// pkg/controllers/elasticquota_controller.go. Differs: the Event names the quota, where the original often names a pod.
// Thread: that of the loop. Ownership: pods outlives the object.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "controllers/reconcile/object_table.h"
#include "controllers/reconcile/pod_table.h"
#include "controllers/reconcile/reconciler.h"
#include "controllers/rules/elastic_quota.h"

namespace berth::reconcile {

class ElasticQuotaReconciler final : public Reconciler {
 public:
  explicit ElasticQuotaReconciler(const PodTable& pods) : pods_(pods) {}
  ObjectTable<rules::ElasticQuota>& quotas() { return quotas_; }

  // A key is a namespace. If it has several quotas, the first one by name counts.
  std::vector<std::string> Keys() const override;
  Decision Decide(const std::string& key) const override;
  std::optional<events::EventRecord> OnWritten(std::string_view object) override;

 private:
  const rules::ElasticQuota* QuotaOf(const std::string& ns) const;

  const PodTable& pods_;
  ObjectTable<rules::ElasticQuota> quotas_;
};

}  // namespace berth::reconcile

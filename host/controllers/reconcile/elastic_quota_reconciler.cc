#include "controllers/reconcile/elastic_quota_reconciler.h"

#include <utility>

#include "controllers/rules/status_patch.h"

namespace berth::reconcile {
namespace {

std::string PathOfQuota(const rules::ObjectMeta& meta) {
  return "/apis/scheduling.x-k8s.io/v1alpha1/namespaces/" + meta.ns + "/elasticquotas/" + meta.name;
}

// Without its resourceVersion, so that the Events of a quota are one series.
events::EventRecord SyncedEvent(const rules::ObjectMeta& meta) {
  events::EventRecord record;
  record.regarding = {meta.ns, meta.name, meta.uid, "", "ElasticQuota", "scheduling.x-k8s.io/v1alpha1"};
  record.scheduler_name = "ElasticQuotaController";
  record.type = "Normal";
  record.reason = "Synced";
  record.action = "Syncing";
  record.note = "Elastic Quota " + meta.key() + " synced successfully";
  return record;
}

}  // namespace

std::vector<std::string> ElasticQuotaReconciler::Keys() const {
  std::vector<std::string> keys;
  for (const auto& [key, quota] : quotas_.all()) {
    if (keys.empty() || keys.back() != quota.meta.ns) keys.push_back(quota.meta.ns);
  }
  return keys;
}

const rules::ElasticQuota* ElasticQuotaReconciler::QuotaOf(const std::string& ns) const {
  const auto first = quotas_.all().lower_bound(rules::KeyOf(ns, ""));
  return first == quotas_.all().end() || first->second.meta.ns != ns ? nullptr : &first->second;
}

Decision ElasticQuotaReconciler::Decide(const std::string& key) const {
  const rules::ElasticQuota* quota = QuotaOf(key);
  if (quota == nullptr) return {};
  rules::Amounts used = rules::NothingUsed(*quota);
  pods_.AddRequests(key, used);
  auto patch = rules::UsedPatch(quota->used, used);
  if (!patch) return {};
  return {StatusPatchRequest(PathOfQuota(quota->meta), std::move(*patch)), {}};
}

std::optional<events::EventRecord> ElasticQuotaReconciler::OnWritten(std::string_view object) {
  auto quota = rules::ReadElasticQuota(object);
  if (!quota) return std::nullopt;
  events::EventRecord event = SyncedEvent(quota->meta);
  quotas_.SetAnswer(std::move(*quota));
  return event;
}

}  // namespace berth::reconcile

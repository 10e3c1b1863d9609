#include "controllers/reconcile/pod_group_reconciler.h"

#include <utility>

#include "controllers/rules/pod_group_phase.h"
#include "controllers/rules/status_patch.h"

namespace berth::reconcile {
namespace {

std::string PathOf(const rules::ObjectMeta& meta) {
  return "/apis/scheduling.x-k8s.io/v1alpha1/namespaces/" + meta.ns + "/podgroups/" + meta.name;
}

events::EventRecord TimeoutEvent(const rules::ObjectMeta& meta) {
  events::EventRecord record;
  record.regarding = {meta.ns, meta.name, meta.uid, "", "PodGroup", "scheduling.x-k8s.io/v1alpha1"};
  record.scheduler_name = "PodGroupController";
  record.type = "Warning";
  record.reason = "Timeout";
  record.action = "Scheduling";
  record.note = "schedule time longer than 48 hours";
  return record;
}

}  // namespace

std::vector<std::string> PodGroupReconciler::Keys() const {
  std::vector<std::string> keys;
  for (const auto& [key, group] : groups_.all()) keys.push_back(key);
  return keys;
}

Decision PodGroupReconciler::Decide(const std::string& key) const {
  const rules::PodGroup* group = groups_.Find(key);
  if (group == nullptr) return {};
  if (rules::HasTimedOut(*group)) return {{}, TimeoutEvent(group->meta)};
  const auto members = pods_.MembersOf(group->meta.ns, group->meta.name);
  auto patch = rules::GroupStatusPatch(group->status, rules::NextStatus(*group, members));
  if (!patch) return {};
  return {StatusPatchRequest(PathOf(group->meta), std::move(*patch)), {}};
}

std::optional<events::EventRecord> PodGroupReconciler::OnWritten(std::string_view object) {
  if (auto group = rules::ReadPodGroup(object)) groups_.SetAnswer(std::move(*group));
  return std::nullopt;
}

}  // namespace berth::reconcile

#include "api/draft.h"

#include <algorithm>

namespace berth::api {
namespace {

// Sorts [begin, end) by name_of, removes repeated names, and returns the new end.
template <class Iterator, class NameOf>
Iterator SortKeepLast(Iterator begin, Iterator end, NameOf name_of) {
  const auto less = [&](const auto& a, const auto& b) { return name_of(a) < name_of(b); };
  if (!std::is_sorted(begin, end, less)) std::stable_sort(begin, end, less);
  Iterator out = begin;
  for (Iterator in = begin; in != end; ++in) {
    if (out != begin && name_of(*(out - 1)) == name_of(*in)) --out;
    *out++ = *in;
  }
  return out;
}

}  // namespace

void NodeAffinityDraft::Clear() {
  has = 0;
  selector.clear();
  required.clear();
  preferred.clear();
  requirements.clear();
  values.clear();
}

void SelectorPool::Clear() {
  labels.clear();
  requirements.clear();
  texts.clear();
}

void PodAffinityDraft::Clear() {
  has = 0;
  required.clear();
  preferred.clear();
  anti_required.clear();
  anti_preferred.clear();
}

void MetadataDraft::Clear() {
  name = ns = uid = resource_version = {};
  generation = 0;
  creation_unix_ns = deletion_unix_ns = BERTH_NO_TIME;
  labels.clear();
  annotations.clear();
  controller = {};
}

void TakeCondition(const ConditionDraft& condition, bool& disrupted, PodDraft& draft) {
  if (condition.type == "PodScheduled" && draft.scheduled.type.empty()) draft.scheduled = condition;
  if (condition.type == "PodResizePending" && !draft.has_resize_pending) {
    draft.has_resize_pending = true;
    draft.resize_infeasible = condition.reason == "Infeasible";
  }
  if (condition.type == "DisruptionTarget" && !disrupted) {
    disrupted = true;
    draft.preempted = condition.status == "True" && condition.reason == "PreemptionByScheduler";
  }
}

void PodDraft::Clear() {
  metadata.Clear();
  node_name = scheduler_name = preemption_policy = priority_class = nominated_node = phase = {};
  has_priority = has_pod_level = has_resize_pending = resize_infeasible = has_pod_status = false;
  host_network = no_host_users = preempted = false;
  start_unix_ns = BERTH_NO_TIME;
  priority = 0;
  init_containers.clear();
  containers.clear();
  volume_images.clear();
  gates.clear();
  ports.clear();
  quantities.clear();
  pod_requests = pod_limits = overhead = pod_actual = pod_allocated = {};
  tolerations.clear();
  affinity.Clear();
  pod_affinity.Clear();
  spread.clear();
  selectors.Clear();
  volumes.clear();
  monitors.clear();
  resource_claims.clear();
  scheduled = {};
  statuses.clear();
  init_statuses.clear();
  claims.clear();
  extended_claim.clear();
}

void NodeDraft::Clear() {
  metadata.Clear();
  unschedulable = false;
  taints.clear();
  allocatable.clear();
  images.clear();
  image_names.clear();
  conditions.clear();
  declared_features.clear();
}

void SortUnique(std::vector<TextPair>& pairs) {
  pairs.erase(SortKeepLast(pairs.begin(), pairs.end(), [](const TextPair& p) { return p.key; }), pairs.end());
}

Range SortUniqueTail(std::vector<NamedQuantity>& quantities, uint32_t begin) {
  const auto end =
      SortKeepLast(quantities.begin() + begin, quantities.end(), [](const NamedQuantity& q) { return q.name; });
  quantities.erase(end, quantities.end());
  return {begin, static_cast<uint32_t>(quantities.size())};
}

Range SortUniqueTail(std::vector<TextPair>& pairs, uint32_t begin) {
  const auto end = SortKeepLast(pairs.begin() + begin, pairs.end(), [](const TextPair& p) { return p.key; });
  pairs.erase(end, pairs.end());
  return {begin, static_cast<uint32_t>(pairs.size())};
}

void AppendCounted(std::string& out, std::string_view text) {
  out += std::to_string(text.size());
  out += ':';
  out += text;
}

}  // namespace berth::api

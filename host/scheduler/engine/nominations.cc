#include "scheduler/engine/nominations.h"

namespace berth::engine {

berth_list Nominations::NominatedTo(berth_id node) {
  if (used_ == lists_.size()) lists_.emplace_back();
  List& list = lists_[used_++];
  queue_.NominatedPodsForNode(node, list.pods);
  list.views.clear();
  for (const api::PodRef& pod : list.pods) list.views.push_back(&pod->abi);
  return {list.views.data(), static_cast<uint32_t>(list.views.size()), sizeof(const berth_pod*)};
}

berth_list Nominations::NominatedNodes() {
  const queue::Nominator& nominator = queue_.nominator();
  if (nominator.empty()) return {nullptr, 0, sizeof(berth_id)};
  std::vector<berth_id>& nodes = nodes_.emplace_back();
  nominator.ForEachNode([&nodes](base::Id node) { nodes.push_back(node); });
  return {nodes.data(), static_cast<uint32_t>(nodes.size()), sizeof(berth_id)};
}

// kube-scheduler only writes to the API server, and the pod keeps its nomination until the update comes back. Berth
// clears the nomination in the queue as well.
void Nominations::ClearNomination(const berth_pod& pod) {
  const std::string_view uid(pod.uid.ptr, pod.uid.len);
  const base::Id in_memory = queue_.nominator().NodeOf(uid);
  const bool nominated = in_memory != base::kNoId && in_memory != base::kEmptyId;
  queue_.DeleteNominatedPodIfExists(uid);
  const std::string name(pod.name.ptr, pod.name.len);
  const api::PodRef known = pods_.ByKey(std::string(intern_.ids.Text(pod.ns)) + "/" + name);
  if (!known || known->uid() != uid || known->abi.node_name != base::kNoId) return;
  // The object may lack a nomination that the scheduler has written and not yet read back: this later write wins.
  if (known->abi.nominated_node == base::kNoId && !nominated) return;
  writes_.PatchStatus(known, {.nominated_node = std::string()});
}

bool Nominations::GiveUp(std::string_view uid, const plugin::Instance& plugin, std::string_view reason) {
  return waiting_.Preempt(uid, plugin, reason) || binding_.GiveUp(uid, std::string(reason) + " by " + plugin.name());
}

}  // namespace berth::engine

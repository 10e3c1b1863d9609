#include "engine/nominations.h"

#include "engine/engine.h"

namespace berth::engine {

berth_list Nominations::NominatedTo(berth_id node) {
  if (used_ == lists_.size()) lists_.emplace_back();
  List& list = lists_[used_++];
  engine_.queue().NominatedPodsForNode(node, list.pods);
  list.views.clear();
  for (const api::PodRef& pod : list.pods) list.views.push_back(&pod->abi);
  return {list.views.data(), static_cast<uint32_t>(list.views.size()), sizeof(const berth_pod*)};
}

// kube-scheduler waits for the API server to tell it of its own write; so long the pod would keep its place.
void Nominations::ClearNomination(const berth_pod& pod) {
  const std::string_view uid(pod.uid.ptr, pod.uid.len);
  const base::Id in_memory = engine_.queue().nominator().NodeOf(uid);
  const bool nominated = in_memory != base::kNoId && in_memory != base::kEmptyId;
  engine_.queue().DeleteNominatedPodIfExists(uid);
  const std::string name(pod.name.ptr, pod.name.len);
  const api::PodRef known = engine_.PodByKey(std::string(engine_.words_.ids.Text(pod.ns)) + "/" + name);
  if (!known || known->uid != uid || known->abi.node_name != base::kNoId) return;
  // A nomination that the object does not have yet is on its way there: the later write wins.
  if (known->abi.nominated_node == base::kNoId && !nominated) return;
  engine_.writes_.PatchStatus(known, StatusPatch{std::nullopt, std::string()});
}

bool Nominations::GiveUp(std::string_view uid, const plugin::Instance& plugin, std::string_view reason) {
  return engine_.waiting_.Preempt(uid, plugin, reason) ||
         engine_.binding_.GiveUp(uid, std::string(reason) + " by " + plugin.name());
}

}  // namespace berth::engine

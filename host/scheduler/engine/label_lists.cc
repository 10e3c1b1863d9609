#include "scheduler/engine/label_lists.h"

#include "api/selectors.h"

namespace berth::engine {

void LabelLists::Add(const api::PodRef& pod) {
  const base::Id value = api::LabelValue(*pod->abi.labels, key_.get());
  if (value == base::kNoId) return;
  List& list = lists_[Place(pod->abi.ns, value)];
  list.pods.emplace(pod->key(), pod);
  list.stale = true;
}

void LabelLists::Remove(const api::PodRef& pod) {
  const base::Id value = api::LabelValue(*pod->abi.labels, key_.get());
  if (value == base::kNoId) return;
  const auto at = lists_.find(Place(pod->abi.ns, value));
  if (at == lists_.end()) return;
  at->second.pods.erase(pod->key());
  at->second.stale = true;
  if (at->second.pods.empty()) lists_.erase(at);
}

const std::vector<const berth_pod*>& LabelLists::Of(base::Id ns, base::Id value) {
  static const std::vector<const berth_pod*> kNone;
  const auto at = lists_.find(Place(ns, value));
  if (at == lists_.end()) return kNone;
  List& list = at->second;
  if (list.stale) {
    list.views.clear();
    for (const auto& [key, pod] : list.pods) list.views.push_back(&pod->abi);
    list.stale = false;
  }
  return list.views;
}

}  // namespace berth::engine

#include "scheduler/engine/pod_lister.h"

#include "plugin/instance/known_id.h"

namespace berth::engine {

bool PodLister::Set(const api::PodRef& pod) {
  api::PodRef& known = pods_[pod->key()];
  const bool added = !known;
  for (LabelLists& lists : by_label_) {
    if (!added) lists.Remove(known);
    lists.Add(pod);
  }
  known = pod;
  if (keys_by_uid_) keys_by_uid_->insert_or_assign(pod->uid, pod->key());
  return added;
}

void PodLister::Erase(const api::PodRef& pod) {
  for (LabelLists& lists : by_label_) lists.Remove(pod);
  pods_.erase(pod->key());
  if (keys_by_uid_) keys_by_uid_->erase(pod->uid);
}

const api::Pod* PodLister::FindPod(std::string_view key) const {
  auto it = pods_.find(key);
  return it == pods_.end() ? nullptr : it->second.get();
}

api::PodRef PodLister::ByKey(std::string_view key) const {
  auto it = pods_.find(key);
  return it == pods_.end() ? api::PodRef() : it->second;
}

api::PodRef PodLister::ByUid(std::string_view uid) {
  if (!keys_by_uid_) {
    keys_by_uid_.emplace();
    for (const auto& [key, pod] : pods_) keys_by_uid_->emplace(pod->uid, key);
  }
  const auto at = keys_by_uid_->find(uid);
  return at == keys_by_uid_->end() ? api::PodRef() : ByKey(at->second);
}

berth_list PodLister::Labeled(berth_id ns, berth_id key, berth_id value) {
  if (!plugin::IsKnownId(ids_, key)) return {nullptr, 0, sizeof(const berth_pod*)};
  const std::vector<const berth_pod*>& views = ListsOf(key).Of(ns, value);
  return {views.data(), static_cast<uint32_t>(views.size()), sizeof(const berth_pod*)};
}

LabelLists& PodLister::ListsOf(base::Id key) {
  for (LabelLists& lists : by_label_) {
    if (lists.key() == key) return lists;
  }
  LabelLists& lists = by_label_.emplace_back(base::OwnedId(ids_, ids_.Text(key)));
  for (const auto& [name, pod] : pods_) lists.Add(pod);
  return lists;
}

std::vector<std::string> PodLister::KeysNotIn(const KeySet& present) const {
  std::vector<std::string> keys;
  for (const auto& [key, pod] : pods_) {
    if (!present.contains(key)) keys.push_back(key);
  }
  return keys;
}

}  // namespace berth::engine

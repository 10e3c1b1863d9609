#include "scheduler/engine/pod_lister.h"

#include "plugin/instance/known_id.h"

namespace berth::engine {

bool PodLister::Set(const api::PodRef& pod) {
  api::PodRef* const known = pods_.Find(pod->key());
  for (LabelLists& lists : by_label_) {
    if (known != nullptr) lists.Remove(*known);
    lists.Add(pod);
  }
  if (by_uid_) {
    if (known != nullptr) by_uid_->Erase(*by_uid_->Find((*known)->uid()));
    by_uid_->Insert(pod);
  }
  if (known == nullptr) {
    pods_.Insert(pod);
  } else {
    *known = pod;
  }
  return known == nullptr;
}

void PodLister::Erase(const api::PodRef& pod) {
  for (LabelLists& lists : by_label_) lists.Remove(pod);
  pods_.Erase(*pods_.Find(pod->key()));
  if (by_uid_) by_uid_->Erase(*by_uid_->Find(pod->uid()));
}

const api::Pod* PodLister::FindPod(std::string_view key) const {
  const api::PodRef* const pod = pods_.Find(key);
  return pod == nullptr ? nullptr : pod->get();
}

api::PodRef PodLister::ByKey(std::string_view key) const {
  const api::PodRef* const pod = pods_.Find(key);
  return pod == nullptr ? api::PodRef() : *pod;
}

api::PodRef PodLister::ByUid(std::string_view uid) {
  if (!by_uid_) {
    by_uid_.emplace();
    pods_.ForEach([&](const api::PodRef& pod) { by_uid_->Insert(pod); });
  }
  const api::PodRef* const pod = by_uid_->Find(uid);
  return pod == nullptr ? api::PodRef() : *pod;
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
  pods_.ForEach([&](const api::PodRef& pod) { lists.Add(pod); });
  return lists;
}

std::vector<std::string> PodLister::KeysNotIn(const base::TextSet& present) const {
  std::vector<std::string> keys;
  pods_.ForEach([&](const api::PodRef& pod) {
    if (std::string key(pod->key()); !present.contains(key)) keys.push_back(std::move(key));
  });
  return keys;
}

}  // namespace berth::engine

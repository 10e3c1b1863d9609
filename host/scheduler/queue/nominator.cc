#include "scheduler/queue/nominator.h"

#include <algorithm>

namespace berth::queue {
namespace {

bool IsNoNode(base::Id node) { return node == base::kNoId || node == base::kEmptyId; }

}  // namespace

Nominator::~Nominator() {
  for (const auto& [uid, entry] : by_uid_) ids_.Drop(entry.node);
}

void Nominator::Add(const api::PodRef& pod, const NominatingInfo& info) {
  Delete(pod->uid());
  base::Id node = info.node;
  if (info.mode == NominatingMode::kNoop) {
    node = pod->abi.nominated_node;
    if (IsNoNode(node)) return;
  }
  const api::Pod* current = lookup_.FindPod(pod->key());
  if (current == nullptr || !IsNoNode(current->abi.node_name)) return;

  if (IsNoNode(node)) node = base::kEmptyId;
  ids_.Keep(node);
  const auto [at, fresh] = by_uid_.emplace(pod->uid(), Entry{pod, node});
  by_node_[node].push_back(&at->second);
}

void Nominator::Update(const api::Pod& before, const api::PodRef& after) {
  NominatingInfo info;
  const bool unspoken = IsNoNode(before.abi.nominated_node) && IsNoNode(after->abi.nominated_node);
  const base::Id in_memory = unspoken ? NodeOf(before.uid()) : base::kNoId;
  if (in_memory != base::kNoId) {
    info = {NominatingMode::kOverride, in_memory};
    ids_.Keep(in_memory);  // Delete may release the last reference
  }
  Delete(before.uid());
  Add(after, info);
  if (in_memory != base::kNoId) ids_.Drop(in_memory);
}

void Nominator::Delete(std::string_view uid) {
  if (by_uid_.empty()) return;
  const auto at = by_uid_.find(uid);
  if (at == by_uid_.end()) return;
  const auto list = by_node_.find(at->second.node);
  std::erase(list->second, &at->second);
  if (list->second.empty()) by_node_.erase(list);
  ids_.Drop(at->second.node);
  by_uid_.erase(at);
}

base::Id Nominator::NodeOf(std::string_view uid) const {
  const auto at = by_uid_.find(uid);
  return at == by_uid_.end() ? base::kNoId : at->second.node;
}

base::Result<void> Nominator::Check() const {
  std::vector<const Entry*> listed;
  for (const auto& [node, pods] : by_node_) {
    if (pods.empty()) return base::Fail("a node without nominated pods is kept");
    for (const Entry* entry : pods) {
      const auto known = by_uid_.find(entry->pod->uid());
      if (known == by_uid_.end() || &known->second != entry || entry->node != node) {
        return base::Fail("a node lists pod " + std::string(entry->pod->key()) + ", which is not nominated to it");
      }
      listed.push_back(entry);
    }
  }
  std::sort(listed.begin(), listed.end());
  if (std::adjacent_find(listed.begin(), listed.end()) != listed.end()) return base::Fail("a pod is nominated twice");
  if (listed.size() != by_uid_.size()) return base::Fail("a nominated pod is not listed at its node");
  return {};
}

}  // namespace berth::queue

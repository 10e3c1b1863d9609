#include "controllers/reconcile/pod_table.h"

#include <utility>

namespace berth::reconcile {
namespace {

using rules::PodFacts;
using rules::PodPhase;

PodChange Changed(const std::string& ns, const PodFacts* before, const PodFacts& after) {
  static const PodFacts kNone;
  const PodFacts& old = before == nullptr ? kNone : *before;
  PodChange change{ns, {}, !rules::Equal(old.requests, after.requests)};
  const bool moved = old.group != after.group;
  if (!old.group.empty() && (moved || old.phase != after.phase)) change.groups.push_back(old.group);
  if (!after.group.empty() && moved) change.groups.push_back(after.group);
  return change;
}

void Count(const PodFacts& pod, rules::GroupMembers& members) {
  ++members.total;
  members.running += pod.phase == PodPhase::kRunning;
  members.succeeded += pod.phase == PodPhase::kSucceeded;
  members.failed += pod.phase == PodPhase::kFailed;
}

}  // namespace

PodChange PodTable::Set(PodFacts pod) {
  if (!pod.Counts()) return Remove(pod.key());
  PodChange change = Changed(pod.ns, Find(pod.ns, pod.name), pod);
  Erase(pod.ns, pod.name);
  Insert(std::move(pod));
  return change;
}

PodChange PodTable::Remove(const std::string& key) {
  const size_t slash = key.find('/');
  const std::string ns = key.substr(0, slash), name = key.substr(slash + 1);
  PodChange change = Changed(ns, Find(ns, name), {});
  Erase(ns, name);
  return change;
}

std::vector<PodChange> PodTable::Keep(const base::TextSet& present) {
  std::vector<std::string> gone;
  for (const auto& [ns, pods_of] : namespaces_) {
    for (const auto& [name, pod] : pods_of.pods) {
      if (std::string key = pod.key(); !present.contains(key)) gone.push_back(std::move(key));
    }
  }
  std::vector<PodChange> changes;
  for (const std::string& key : gone) changes.push_back(Remove(key));
  return changes;
}

void PodTable::Insert(PodFacts pod) {
  Namespace& at = namespaces_[pod.ns];
  if (!pod.group.empty()) at.members[pod.group].insert(pod.name);
  std::string name = pod.name;
  at.pods.emplace(std::move(name), std::move(pod));
  ++size_;
}

void PodTable::Erase(const std::string& ns, const std::string& name) {
  const PodFacts* pod = Find(ns, name);
  if (pod == nullptr) return;
  const auto at = namespaces_.find(ns);
  Namespace& pods_of = at->second;
  if (const auto group = pods_of.members.find(pod->group); group != pods_of.members.end()) {
    group->second.erase(name);
    if (group->second.empty()) pods_of.members.erase(group);
  }
  pods_of.pods.erase(name);
  --size_;
  if (pods_of.pods.empty()) namespaces_.erase(at);
}

const PodFacts* PodTable::Find(const std::string& ns, const std::string& name) const {
  const auto at = namespaces_.find(ns);
  if (at == namespaces_.end()) return nullptr;
  const auto pod = at->second.pods.find(name);
  return pod == at->second.pods.end() ? nullptr : &pod->second;
}

rules::GroupMembers PodTable::MembersOf(const std::string& ns, const std::string& group) const {
  rules::GroupMembers members;
  const auto at = namespaces_.find(ns);
  if (at == namespaces_.end()) return members;
  const auto names = at->second.members.find(group);
  if (names == at->second.members.end()) return members;
  for (const std::string& name : names->second) {
    const PodFacts& pod = at->second.pods.at(name);
    if (members.total == 0) members.owners = pod.owners;
    Count(pod, members);
  }
  return members;
}

void PodTable::AddRequests(const std::string& ns, rules::Amounts& sum) const {
  const auto at = namespaces_.find(ns);
  if (at == namespaces_.end()) return;
  for (const auto& [name, pod] : at->second.pods) rules::Add(sum, pod.requests);
}

}  // namespace berth::reconcile

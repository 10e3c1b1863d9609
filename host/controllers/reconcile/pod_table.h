// The pods that a controller counts, by namespace and group. Thread: one owner. A pod frees its memory when it is
// deleted or no longer counts, and so does the last pod of a group or a namespace.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/text_hash.h"
#include "cluster/reflector/object_feed.h"
#include "controllers/rules/pod_facts.h"
#include "controllers/rules/pod_group_phase.h"

namespace berth::reconcile {

// The groups and the namespace that a change of a pod affects.
struct PodChange {
  std::string ns;
  std::vector<std::string> groups;  // names; a pod whose label has changed concerns two
  bool requests = false;            // the sum of the namespace's requests
};

class PodTable {
 public:
  PodChange Set(rules::PodFacts pod);
  PodChange Remove(const std::string& key);
  // Removes all pods that are not present.
  std::vector<PodChange> Keep(const base::TextSet& present);

  rules::GroupMembers MembersOf(const std::string& ns, const std::string& group) const;
  // Adds the requests of all running pods of the namespace.
  void AddRequests(const std::string& ns, rules::Amounts& sum) const;
  size_t size() const { return size_; }

 private:
  struct Namespace {
    std::map<std::string, rules::PodFacts> pods;           // by name
    std::map<std::string, std::set<std::string>> members;  // names of the pods of each group
  };
  void Insert(rules::PodFacts pod);
  void Erase(const std::string& ns, const std::string& name);
  const rules::PodFacts* Find(const std::string& ns, const std::string& name) const;

  std::map<std::string, Namespace> namespaces_;
  size_t size_ = 0;
};

}  // namespace berth::reconcile

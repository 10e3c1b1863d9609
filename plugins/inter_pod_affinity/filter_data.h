// The state that PreFilter computes for the pod, and its changes by trials. Source: PreFilter, AddPod, RemovePod of
// pkg/scheduler/framework/plugins/interpodaffinity/filtering.go.
#pragma once

#include <berth/plugin.hpp>

#include <cstddef>
#include <cstdint>

#include "filter_counts.h"
#include "knowledge.h"
#include "own_terms.h"

namespace plugins::inter_pod {

// Read-only after Fill. The cycle and its trials share it.
class FilterData {
 public:
  const FilterCounts& counts() const { return counts_; }

  // [serial] Returns false if no existing pod closes a node to the pod and the pod has no required terms.
  bool Fill(Knowledge& known, berth::sdk::Cycle& cycle, const berth_pod& pod) {
    counts_.Clear();
    own_.Clear(pod.ns);
    CountExisting(known, cycle, pod);
    if (!counts_.any_existing() && (pod.pod_affinity->required.n | pod.pod_affinity->anti_required.n) == 0)
      return false;
    CountOwn(known, cycle, pod);
    counts_.Finish();
    return true;
  }

  // [parallel] Adds the pod `changed` to a node with these labels (by = 1) or removes it (-1).
  void Change(const Knowledge& known, const berth_pod& pod, const berth_pod& changed, const berth::sdk::Labels& labels,
              int64_t by, Changes& changes) const {
    const auto add = [&](Group group, Id key) {
      if (const Id value = labels.Get(key); value != berth::sdk::kNoId) changes.Add(group, key, value, by);
    };
    ForEachClosedBy(known, pod, changed, [&](Id key) { add(kExisting, key); });
    if (required_ != 0 && known.pod_sets.Contains(own_.SetOfFirst(required_), &changed)) {
      ForEachRequiredKey([&](Id key) { add(kMatching, key); });
    }
    for (size_t i = required_; i < own_.size(); ++i) {
      if (known.pod_sets.Contains(own_.Set(i), &changed)) add(kAnti, own_[i].topology_key);
    }
  }

 private:
  // Counts the domains that required anti-affinity of existing pods closes to the pod.
  void CountExisting(Knowledge& known, berth::sdk::Cycle& cycle, const berth_pod& pod) {
    if (known.existing.empty()) return;
    const auto topology = known.TopologyIn(cycle);
    for (const uint32_t number : known.ExistingTermsAbout(pod, Effect::kForbids)) {
      const ExistingTerm& term = known.existing.term(number);
      FilterCounts::Key& key = counts_.At(term.topology_key, kExisting, topology);
      if (AddRows(key.topology, std::span(term.rows), 1, key.cells[kExisting].data())) counts_.FoundExisting();
    }
  }

  // Counts the pods that match the pod's own required terms.
  void CountOwn(Knowledge& known, berth::sdk::Cycle& cycle, const berth_pod& pod) {
    own_.Add(pod.pod_affinity->required, +1, known.namespaces, known.words, known.Match());
    required_ = own_.size();
    own_.Add(pod.pod_affinity->anti_required, +1, known.namespaces, known.words, known.Match());
    const auto topology = known.TopologyIn(cycle);
    const auto count = [&](Id topology_key, Group group, const berth::sdk::PodCounts& pods) {
      FilterCounts::Key& key = counts_.At(topology_key, group, topology);
      AddRows(key.topology, pods.of_row(), 1, key.cells[group].data());
    };
    if (required_ != 0) {
      const berth::sdk::PodSet all = own_.SetOfFirst(required_);
      counts_.set_matches_itself(known.pod_sets.Contains(all, &pod));
      const berth::sdk::PodCounts pods = known.pod_sets.Counts(cycle.snap(), all);
      ForEachRequiredKey([&](Id key) { count(key, kMatching, pods); });
    }
    for (size_t i = required_; i < own_.size(); ++i) {
      count(own_[i].topology_key, kAnti, known.pod_sets.Counts(cycle.snap(), own_.Set(i)));
    }
  }

  // The keys of required affinity without duplicates. All of its terms ask for the same pods.
  template <class Fn>
  void ForEachRequiredKey(Fn&& fn) const {
    for (size_t i = 0; i < required_; ++i) {
      bool seen = false;
      for (size_t k = 0; k < i; ++k) seen = seen || own_[k].topology_key == own_[i].topology_key;
      if (!seen) fn(own_[i].topology_key);
    }
  }

  // Calls fn(topology key) for each required anti-affinity term of `other` that matches the pod.
  template <class Fn>
  static void ForEachClosedBy(const Knowledge& known, const berth_pod& pod, const berth_pod& other, Fn&& fn) {
    const List<berth_pod_term> terms(other.pod_affinity->anti_required);
    if (terms.empty() || !FirstError(terms, known.Error()).empty()) return;
    const berth_labels* ns_labels = known.namespaces.LabelsOf(pod.ns);
    for (const berth_pod_term& term : terms) {
      if (TermMatches(term, other.ns, pod, ns_labels, known.words, known.Match())) fn(term.topology_key);
    }
  }

  FilterCounts counts_;
  OwnTerms own_;         // required affinity, then required anti-affinity
  size_t required_ = 0;  // how many of the former
};

}  // namespace plugins::inter_pod

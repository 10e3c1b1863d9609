// The terms of the pod to schedule, as sets of pods that the host counts. Created in [serial] calls, read in [parallel]
// ones. Borrows the pod's blocks; valid for the pod's cycle.
//
// Namespace selectors: upstream adds the namespaces that a selector selects to the term's list, and then intends to
// drop the selector, but it changes only a copy. The selector therefore stays, and is matched against a namespace
// without labels. A selector that matches such a namespace (only NotIn and DoesNotExist, or empty) selects every
// namespace. Source: mergeAffinityTermNamespacesIfNotEmpty of
// pkg/scheduler/framework/plugins/interpodaffinity/plugin.go.
#pragma once

#include <berth/pod_sets.hpp>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "namespaces.h"
#include "terms.h"

namespace plugins::inter_pod {

class OwnTerms {
 public:
  struct One {
    Id topology_key;
    int32_t weight;
  };

  // Clears the terms, keeps the memory, and sets the namespace of the next pod.
  void Clear(Id ns) {
    ns_ = ns;
    terms_.clear();
    matches_.clear();
    lists_ = 0;
  }

  // sign: of the weights.
  template <class Match>
  void Add(List<berth_pod_term> terms, int32_t sign, Namespaces& namespaces, const NegativeWords& words,
           Match&& match) {
    for (const berth_pod_term& term : terms) {
      terms_.push_back({term.topology_key, sign * term.weight});
      berth::sdk::PodMatch& made = matches_.emplace_back();
      made.Selector(term.selector);
      if (MatchesNoLabels(*term.namespace_selector, words)) {
        made.InEveryNamespace();
      } else if (IsAboutOwnNamespace(term)) {
        made.In(ns_);
      } else if ((term.namespace_selector->has & BERTH_SELECTOR_SET) == 0) {
        made.In(List<Id>(term.namespaces));
      } else {
        made.In(std::span<const Id>(Listed(term, namespaces.Selected(*term.namespace_selector, match))));
      }
    }
  }

  size_t size() const { return terms_.size(); }
  const One& operator[](size_t i) const { return terms_[i]; }
  // The pods that the i-th term matches.
  berth::sdk::PodSet Set(size_t i) const { return berth::sdk::PodSet(matches_[i]); }
  // The pods that all of the first n terms match.
  berth::sdk::PodSet SetOfFirst(size_t n) const {
    return berth::sdk::PodSet(std::span<const berth::sdk::PodMatch>(matches_.data(), n));
  }

 private:
  std::vector<Id>& Listed(const berth_pod_term& term, std::span<const Id> selected) {
    if (lists_ == namespaces_.size()) namespaces_.emplace_back();
    std::vector<Id>& list = namespaces_[lists_++];
    list.assign(selected.begin(), selected.end());
    for (const Id ns : List<Id>(term.namespaces)) list.push_back(ns);
    return list;
  }

  Id ns_ = berth::sdk::kNoId;
  std::vector<One> terms_;
  std::vector<berth::sdk::PodMatch> matches_;
  std::deque<std::vector<Id>> namespaces_;  // the first lists_ are in use
  size_t lists_ = 0;
};

}  // namespace plugins::inter_pod

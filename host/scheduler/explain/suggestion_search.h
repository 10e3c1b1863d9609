// Looks for changes of a pending pod after which it would fit. Each step evaluates the changed pod on the whole cluster
// and takes as long as an attempt, so that the caller can schedule pods between two steps.
//
//   SuggestionSearch search(engine, intern, pod, groups);
//   while (search.Step()) {}
//   search.found();
//
// Single changes come first. If a change does not suffice, its evaluation shows what rejects the pod then, and the
// search goes on from there. Larger combinations come only if no smaller one suffices. The last step looks for a node
// that the pod would fit on without a few other pods.
// Thread: the scheduling thread, between two steps of the engine. Ownership: engine and intern outlive the search.
#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "api/pod.h"
#include "scheduler/engine/engine.h"
#include "scheduler/explain/pod_edit.h"
#include "scheduler/explain/pod_explanation.h"

namespace berth::explain {

class SuggestionSearch {
 public:
  static constexpr size_t kMaxChanges = 3, kMaxEvaluations = 16;
  // Of nodes that are tried without pods; of pods to delete, because a list of more helps nobody.
  static constexpr size_t kMaxNodes = 16, kMaxDeletes = 8;

  // groups: of an evaluation of the pod as it is.
  SuggestionSearch(engine::Engine& engine, api::InternTables& intern, api::PodRef pod,
                   const std::vector<Group>& groups);

  // Tries one combination of changes, or the nodes without pods. False: there is nothing left to try.
  bool Step();
  const std::vector<Suggestion>& found() const { return found_; }

 private:
  using Edits = std::vector<PodEdit>;
  void Try(const Edits& edits);
  // The first call chooses nodes, each later one tries one of them. False: all are tried.
  bool TryWithoutPods();
  // Remembers to try the edits together with one more that concerns the groups.
  void Extend(const Edits& edits, const api::Pod& edited, const std::vector<Group>& groups);

  engine::Engine& engine_;
  api::InternTables& intern_;
  const api::PodRef pod_;
  std::deque<Edits> to_try_;                      // smaller combinations first
  std::set<std::set<std::string>> combinations_;  // all that were ever in to_try_, by their changes
  size_t evaluations_ = 0;
  std::optional<std::vector<std::string>> nodes_;  // to try without pods, the next one last
  Suggestion fewest_;                              // of the tried nodes; no deletes: none helped
  std::vector<Suggestion> found_;
};

}  // namespace berth::explain

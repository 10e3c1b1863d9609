// Event hints for pods that this plugin rejected. Like upstream's, they are coarser than the filter: namespace
// selectors see no labels, and of several anti-affinity terms all must match. Source: isSchedulableAfterPodChange,
// isSchedulableAfterNodeChange of pkg/scheduler/framework/plugins/interpodaffinity/plugin.go. Pure logic; the waiting
// pod's terms must be valid.
#pragma once

#include <berth/views.hpp>

#include "terms.h"

namespace plugins::inter_pod {

// A pod was added, deleted, or changed its labels. before or after is null if there is none.
struct PodEvent {
  const berth_pod* before;
  const berth_pod* after;

  // Whether it is the waiting pod, whose new labels may satisfy the anti-affinity of others.
  bool IsOf(const berth_pod& waiting) const {
    return before != nullptr && after != nullptr && berth::sdk::View(after->uid) == berth::sdk::View(waiting.uid);
  }
  // Whether the pod is neither on a node nor nominated to one.
  bool IsOfUnscheduled() const { return Unscheduled(after) || Unscheduled(before); }

 private:
  static bool Unscheduled(const berth_pod* pod) {
    return pod != nullptr && NoText(pod->node_name) && NoText(pod->nominated_node);
  }
  static bool NoText(Id id) { return id == berth::sdk::kNoId || id == berth::sdk::kEmptyId; }
};

// For events of other, scheduled pods. gone_can_be_read: whether before's required anti-affinity terms are valid.
template <class Match>
bool PodEventHelps(const PodEvent& event, const berth_pod& waiting, bool gone_can_be_read, const NegativeWords& words,
                   Match&& match) {
  const List<berth_pod_term> wanted(waiting.pod_affinity->required), hated(waiting.pod_affinity->anti_required);
  const auto all = [&](List<berth_pod_term> terms, const berth_pod& pod) {
    return MatchesAll(terms, waiting.ns, pod, words, match);
  };
  if (event.after != nullptr) {
    if (all(wanted, *event.after) && (event.before == nullptr || !all(wanted, *event.before))) return true;
    return event.before != nullptr && all(hated, *event.before) && !all(hated, *event.after);
  }
  if (event.before == nullptr) return true;
  const berth_pod& gone = *event.before;
  return all(hated, gone) || !gone_can_be_read ||
         MatchesAll(gone.pod_affinity->anti_required, gone.ns, waiting, words, match);
}

// A node was added (`before` is empty) or its labels changed.
inline bool NodeEventHelps(const berth::sdk::NodeView& before, const berth::sdk::NodeView& after,
                           const berth_pod& waiting) {
  const berth::sdk::Labels now = after.labels();
  const berth::sdk::Labels then = before ? before.labels() : berth::sdk::Labels();
  for (const berth_pod_term& term : List<berth_pod_term>(waiting.pod_affinity->required)) {
    const Id key = term.topology_key;
    if (now.Has(key) && now.Get(key) != then.Get(key)) return true;
  }
  for (const berth_pod_term& term : List<berth_pod_term>(waiting.pod_affinity->anti_required)) {
    const Id key = term.topology_key;
    if (!before || (then.Has(key) && now.Get(key) != then.Get(key))) return true;
  }
  return false;
}

}  // namespace plugins::inter_pod

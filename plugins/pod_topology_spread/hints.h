// Event hints for pods that DoNotSchedule constraints rejected. Source: isSchedulableAfterPodChange and
// isSchedulableAfterNodeChange of pkg/scheduler/framework/plugins/podtopologyspread/plugin.go. Thread: [serial].
#pragma once

#include <berth/plugin.hpp>

#include <algorithm>

#include "constraint.h"

namespace plugins::spread {

// Whether the event's pod is the waiting one, or one in its namespace with a node or a nominated node.
inline bool Involves(const berth::sdk::Pod& changed, const berth::sdk::Pod& waiting) {
  if (!changed || changed.uid() == waiting.uid()) return true;
  if (changed.node_name() == berth::sdk::kNoId && changed->nominated_node == berth::sdk::kNoId) return false;
  return changed.ns() == waiting.ns();
}
inline bool Involves(const berth::sdk::Event& event, const berth::sdk::Pod& waiting) {
  return Involves(event.new_pod(), waiting) && Involves(event.old_pod(), waiting);
}

template <class Matching>
bool MatchesAny(const Constraints& constraints, const Matching& matching, const berth_labels* labels) {
  return std::any_of(constraints.begin(), constraints.end(),
                     [&](const Constraint& one) { return one.Matches(matching, labels); });
}

template <class Matching>
bool PodEventHelps(const berth::sdk::Event& event, const berth::sdk::Pod& waiting, const Constraints& constraints,
                   const Matching& matching) {
  const berth::sdk::Pod before = event.old_pod(), after = event.new_pod();
  if (!before && !after) return true;
  if (!before || !after) return MatchesAny(constraints, matching, (after ? after : before)->labels);
  if (after.uid() == waiting.uid() && after->tolerations->content != before->tolerations->content) {
    const auto honors = [](const Constraint& one) { return one.honors_taints; };
    if (std::any_of(constraints.begin(), constraints.end(), honors)) return true;
  }
  if (after->labels->content == before->labels->content) return false;
  return std::any_of(constraints.begin(), constraints.end(), [&](const Constraint& one) {
    return one.Matches(matching, before->labels) != one.Matches(matching, after->labels);
  });
}

inline bool SameTaints(List<berth_taint> a, List<berth_taint> b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const berth_taint& x, const berth_taint& y) {
    return x.key == y.key && x.value == y.value && x.effect == y.effect;
  });
}

// A node with every key counts and can take pods.
inline bool NodeEventHelps(const berth::sdk::Event& event, const Constraints& constraints) {
  const berth::sdk::NodeView before = event.old_node(), after = event.new_node();
  const auto has_keys = [&](const berth::sdk::NodeView& node) {
    return node && std::all_of(constraints.begin(), constraints.end(),
                               [&](const Constraint& one) { return node.labels().Has(one.key); });
  };
  if (!before && !after) return true;
  if (!before || !after) return has_keys(after ? after : before);
  if (has_keys(before) != has_keys(after)) return true;
  if (!has_keys(after)) return false;
  const auto moved = [&](const Constraint& one) { return before.labels().Get(one.key) != after.labels().Get(one.key); };
  return std::any_of(constraints.begin(), constraints.end(), moved) || !SameTaints(before.taints(), after.taints());
}

}  // namespace plugins::spread

// The spread constraints of one pod for one action (filter: DoNotSchedule; score: ScheduleAnyway): its own, or the
// profile's defaults with the selector of the pod's Services and owner. Source: filterTopologySpreadConstraints and
// buildDefaultConstraints of pkg/scheduler/framework/plugins/podtopologyspread/common.go. Borrows from the pod or the
// default selector; valid for the cycle. Thread: created in [serial] calls, read in [parallel] ones.
#pragma once

#include <berth/plugin.hpp>

#include <vector>

#include "../common/default_selector.h"

namespace plugins::spread {

using berth::sdk::Id;
using berth::sdk::Labels;
using berth::sdk::List;

struct Words {
  explicit Words(berth::sdk::Host& host)
      : do_not_schedule(host.Intern("DoNotSchedule")),
        schedule_anyway(host.Intern("ScheduleAnyway")),
        honor(host.Intern("Honor")),
        hostname(host.Intern("kubernetes.io/hostname")) {}
  const Id do_not_schedule, schedule_anyway, honor, hostname;
};

struct Constraint {
  Id key = berth::sdk::kNoId;
  int32_t max_skew = 0, min_domains = 1;
  bool hostname = false;         // the score counts such a constraint per node
  bool honors_affinity = false;  // nodes that the pod's node affinity rejects do not count
  bool honors_taints = false;    // nodes with taints that the pod does not tolerate do not count
  // The pods that count: the selector matches, and the pairs are present.
  const berth_selector* selector = nullptr;  // null: any labels
  berth_list pairs{nullptr, 0, sizeof(berth_kv)};

  // An empty selector matches every pod, but upstream counts none for it.
  bool selects_all() const {
    if (pairs.n != 0) return false;
    if (selector == nullptr) return true;
    return (selector->has & BERTH_SELECTOR_SET) != 0 && selector->labels.n == 0 && selector->expressions.n == 0;
  }

  template <class Matching>
  bool Matches(const Matching& matching, const berth_labels* labels) const {
    for (const berth_kv& pair : List<berth_kv>(pairs)) {
      if (Labels(labels).Get(pair.key) != pair.value) return false;
    }
    return selector == nullptr || matching.Matches(selector, labels);
  }
};

// A constraint of the profile's args. It has no selector; each pod brings its own.
struct DefaultConstraint {
  Id when = berth::sdk::kNoId;
  Constraint constraint;
};

class Constraints {
 public:
  Constraints() = default;
  Constraints(const Constraints&) = delete;  // items point into pairs

  void Clear() { items_.clear(), pairs_.clear(); }
  bool empty() const { return items_.empty(); }
  size_t size() const { return items_.size(); }
  const Constraint& operator[](size_t i) const { return items_[i]; }
  auto begin() const { return items_.begin(); }
  auto end() const { return items_.end(); }

  // Adds the pod's own constraints with that action, in order.
  void AddOwn(const berth_pod& pod, const Words& words, Id action) {
    const List<berth_spread_constraint> own(pod.spread->items);
    size_t keys = 0;
    for (const berth_spread_constraint& one : own) keys += one.match_label_keys.n;
    pairs_.reserve(keys);  // the lists below point into it
    for (const berth_spread_constraint& one : own) {
      if (one.when_unsatisfiable == action) items_.push_back(OwnOf(one, pod, words));
    }
  }
  // Adds the default constraints with that action; none if the selector is empty.
  void AddDefaults(const std::vector<DefaultConstraint>& defaults, Id action, const DefaultSelector& selector) {
    if (selector.empty()) return;
    for (const DefaultConstraint& one : defaults) {
      if (one.when != action) continue;
      Constraint& constraint = items_.emplace_back(one.constraint);
      constraint.selector = selector.selector;
      constraint.pairs = {selector.pairs.data(), static_cast<uint32_t>(selector.pairs.size()), sizeof(berth_kv)};
    }
  }

 private:
  Constraint OwnOf(const berth_spread_constraint& one, const berth_pod& pod, const Words& words) {
    Constraint constraint{one.topology_key, one.max_skew, one.min_domains};
    constraint.hostname = one.topology_key == words.hostname;
    constraint.honors_affinity =
        one.node_affinity_policy == words.honor || one.node_affinity_policy == berth::sdk::kNoId;
    constraint.honors_taints = one.node_taints_policy == words.honor;
    constraint.selector = one.selector;
    const size_t first = pairs_.size();
    for (const Id key : List<Id>(one.match_label_keys)) {
      const Id value = Labels(pod.labels).Get(key);
      if (value != berth::sdk::kNoId) pairs_.push_back({key, value});
    }
    constraint.pairs = {pairs_.data() + first, static_cast<uint32_t>(pairs_.size() - first), sizeof(berth_kv)};
    return constraint;
  }

  std::vector<Constraint> items_;
  std::vector<berth_kv> pairs_;  // matchLabelKeys of the pod's own constraints, with the pod's values
};

}  // namespace plugins::spread

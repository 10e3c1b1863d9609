// The nodes that count for a constraint: one byte per row with the reasons that exclude the row. Bytes are written only
// if some row is excluded, so the usual pod (no node affinity, one key that every node has) costs nothing. Source:
// matchNodeInclusionPolicies and nodeLabelsMatchSpreadConstraints of pkg/scheduler/framework/plugins/podtopologyspread.
// Thread: created in [serial] calls, read in [parallel] ones.
#pragma once

#include <berth/domains.hpp>
#include <berth/plugin.hpp>

#include <array>
#include <span>
#include <vector>

#include "../common/tolerations.h"
#include "constraint.h"
#include "tally.h"

namespace plugins::spread {

inline constexpr uint8_t kLacksKey = 1;  // of any constraint
inline constexpr uint8_t kAffinityRefuses = 2;
inline constexpr uint8_t kTaintsRefuse = 4;

class Inclusion {
 public:
  void Clear() { against_.clear(), any_ = 0; }

  // Checks the rows as these constraints require. need_keys: a node counts only if it has every constraint's key.
  void Judge(const berth::sdk::Host& host, const TolerationWords& tolerations, const berth::sdk::Snapshot& snap,
             const berth_pod& pod, const Constraints& constraints, std::span<const berth::sdk::Domains> domains,
             bool need_keys) {
    Clear();
    bool affinity = false, taints = false;
    for (const Constraint& one : constraints) affinity |= one.honors_affinity, taints |= one.honors_taints;
    if (need_keys && constraints.size() > 1) JudgeKeys(snap, domains);
    if (affinity) JudgeAffinity(host, snap, *pod.node_affinity);
    if (taints) JudgeTaints(tolerations, snap, pod);
  }

  // The reasons that exclude a row for this constraint, except for its own key, which the domain shows.
  uint8_t Barriers(const Constraint& constraint) const {
    const int against = kLacksKey | (constraint.honors_affinity ? kAffinityRefuses : 0) |
                        (constraint.honors_taints ? kTaintsRefuse : 0);
    return static_cast<uint8_t>(against & any_);
  }
  // Only if some row has a reason.
  const uint8_t* against() const { return against_.data(); }
  bool Counts(uint32_t row, uint8_t barriers) const { return barriers == 0 || (against_[row] & barriers) == 0; }

 private:
  void Mark(uint32_t rows, uint8_t barrier) {
    if (against_.empty()) against_.assign(rows, 0);
    any_ |= barrier;
  }

  void JudgeKeys(const berth::sdk::Snapshot& snap, std::span<const berth::sdk::Domains> domains) {
    for (const berth::sdk::Domains& key : domains) {
      if (NodesWithKey(key) == snap.nodes()) continue;
      Mark(snap.rows(), kLacksKey);
      const auto of_row = key.of_row();
      for (size_t row = 0; row < of_row.size(); ++row) {
        against_[row] |= of_row[row] == BERTH_NO_DOMAIN ? kLacksKey : uint8_t{0};
      }
    }
  }

  void JudgeAffinity(const berth::sdk::Host& host, const berth::sdk::Snapshot& snap,
                     const berth_node_affinity& affinity) {
    const bool required = (affinity.has & BERTH_NODE_AFFINITY_REQUIRED) != 0;
    if (!required && affinity.selector.n == 0) return;
    const uint32_t rows = snap.rows();
    const berth_rows all{sizeof(berth_rows), rows, 0, 0, nullptr, snap.live()};
    const berth::sdk::RowBits matches = host.Selectors().MatchRequired(snap, affinity, &all);
    Mark(rows, kAffinityRefuses);
    for (uint32_t row = 0; row < rows; ++row) against_[row] |= matches[row] ? uint8_t{0} : kAffinityRefuses;
  }

  void JudgeTaints(const TolerationWords& words, const berth::sdk::Snapshot& snap, const berth_pod& pod) {
    const auto sets = snap.Sets(BERTH_NODE_TAINTS);
    if (!sets) return;
    std::array<Known, 64> known{};  // there are many nodes, but few different sets of taints
    for (uint32_t row = 0; row < snap.rows(); ++row) {
      const uint32_t set = (*sets)[row];
      if (set == 0) continue;
      Known& answer = known[set % known.size()];
      if (answer.set != set) {
        answer = {set, words.AnyRefuses(snap.TaintsOf(set), List<berth_toleration>(pod.tolerations->items))};
      }
      if (!answer.refuses) continue;
      Mark(snap.rows(), kTaintsRefuse);
      against_[row] |= kTaintsRefuse;
    }
  }

  struct Known {
    uint32_t set;  // 0, the empty set, is never looked up
    bool refuses;
  };
  std::vector<uint8_t> against_;  // per row; empty if no row is excluded
  uint8_t any_ = 0;               // barriers that were judged
};

}  // namespace plugins::spread

// Checks one node: whether the bound volumes reach it, and which volumes the other claims would get. Source:
// FindPodVolumes, checkBoundClaims, findMatchingVolumes, checkVolumeProvisions of volumebinding/binder.go. Thread: any;
// only reads PodClaims.
#pragma once

#include <berth/plugin.hpp>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "claims.h"

namespace plugins::volume_binding {

// The reasons that reject a node, as bits in upstream's order.
inline constexpr uint32_t kNodeConflict = 1, kBindConflict = 2, kNotEnoughSpace = 4, kVolumeMissing = 8;

// The volumes of a pod's waiting claims on one node.
struct Plan {
  uint32_t reasons = 0;
  std::string error;  // not "": the attempt fails
  struct Static {
    size_t claim;
    const Candidate* volume;
  };
  std::vector<Static> statics;
  std::vector<size_t> provisions;
};

// matches_affinity(const berth_node_affinity&), matches_labels(const berth_selector&): whether the node matches.
// taken_over(const BoundVolume&): whether the volume reaches the node, if a CSI driver replaced the in-tree driver
// there; nullopt: it did not.
template <class MatchesAffinity, class MatchesLabels, class AskTakenOver>
class NodeJudge {
 public:
  NodeJudge(std::string_view node_name, const berth::sdk::Labels& labels, MatchesAffinity matches_affinity,
            MatchesLabels matches_labels, AskTakenOver taken_over)
      : name_(node_name),
        labels_(labels),
        affinity_(matches_affinity),
        selector_(matches_labels),
        taken_over_(taken_over) {}

  Plan Judge(const PodClaims& claims) const {
    Plan plan;
    CheckBound(claims, plan);
    if (claims.waiting.empty()) return plan;
    for (size_t i = 0; i < claims.waiting.size(); ++i) {
      const auto& selected = claims.waiting[i].selected_node;
      if (!selected) continue;
      if (*selected != name_) {
        plan.reasons |= kBindConflict;
        plan.statics.clear();
        return plan;
      }
      plan.provisions.push_back(i);
    }
    FindStatics(claims, plan);
    CheckProvisions(claims, plan);
    return plan;
  }

 private:
  bool Reaches(const Affinity& affinity) const {
    return affinity.everywhere || (affinity.required != nullptr && affinity_(*affinity.required));
  }

  // The first bound volume that does not reach the node is the reason.
  void CheckBound(const PodClaims& claims, Plan& plan) const {
    for (const BoundVolume& volume : claims.bound) {
      if (volume.missing) {
        plan.reasons |= kVolumeMissing;
        return;
      }
      const std::optional<bool> taken_over = volume.in_tree == nullptr ? std::nullopt : taken_over_(volume);
      if (!(taken_over ? *taken_over : Reaches(volume.affinity))) {
        plan.reasons |= kNodeConflict;
        return;
      }
    }
  }

  // Assigns volumes to the smallest claims first, so that large volumes remain for large claims. Claims without a match
  // are provisioned.
  void FindStatics(const PodClaims& claims, Plan& plan) const {
    for (const size_t i : claims.by_size) {
      if (const Candidate* volume = Match(claims.waiting[i], plan)) {
        plan.statics.push_back({i, volume});
      } else {
        plan.provisions.push_back(i);
      }
    }
  }

  const Candidate* Match(const WaitingClaim& claim, const Plan& plan) const {
    const auto taken = [&plan](const Candidate& volume) {
      return std::any_of(plan.statics.begin(), plan.statics.end(),
                         [&](const Plan::Static& s) { return s.volume->name == volume.name; });
    };
    if (claim.prebound && !taken(*claim.prebound)) {
      return Reaches(claim.prebound->affinity) ? &*claim.prebound : nullptr;
    }
    for (const Candidate& volume : claim.candidates) {
      if (!taken(volume) && Reaches(volume.affinity)) return &volume;
    }
    return nullptr;
  }

  void CheckProvisions(const PodClaims& claims, Plan& plan) const {
    for (const size_t i : plan.provisions) {
      const Provisioning& provisioning = claims.waiting[i].provisioning;
      if (!provisioning.error.empty()) {
        plan.error = provisioning.error;
        return;
      }
      if (!provisioning.supported || !Allowed(provisioning)) {
        plan.reasons |= kBindConflict;
        return;
      }
      if (provisioning.limited && !HasRoom(provisioning)) {
        plan.reasons |= kNotEnoughSpace;
        return;
      }
    }
  }

  // Terms are alternatives. A term without expressions matches nothing.
  bool Allowed(const Provisioning& provisioning) const {
    if (provisioning.allowed.empty()) return true;
    return std::any_of(provisioning.allowed.begin(), provisioning.allowed.end(), [this](const TopologyTerm& term) {
      return !term.empty() && std::all_of(term.begin(), term.end(), [this](const TopologyExpression& e) {
        const berth::sdk::Id value = labels_.Get(e.key);
        return value != berth::sdk::kNoId && std::find(e.values.begin(), e.values.end(), value) != e.values.end();
      });
    });
  }
  bool HasRoom(const Provisioning& provisioning) const {
    return std::any_of(provisioning.roomy.begin(), provisioning.roomy.end(),
                       [this](const berth_selector* nodes) { return selector_(*nodes); });
  }

  const std::string_view name_;
  const berth::sdk::Labels& labels_;
  const MatchesAffinity affinity_;
  const MatchesLabels selector_;
  const AskTakenOver taken_over_;
};

}  // namespace plugins::volume_binding

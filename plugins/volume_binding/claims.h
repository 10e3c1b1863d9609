// The requirements of a pod's claims: found once per cycle, then checked for each node. Source: PodVolumeClaims of
// pkg/scheduler/framework/plugins/volumebinding/binder.go. Pure data; created in [serial] calls, read in [parallel]
// ones. Ownership: SelectorsKept owns the selectors, which are valid for the cycle.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "../common/in_tree_volumes.h"
#include "node_terms.h"
#include "selectors_kept.h"

namespace plugins::volume_binding {

// The volume of a bound claim.
struct BoundVolume {
  bool missing = false;
  Affinity affinity;
  const in_tree::InTree* in_tree = nullptr;  // the in-tree driver, if a CSI driver may have replaced it
  NodeTerms taken_over;                      // the node affinity on nodes with that CSI driver
};

// A volume that a claim can be bound to.
struct Candidate {
  std::string name, resource_version;
  int64_t size = 0;
  Affinity affinity;
  bool bound_to_claim = false;        // its claimRef already names the claim
  bool marked_by_controller = false;  // has the annotation pv.kubernetes.io/bound-by-controller
};

// One label expression of an allowed topology: the node's label must have one of the values.
struct TopologyExpression {
  berth::sdk::Id key;
  std::vector<berth::sdk::Id> values;
};
using TopologyTerm = std::vector<TopologyExpression>;

// How a class provisions volumes.
struct Provisioning {
  std::string error;                         // "" or why the attempt fails
  bool supported = false;                    // by a provisioner
  std::vector<TopologyTerm> allowed;         // none: everywhere
  bool limited = false;                      // the driver reports its capacity
  std::vector<const berth_selector*> roomy;  // the nodes of the capacities that are large enough
};

// A claim that waits for its pod's node.
struct WaitingClaim {
  std::string name, uid, resource_version;
  int64_t size = 0;
  std::optional<std::string> selected_node;  // provisioning was requested for this node
  std::optional<Candidate> prebound;         // a volume that names the claim; the claim accepts no other
  std::vector<Candidate> candidates;         // by size, then name
  Provisioning provisioning;
};

struct PodClaims {
  std::vector<BoundVolume> bound;
  std::vector<WaitingClaim> waiting;  // in the pod's order
  std::vector<size_t> by_size;        // the waiting claims without selected_node, smallest first
};

}  // namespace plugins::volume_binding

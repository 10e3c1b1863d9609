// What a pod's claims need of a node: found once per cycle, then judged node by node.
// Source: PodVolumeClaims of pkg/scheduler/framework/plugins/volumebinding/binder.go.
// Pure data; made [serial], read [parallel]. Ownership: selectors are SelectorsKept's, good for the cycle.
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
  const in_tree::InTree* in_tree = nullptr;  // whose volume it is, if a CSI driver may have taken it over
  NodeTerms taken_over;                      // the affinity on nodes where one did
};

// A volume that a claim could be bound to.
struct Candidate {
  std::string name, resource_version;
  int64_t size = 0;
  Affinity affinity;
  bool bound_to_claim = false;        // its claimRef names the claim already
  bool marked_by_controller = false;  // has the annotation pv.kubernetes.io/bound-by-controller
};

// One label expression of an allowed topology: the node's label is one of the values.
struct TopologyExpression {
  berth::sdk::Id key;
  std::vector<berth::sdk::Id> values;
};
using TopologyTerm = std::vector<TopologyExpression>;

// How a class makes volumes.
struct Provisioning {
  std::string error;                         // "" or why the attempt fails
  bool supported = false;                    // by a provisioner
  std::vector<TopologyTerm> allowed;         // none: everywhere
  bool limited = false;                      // the driver tells its capacity
  std::vector<const berth_selector*> roomy;  // of capacities that are large enough: which nodes they serve
};

// A claim that waits for its pod's node.
struct WaitingClaim {
  std::string name, uid, resource_version;
  int64_t size = 0;
  std::optional<std::string> selected_node;  // provisioning was asked for there
  std::optional<Candidate> prebound;         // a volume that names the claim; no other will do
  std::vector<Candidate> candidates;         // by size, then name
  Provisioning provisioning;
};

struct PodClaims {
  std::vector<BoundVolume> bound;
  std::vector<WaitingClaim> waiting;  // in the pod's order
  std::vector<size_t> by_size;        // waiting without selected_node, smallest first
};

}  // namespace plugins::volume_binding

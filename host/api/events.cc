#include "api/events.h"

namespace berth::api {
namespace {

// The name of a single action, of "all", and of a generic update; other combinations have no name.
std::string_view ActionName(uint32_t actions) {
  switch (actions) {
    case BERTH_ACTION_ADD: return "Add";
    case BERTH_ACTION_DELETE: return "Delete";
    case BERTH_ACTION_UPDATE_NODE_ALLOCATABLE: return "UpdateNodeAllocatable";
    case BERTH_ACTION_UPDATE_NODE_LABEL: return "UpdateNodeLabel";
    case BERTH_ACTION_UPDATE_NODE_TAINT: return "UpdateNodeTaint";
    case BERTH_ACTION_UPDATE_NODE_CONDITION: return "UpdateNodeCondition";
    case BERTH_ACTION_UPDATE_NODE_ANNOTATION: return "UpdateNodeAnnotation";
    case BERTH_ACTION_UPDATE_NODE_DECLARED_FEATURE: return "UpdateNodeDeclaredFeature";
    case BERTH_ACTION_UPDATE_POD_LABEL: return "UpdatePodLabel";
    case BERTH_ACTION_UPDATE_POD_SCALE_DOWN: return "UpdatePodScaleDown";
    case BERTH_ACTION_UPDATE_POD_TOLERATION: return "UpdatePodToleration";
    case BERTH_ACTION_UPDATE_POD_SCHEDULING_GATES_ELIMINATED: return "UpdatePodSchedulingGatesEliminated";
    case BERTH_ACTION_UPDATE_POD_GENERATED_RESOURCE_CLAIM: return "UpdatePodGeneratedResourceClaim";
    case BERTH_ACTION_ALL: return "All";
    case BERTH_ACTION_UPDATE: return "Update";
  }
  return "";
}

bool ResourceMatches(std::string_view registered, std::string_view incoming) {
  return registered == kResourceAny || registered == incoming ||
         (registered == kResourcePod && (incoming == kResourceAssignedPod || incoming == kResourceUnschedulablePod));
}

}  // namespace

std::string ClusterEvent::Label() const {
  if (!label.empty()) return std::string(label);
  return std::string(resource).append(ActionName(actions));
}

bool EventMatches(std::string_view resource, uint32_t actions, const ClusterEvent& incoming) {
  if (resource == kResourceAny && actions == BERTH_ACTION_ALL) return true;
  return ResourceMatches(resource, incoming.resource) && (actions & incoming.actions) != 0 &&
         incoming.actions <= actions;
}

std::vector<ClusterEvent> NodeUpdateEvents(const Node& before, const Node& after) {
  std::vector<ClusterEvent> events;
  const auto changed = [&](bool is, uint32_t action) {
    if (is) events.push_back({kResourceNode, action, {}});
  };
  changed(before.abi.unschedulable != 0 && after.abi.unschedulable == 0, BERTH_ACTION_UPDATE_NODE_TAINT);
  changed(!ExactlySameAllocatable(before, after), BERTH_ACTION_UPDATE_NODE_ALLOCATABLE);
  changed(!(before.labels == after.labels), BERTH_ACTION_UPDATE_NODE_LABEL);
  changed(!(before.taints == after.taints) || before.taint_times != after.taint_times, BERTH_ACTION_UPDATE_NODE_TAINT);
  changed(before.conditions != after.conditions, BERTH_ACTION_UPDATE_NODE_CONDITION);
  changed(before.annotations != after.annotations, BERTH_ACTION_UPDATE_NODE_ANNOTATION);
  changed(before.declared_features != after.declared_features, BERTH_ACTION_UPDATE_NODE_DECLARED_FEATURE);
  return events;
}

std::vector<ClusterEvent> PodUpdateEvents(const InternTables& intern, const Pod& before, const Pod& after) {
  const std::string_view resource =
      after.abi.node_name == BERTH_ID_ABSENT ? kResourceUnschedulablePod : kResourceAssignedPod;
  std::vector<ClusterEvent> events;
  const auto changed = [&](bool is, uint32_t action) {
    if (is) events.push_back({resource, action, {}});
  };
  changed(before.abi.labels != after.abi.labels, BERTH_ACTION_UPDATE_POD_LABEL);
  changed(ScaledDown(intern, before.resources(), after.resources()), BERTH_ACTION_UPDATE_POD_SCALE_DOWN);
  changed(after.abi.gates->items.n == 0 && before.abi.gates->items.n != 0,
          BERTH_ACTION_UPDATE_POD_SCHEDULING_GATES_ELIMINATED);
  changed(before.n_tolerations != after.n_tolerations, BERTH_ACTION_UPDATE_POD_TOLERATION);
  changed(before.status().claim_statuses != after.status().claim_statuses,
          BERTH_ACTION_UPDATE_POD_GENERATED_RESOURCE_CLAIM);
  if (events.empty()) events.push_back({resource, BERTH_ACTION_UPDATE, {}});
  return events;
}

}  // namespace berth::api

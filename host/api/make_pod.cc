#include <algorithm>
#include <utility>

#include "api/content.h"
#include "api/make_object.h"

namespace berth::api {
namespace {

constexpr std::string_view kDefaultScheduler = "default-scheduler";

// BERTH_POD_HAS_*
uint64_t Has(const PodDraft& draft) {
  const auto restarts_all = [](const ContainerDraft& container) { return container.restarts_all; };
  uint64_t has = 0;
  if (draft.has_priority) has |= BERTH_POD_HAS_PRIORITY;
  if (draft.preempted) has |= BERTH_POD_HAS_PREEMPTED;
  if (draft.host_network) has |= BERTH_POD_HAS_HOST_NETWORK;
  if (draft.no_host_users) has |= BERTH_POD_HAS_NO_HOST_USERS;
  if (std::any_of(draft.containers.begin(), draft.containers.end(), restarts_all) ||
      std::any_of(draft.init_containers.begin(), draft.init_containers.end(), restarts_all)) {
    has |= BERTH_POD_HAS_RESTART_ALL;
  }
  return has;
}

// berth_pod.scheduled_unix_ns
int64_t ScheduledAt(const ConditionDraft& scheduled) {
  if (scheduled.status != "True") return BERTH_NO_TIME;
  return std::max(scheduled.transition_unix_ns, BERTH_NO_TIME + 1);
}

Ref<const PodStatusBlock> MakeStatus(InternTables& intern, const PodDraft& draft) {
  const bool has_claims = !draft.claims.empty() || !draft.extended_claim.empty();
  const std::string claims = has_claims ? draft.claims + ";" + draft.extended_claim : "";
  return MakePodStatus(intern, {.phase = draft.phase,
                                .status = draft.scheduled.status,
                                .reason = draft.scheduled.reason,
                                .message = draft.scheduled.message,
                                .claim_statuses = claims});
}

}  // namespace

bool Keeps(KeepManifest keep, const PodDraft& draft) {
  return keep == KeepManifest::kYes || (keep == KeepManifest::kOfUnbound && draft.node_name.empty());
}

PodRef MakePod(InternTables& intern, PodDraft& draft, Manifest manifest) {
  SortUnique(draft.affinity.selector);
  Ref<Pod> pod(new Pod(intern));
  pod->SetIdentity(draft.metadata.ns, draft.metadata.name, draft.metadata.uid, draft.metadata.resource_version);
  pod->abi.generation = draft.metadata.generation;
  pod->n_tolerations = static_cast<uint32_t>(draft.tolerations.size());
  pod->SetSchedulerName(draft.scheduler_name.empty() ? kDefaultScheduler : draft.scheduler_name);
  pod->SetNodeName(draft.node_name);
  pod->SetNominatedNode(draft.nominated_node);
  pod->abi.priority = draft.priority;
  pod->SetPreemptionPolicy(draft.preemption_policy);
  pod->SetPriorityClass(draft.priority_class);
  pod->abi.has = Has(draft);
  pod->abi.creation_unix_ns = draft.metadata.creation_unix_ns;
  pod->abi.deletion_unix_ns = draft.metadata.deletion_unix_ns;
  pod->abi.start_unix_ns = draft.start_unix_ns;
  pod->abi.scheduled_unix_ns = ScheduledAt(draft.scheduled);
  pod->Set(MakeLabels(intern, draft.metadata.labels));
  pod->Set(MakeImages(intern, draft));
  pod->Set(MakeResources(intern, draft));
  pod->Set(MakePorts(intern, draft));
  pod->Set(MakeTolerations(intern, draft.tolerations));
  pod->Set(MakeNodeAffinity(intern, draft.affinity));
  pod->Set(MakeGates(intern, draft.gates));
  pod->Set(MakePodAffinity(intern, draft.selectors, draft.pod_affinity));
  pod->Set(MakeSpread(intern, draft.selectors, draft.spread));
  pod->Set(MakeVolumes(intern, draft));
  pod->Set(MakeClaims(intern, draft.resource_claims));
  pod->Set(MakeController(intern, draft.metadata.controller));
  pod->status_block = MakeStatus(intern, draft);
  pod->manifest = std::move(manifest);
  return pod;
}

}  // namespace berth::api

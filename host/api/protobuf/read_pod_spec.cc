#include "api/protobuf/fields.h"
#include "api/protobuf/read_parts.h"
#include "api/protobuf/read_pod.h"

namespace berth::protobuf {
namespace {

void ReadToleration(Message& outer, std::vector<api::TolerationDraft>& tolerations) {
  Message message(outer, "tolerations", tolerations.size());
  api::TolerationDraft& toleration = tolerations.emplace_back();
  while (message.Next()) {
    switch (message.field()) {
      case fields::Toleration::kKey: toleration.key = message.Text(); break;
      case fields::Toleration::kOperator: toleration.op = message.Text(); break;
      case fields::Toleration::kValue: toleration.value = message.Text(); break;
      case fields::Toleration::kEffect: toleration.effect = message.Text(); break;
      case fields::Toleration::kTolerationSeconds:
        toleration.has_seconds = true;
        toleration.seconds = message.Int64();
        break;
    }
  }
}

void ReadPodLevel(Message& outer, api::PodDraft& draft) {
  draft.has_pod_level = true;
  Message message(outer, "resources");
  while (message.Next()) {
    switch (message.field()) {
      case fields::ResourceRequirements::kRequests:
        draft.pod_requests = ReadQuantities(message, "requests", draft.quantities);
        break;
      case fields::ResourceRequirements::kLimits:
        draft.pod_limits = ReadQuantities(message, "limits", draft.quantities);
        break;
    }
  }
}

std::string_view ReadGate(Message& outer) {
  Message gate(outer, "schedulingGates");
  std::string_view name;
  while (gate.Next()) {
    if (gate.field() == fields::PodSchedulingGate::kName) name = gate.Text();
  }
  return name;
}

void ReadAffinity(Message& outer, api::PodDraft& draft) {
  Message message(outer, "affinity");
  while (message.Next()) {
    switch (message.field()) {
      case fields::Affinity::kNodeAffinity: ReadNodeAffinity(message, draft.affinity); break;
      case fields::Affinity::kPodAffinity: ReadPodAffinity(message, false, draft); break;
      case fields::Affinity::kPodAntiAffinity: ReadPodAffinity(message, true, draft); break;
    }
  }
}

}  // namespace

void ReadPodSpec(Message& outer, api::PodDraft& draft) {
  using Spec = fields::PodSpec;
  Message message(outer, "spec");
  while (message.Next()) {
    switch (message.field()) {
      case Spec::kContainers: ReadContainer(message, "containers", draft, draft.containers); break;
      case Spec::kInitContainers: ReadContainer(message, "initContainers", draft, draft.init_containers); break;
      case Spec::kVolumes: ReadVolume(message, draft); break;
      case Spec::kNodeName: draft.node_name = message.Text(); break;
      case Spec::kSchedulerName: draft.scheduler_name = message.Text(); break;
      case Spec::kPriority:
        draft.has_priority = true;
        draft.priority = message.Int32();
        break;
      case Spec::kTolerations: ReadToleration(message, draft.tolerations); break;
      case Spec::kNodeSelector:
        draft.affinity.has |= BERTH_NODE_AFFINITY_SELECTOR;
        ReadPairs(message, draft.affinity.selector);
        break;
      case Spec::kAffinity: ReadAffinity(message, draft); break;
      case Spec::kTopologySpreadConstraints: ReadSpread(message, draft); break;
      case Spec::kResourceClaims: ReadResourceClaim(message, draft.resource_claims); break;
      case Spec::kPreemptionPolicy: draft.preemption_policy = message.Text(); break;
      case Spec::kPriorityClassName: draft.priority_class = message.Text(); break;
      case Spec::kHostNetwork: draft.host_network = message.Bool(); break;
      case Spec::kHostUsers: draft.no_host_users = !message.Bool(); break;
      case Spec::kSchedulingGates: draft.gates.push_back(ReadGate(message)); break;
      case Spec::kOverhead: draft.overhead = ReadQuantities(message, "overhead", draft.quantities); break;
      case Spec::kResources: ReadPodLevel(message, draft); break;
    }
  }
}

}  // namespace berth::protobuf

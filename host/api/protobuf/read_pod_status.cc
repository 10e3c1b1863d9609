#include "api/protobuf/fields.h"
#include "api/protobuf/read_parts.h"
#include "api/protobuf/read_pod.h"

namespace berth::protobuf {
namespace {

// status.resources of a pod or container: the requests.
void ReadActual(Message& outer, api::PodDraft& draft, api::Range& requests) {
  Message message(outer, "resources");
  while (message.Next()) {
    if (message.field() != fields::ResourceRequirements::kRequests) continue;
    requests = ReadQuantities(message, "requests", draft.quantities);
  }
}

void ReadContainerStatus(Message& outer, const char* name, api::PodDraft& draft,
                         std::vector<api::ContainerStatusDraft>& out) {
  Message message(outer, name, out.size());
  api::ContainerStatusDraft& status = out.emplace_back();
  while (message.Next()) {
    switch (message.field()) {
      case fields::ContainerStatus::kName: status.name = message.Text(); break;
      case fields::ContainerStatus::kResources:
        status.has_resources = true;
        ReadActual(message, draft, status.actual);
        break;
      case fields::ContainerStatus::kAllocatedResources:
        status.allocated = ReadQuantities(message, "allocatedResources", draft.quantities);
        break;
    }
  }
}

api::ConditionDraft ReadCondition(Message& outer) {
  Message message(outer, "conditions");
  api::ConditionDraft condition;
  while (message.Next()) {
    switch (message.field()) {
      case fields::PodCondition::kType: condition.type = message.Text(); break;
      case fields::PodCondition::kStatus: condition.status = message.Text(); break;
      case fields::PodCondition::kReason: condition.reason = message.Text(); break;
      case fields::PodCondition::kMessage: condition.message = message.Text(); break;
      case fields::PodCondition::kLastTransitionTime:
        condition.transition_unix_ns = message.Time("lastTransitionTime");
        break;
    }
  }
  return condition;
}

void ReadConditions(Message& outer, api::PodDraft& draft) {
  bool disrupted = false;
  outer.Each([&] { api::TakeCondition(ReadCondition(outer), disrupted, draft); });
}

void ReadClaimStatus(Message& outer, std::string& out) {
  Message message(outer, "resourceClaimStatuses");
  std::string_view name, claim;
  bool null = true;
  while (message.Next()) {
    switch (message.field()) {
      case fields::PodResourceClaimStatus::kName: name = message.Text(); break;
      case fields::PodResourceClaimStatus::kResourceClaimName:
        null = false;
        claim = message.Text();
        break;
    }
  }
  api::AppendCounted(out, name);
  out += null ? '-' : '=';
  api::AppendCounted(out, claim);
}

void ReadMapping(Message& outer, std::string& out) {
  Message message(outer, "requestMappings");
  std::string_view container, resource, request;
  while (message.Next()) {
    switch (message.field()) {
      case fields::ContainerExtendedResourceRequest::kContainerName: container = message.Text(); break;
      case fields::ContainerExtendedResourceRequest::kResourceName: resource = message.Text(); break;
      case fields::ContainerExtendedResourceRequest::kRequestName: request = message.Text(); break;
    }
  }
  for (std::string_view part : {container, resource, request}) api::AppendCounted(out, part);
}

void ReadExtendedClaim(Message& outer, std::string& out) {
  Message message(outer, "extendedResourceClaimStatus");
  std::string_view claim;
  std::string mappings;
  while (message.Next()) {
    switch (message.field()) {
      case fields::PodExtendedResourceClaimStatus::kResourceClaimName: claim = message.Text(); break;
      case fields::PodExtendedResourceClaimStatus::kRequestMappings: ReadMapping(message, mappings); break;
    }
  }
  out.assign(1, '+');
  api::AppendCounted(out, claim);
  out += mappings;
}

}  // namespace

void ReadPodStatus(Message& outer, api::PodDraft& draft) {
  using Status = fields::PodStatus;
  Message message(outer, "status");
  while (message.Next()) {
    switch (message.field()) {
      case Status::kStartTime: draft.start_unix_ns = message.Time("startTime"); break;
      case Status::kPhase: draft.phase = message.Text(); break;
      case Status::kConditions: ReadConditions(message, draft); break;
      case Status::kContainerStatuses: ReadContainerStatus(message, "containerStatuses", draft, draft.statuses); break;
      case Status::kInitContainerStatuses:
        ReadContainerStatus(message, "initContainerStatuses", draft, draft.init_statuses);
        break;
      case Status::kNominatedNodeName: draft.nominated_node = message.Text(); break;
      case Status::kResources:
        draft.has_pod_status = true;
        ReadActual(message, draft, draft.pod_actual);
        break;
      case Status::kAllocatedResources:
        draft.pod_allocated = ReadQuantities(message, "allocatedResources", draft.quantities);
        break;
      case Status::kResourceClaimStatuses: ReadClaimStatus(message, draft.claims); break;
      case Status::kExtendedResourceClaimStatus: ReadExtendedClaim(message, draft.extended_claim); break;
    }
  }
}

}  // namespace berth::protobuf

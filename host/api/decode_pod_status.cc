#include "api/decode_parts.h"
#include "api/decode_pod.h"

namespace berth::api {
namespace {

using Value = JsonReader::Value;

// status.resources of a pod or container: sets `present` and the requests.
bool DecodeActual(JsonReader& reader, Value value, PodDraft& draft, bool& present, Range& requests) {
  bool null = false;
  if (!reader.IsNull(value, null)) return false;
  present = !null;
  if (null) return true;
  return reader.Object(value, [&](std::string_view key, Value list) {
    return key != "requests" || DecodeQuantities(reader, list, draft.quantities, requests);
  });
}

bool DecodeContainerStatuses(JsonReader& reader, Value value, PodDraft& draft, std::vector<ContainerStatusDraft>& out) {
  out.clear();
  return reader.Objects(
      value, [&] { out.emplace_back(); },
      [&](std::string_view key, Value field) {
        ContainerStatusDraft& status = out.back();
        if (key == "name") return reader.Text(field, status.name);
        if (key == "resources") return DecodeActual(reader, field, draft, status.has_resources, status.actual);
        if (key == "allocatedResources") return DecodeQuantities(reader, field, draft.quantities, status.allocated);
        return true;
      });
}

bool DecodeConditions(JsonReader& reader, Value value, PodDraft& draft) {
  draft.scheduled = {};
  draft.has_resize_pending = draft.resize_infeasible = draft.preempted = false;
  bool disrupted = false;
  return reader.Array(value, [&](Value element) {
    ConditionDraft condition;
    const bool ok = reader.Object(element, [&](std::string_view key, Value field) {
      if (key == "type") return reader.Text(field, condition.type);
      if (key == "status") return reader.Text(field, condition.status);
      if (key == "reason") return reader.Text(field, condition.reason);
      if (key == "message") return reader.Text(field, condition.message);
      if (key == "lastTransitionTime") return reader.Time(field, condition.transition_unix_ns);
      return true;
    });
    TakeCondition(condition, disrupted, draft);
    return ok;
  });
}

bool DecodeClaims(JsonReader& reader, Value value, std::string& out) {
  out.clear();
  return reader.Array(value, [&](Value element) {
    std::string_view name, claim;
    bool null = true;
    const bool ok = reader.Object(element, [&](std::string_view key, Value field) {
      if (key == "name") return reader.Text(field, name);
      if (key != "resourceClaimName") return true;
      return reader.IsNull(field, null) && (null || reader.Text(field, claim));
    });
    AppendCounted(out, name);
    out += null ? '-' : '=';
    AppendCounted(out, claim);
    return ok;
  });
}

bool DecodeExtendedClaim(JsonReader& reader, Value value, std::string& out) {
  bool null = false;
  if (!reader.IsNull(value, null) || null) return null;
  std::string_view claim;
  std::string mappings;
  const bool ok = reader.Object(value, [&](std::string_view key, Value field) {
    if (key == "resourceClaimName") return reader.Text(field, claim);
    if (key != "requestMappings") return true;
    return reader.Array(field, [&](Value element) {
      std::string_view container, resource, request;
      const bool fine = reader.Object(element, [&](std::string_view name, Value text) {
        if (name == "containerName") return reader.Text(text, container);
        if (name == "resourceName") return reader.Text(text, resource);
        if (name == "requestName") return reader.Text(text, request);
        return true;
      });
      for (std::string_view part : {container, resource, request}) AppendCounted(mappings, part);
      return fine;
    });
  });
  out.assign(1, '+');
  AppendCounted(out, claim);
  out += mappings;
  return ok;
}

}  // namespace

bool DecodePodStatus(JsonReader& reader, Value value, PodDraft& draft) {
  return reader.Object(value, [&](std::string_view key, Value field) {
    if (key == "startTime") return reader.Time(field, draft.start_unix_ns);
    if (key == "phase") return reader.Text(field, draft.phase);
    if (key == "conditions") return DecodeConditions(reader, field, draft);
    if (key == "containerStatuses") return DecodeContainerStatuses(reader, field, draft, draft.statuses);
    if (key == "initContainerStatuses") return DecodeContainerStatuses(reader, field, draft, draft.init_statuses);
    if (key == "nominatedNodeName") return reader.Text(field, draft.nominated_node);
    if (key == "resources") return DecodeActual(reader, field, draft, draft.has_pod_status, draft.pod_actual);
    if (key == "allocatedResources") return DecodeQuantities(reader, field, draft.quantities, draft.pod_allocated);
    if (key == "resourceClaimStatuses") return DecodeClaims(reader, field, draft.claims);
    if (key == "extendedResourceClaimStatus") return DecodeExtendedClaim(reader, field, draft.extended_claim);
    return true;
  });
}

}  // namespace berth::api

#include "api/decode_parts.h"
#include "api/decode_pod.h"

namespace berth::api {
namespace {

using Value = JsonReader::Value;

bool DecodeTolerations(JsonReader& reader, Value value, std::vector<TolerationDraft>& tolerations) {
  tolerations.clear();
  return reader.Objects(
      value, [&] { tolerations.emplace_back(); },
      [&](std::string_view key, Value field) {
        TolerationDraft& toleration = tolerations.back();
        if (key == "key") return reader.Text(field, toleration.key);
        if (key == "operator") return reader.Text(field, toleration.op);
        if (key == "value") return reader.Text(field, toleration.value);
        if (key == "effect") return reader.Text(field, toleration.effect);
        if (key != "tolerationSeconds") return true;
        bool null = false;
        if (!reader.IsNull(field, null) || null) return null;
        toleration.has_seconds = true;
        return reader.Int64(field, toleration.seconds);
      });
}

bool DecodePodLevel(JsonReader& reader, Value value, PodDraft& draft) {
  bool null = false;
  if (!reader.IsNull(value, null) || null) return null;
  draft.has_pod_level = true;
  return reader.Object(value, [&](std::string_view key, Value list) {
    if (key == "requests") return DecodeQuantities(reader, list, draft.quantities, draft.pod_requests);
    if (key == "limits") return DecodeQuantities(reader, list, draft.quantities, draft.pod_limits);
    return true;
  });
}

bool DecodeNodeSelector(JsonReader& reader, Value value, NodeAffinityDraft& draft) {
  bool null = false;
  if (!reader.IsNull(value, null) || null) return null;
  draft.has |= BERTH_NODE_AFFINITY_SELECTOR;
  return DecodePairs(reader, value, draft.selector);
}

bool DecodePriority(JsonReader& reader, Value value, PodDraft& draft) {
  bool null = false;
  if (!reader.IsNull(value, null) || null) return null;
  draft.has_priority = true;
  return reader.Int32(value, draft.priority);
}

bool DecodeGates(JsonReader& reader, Value value, std::vector<std::string_view>& gates) {
  gates.clear();
  return reader.Objects(
      value, [&] { gates.emplace_back(); },
      [&](std::string_view key, Value name) { return key != "name" || reader.Text(name, gates.back()); });
}

bool DecodeAffinity(JsonReader& reader, Value value, PodDraft& draft) {
  return reader.Object(value, [&](std::string_view kind, Value affinity) {
    if (kind == "nodeAffinity") return DecodeNodeAffinity(reader, affinity, draft.affinity);
    if (kind == "podAffinity") return DecodePodAffinity(reader, affinity, false, draft);
    if (kind == "podAntiAffinity") return DecodePodAffinity(reader, affinity, true, draft);
    return true;
  });
}

bool DecodeHostUsers(JsonReader& reader, Value value, PodDraft& draft) {
  bool host_users = true;
  const bool ok = reader.Bool(value, host_users);
  draft.no_host_users = !host_users;
  return ok;
}

}  // namespace

bool DecodePodSpec(JsonReader& reader, Value value, PodDraft& draft) {
  return reader.Object(value, [&](std::string_view key, Value field) {
    if (key == "containers") return DecodeContainers(reader, field, draft, draft.containers);
    if (key == "initContainers") return DecodeContainers(reader, field, draft, draft.init_containers);
    if (key == "volumes") return DecodeVolumes(reader, field, draft);
    if (key == "nodeName") return reader.Text(field, draft.node_name);
    if (key == "schedulerName") return reader.Text(field, draft.scheduler_name);
    if (key == "priority") return DecodePriority(reader, field, draft);
    if (key == "tolerations") return DecodeTolerations(reader, field, draft.tolerations);
    if (key == "nodeSelector") return DecodeNodeSelector(reader, field, draft.affinity);
    if (key == "affinity") return DecodeAffinity(reader, field, draft);
    if (key == "topologySpreadConstraints") return DecodeSpread(reader, field, draft);
    if (key == "resourceClaims") return DecodeResourceClaims(reader, field, draft.resource_claims);
    if (key == "preemptionPolicy") return reader.Text(field, draft.preemption_policy);
    if (key == "priorityClassName") return reader.Text(field, draft.priority_class);
    if (key == "hostNetwork") return reader.Bool(field, draft.host_network);
    if (key == "hostUsers") return DecodeHostUsers(reader, field, draft);
    if (key == "schedulingGates") return DecodeGates(reader, field, draft.gates);
    if (key == "overhead") return DecodeQuantities(reader, field, draft.quantities, draft.overhead);
    if (key == "resources") return DecodePodLevel(reader, field, draft);
    return true;
  });
}

}  // namespace berth::api

#include "api/encode/encode.h"
#include "api/encode/parts.h"
#include "api/encode/relations.h"
#include "codec/text/rfc3339.h"

namespace berth::encode {
namespace {

using json::Value;

Value Metadata(const api::InternTables& intern, const api::Pod& pod) {
  Value out = Value::MakeObject({{"namespace", intern.ids.Text(pod.abi.ns)}, {"name", pod.name}, {"uid", pod.uid}});
  if (pod.abi.creation_unix_ns != BERTH_NO_TIME) {
    out.Set("creationTimestamp", text::TimeText(pod.abi.creation_unix_ns));
  }
  SetFilled(out, "labels", Pairs(intern, pod.abi.labels->items));
  const berth_controller& owner = *pod.abi.controller;
  if (owner.kind == BERTH_ID_ABSENT) return out;
  Value reference = Value::MakeObject({{"apiVersion", intern.ids.Text(owner.api_version)},
                                       {"kind", intern.ids.Text(owner.kind)},
                                       {"name", intern.ids.Text(owner.name)},
                                       {"uid", intern.ids.Text(owner.uid)},
                                       {"controller", true}});
  out.Set("ownerReferences", json::Array{std::move(reference)});
  return out;
}

Value Resources(const api::InternTables& intern, const berth_list& requests, const berth_list& limits) {
  Value out = Value::MakeObject();
  SetFilled(out, "requests", Amounts(intern, requests));
  SetFilled(out, "limits", Amounts(intern, limits));
  return out;
}

Value Tolerations(const api::InternTables& intern, const berth_list& list) {
  return Mapped<berth_toleration>(list, [&](const berth_toleration& one) {
    Value out = Value::MakeObject();
    SetText(out, "key", intern.ids.Text(one.key));
    SetText(out, "operator", intern.ids.Text(one.op));
    SetText(out, "value", intern.ids.Text(one.value));
    SetText(out, "effect", intern.ids.Text(one.effect));
    if ((one.has & BERTH_TOLERATION_SECONDS) != 0) out.Set("tolerationSeconds", one.seconds);
    return out;
  });
}

Value Ports(const api::InternTables& intern, const berth_list& list) {
  return Mapped<berth_host_port>(list, [&](const berth_host_port& one) {
    Value out = Value::MakeObject({{"containerPort", one.port}, {"hostPort", one.port}});
    SetText(out, "hostIP", intern.ids.Text(one.ip));
    SetText(out, "protocol", intern.ids.Text(one.protocol));
    return out;
  });
}

std::string_view TextAt(const api::InternTables& intern, const berth_list& ids, uint32_t i) {
  return i < ids.n ? intern.ids.Text(*BERTH_AT(ids, berth_id, i)) : std::string_view();
}

// The view does not show which container has a port, so all ports go to the first one.
void SetContainers(const api::InternTables& intern, const berth_pod& pod, Value& spec) {
  Value init{json::Array()}, app{json::Array()};
  uint32_t n_init = 0, n_app = 0;
  ForEach<berth_container>(pod.resources->containers, [&](const berth_container& one) {
    const bool is_app = one.kind == BERTH_CONTAINER_APP;
    Value out = Value::MakeObject({{"name", intern.ids.Text(one.name)}});
    SetText(out, "image",
            is_app ? TextAt(intern, pod.images->containers, n_app++)
                   : TextAt(intern, pod.images->init_containers, n_init++));
    SetFilled(out, "resources", Resources(intern, one.requests, one.limits));
    if (one.kind == BERTH_CONTAINER_SIDECAR) out.Set("restartPolicy", "Always");
    if (is_app && n_app == 1) {
      SetFilled(out, "ports", Ports(intern, pod.ports->items));
      if ((pod.has & BERTH_POD_HAS_RESTART_ALL) != 0) {
        out.Set("restartPolicyRules", json::Array{Value::MakeObject({{"action", "RestartAllContainers"}})});
      }
    }
    (is_app ? app : init).Append(std::move(out));
  });
  SetFilled(spec, "initContainers", std::move(init));
  SetFilled(spec, "containers", std::move(app));
}

Value Spec(const api::InternTables& intern, const berth_pod& pod) {
  Value spec = Value::MakeObject({{"schedulerName", intern.ids.Text(pod.scheduler_name)}});
  SetText(spec, "nodeName", intern.ids.Text(pod.node_name));
  SetText(spec, "priorityClassName", intern.ids.Text(pod.priority_class));
  SetText(spec, "preemptionPolicy", intern.ids.Text(pod.preemption_policy));
  if ((pod.has & BERTH_POD_HAS_PRIORITY) != 0) spec.Set("priority", pod.priority);
  if ((pod.has & BERTH_POD_HAS_HOST_NETWORK) != 0) spec.Set("hostNetwork", true);
  if ((pod.has & BERTH_POD_HAS_NO_HOST_USERS) != 0) spec.Set("hostUsers", false);
  SetContainers(intern, pod, spec);
  const berth_resources& resources = *pod.resources;
  if ((resources.has & BERTH_RESOURCES_POD_LEVEL) != 0) {
    spec.Set("resources", Resources(intern, resources.pod_requests, resources.pod_limits));
  }
  SetFilled(spec, "overhead", Amounts(intern, resources.overhead));
  SetFilled(spec, "tolerations", Tolerations(intern, pod.tolerations->items));
  SetPlacement(intern, pod, spec);
  return spec;
}

}  // namespace

Value PodManifest(const api::InternTables& intern, const api::Pod& pod) {
  Value status = Value::MakeObject();
  SetText(status, "phase", pod.phase);
  if (pod.abi.start_unix_ns != BERTH_NO_TIME) status.Set("startTime", text::TimeText(pod.abi.start_unix_ns));
  Value out = Value::MakeObject({{"apiVersion", "v1"}, {"kind", "Pod"}, {"metadata", Metadata(intern, pod)}});
  out.Set("spec", Spec(intern, pod.abi));
  SetFilled(out, "status", std::move(status));
  return out;
}

}  // namespace berth::encode

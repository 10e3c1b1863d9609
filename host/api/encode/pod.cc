#include "api/encode/encode.h"
#include "api/encode/parts.h"
#include "api/encode/relations.h"
#include "api/text_view.h"
#include "codec/text/rfc3339.h"

namespace berth::encode {
namespace {

using json::Value;

Value Metadata(const IdText& text_of, const berth_pod& pod) {
  Value out =
      Value::MakeObject({{"namespace", text_of(pod.ns)}, {"name", api::View(pod.name)}, {"uid", api::View(pod.uid)}});
  if (pod.creation_unix_ns != BERTH_NO_TIME) {
    out.Set("creationTimestamp", text::TimeText(pod.creation_unix_ns));
  }
  SetFilled(out, "labels", Pairs(text_of, pod.labels->items));
  const berth_controller& owner = *pod.controller;
  if (owner.kind == BERTH_ID_ABSENT) return out;
  Value reference = Value::MakeObject({{"apiVersion", text_of(owner.api_version)},
                                       {"kind", text_of(owner.kind)},
                                       {"name", text_of(owner.name)},
                                       {"uid", text_of(owner.uid)},
                                       {"controller", true}});
  out.Set("ownerReferences", json::Array{std::move(reference)});
  return out;
}

Value Resources(const IdText& text_of, const berth_list& requests, const berth_list& limits) {
  Value out = Value::MakeObject();
  SetFilled(out, "requests", Amounts(text_of, requests));
  SetFilled(out, "limits", Amounts(text_of, limits));
  return out;
}

Value Tolerations(const IdText& text_of, const berth_list& list) {
  return Mapped<berth_toleration>(list, [&](const berth_toleration& one) {
    Value out = Value::MakeObject();
    SetText(out, "key", text_of(one.key));
    SetText(out, "operator", text_of(one.op));
    SetText(out, "value", text_of(one.value));
    SetText(out, "effect", text_of(one.effect));
    if ((one.has & BERTH_TOLERATION_SECONDS) != 0) out.Set("tolerationSeconds", one.seconds);
    return out;
  });
}

std::string_view TextAt(const IdText& text_of, const berth_list& ids, uint32_t i) {
  return i < ids.n ? text_of(*BERTH_AT(ids, berth_id, i)) : std::string_view();
}

// The view does not show which container has a port, so all ports go to the first one.
void SetContainers(const IdText& text_of, const berth_pod& pod, Value& spec) {
  Value init{json::Array()}, app{json::Array()};
  uint32_t n_init = 0, n_app = 0;
  ForEach<berth_container>(pod.resources->containers, [&](const berth_container& one) {
    const bool is_app = one.kind == BERTH_CONTAINER_APP;
    Value out = Value::MakeObject({{"name", text_of(one.name)}});
    SetText(out, "image",
            is_app ? TextAt(text_of, pod.images->containers, n_app++)
                   : TextAt(text_of, pod.images->init_containers, n_init++));
    SetFilled(out, "resources", Resources(text_of, one.requests, one.limits));
    if (one.kind == BERTH_CONTAINER_SIDECAR) out.Set("restartPolicy", "Always");
    if (is_app && n_app == 1) {
      SetFilled(out, "ports", Ports(text_of, pod.ports->items));
      if ((pod.has & BERTH_POD_HAS_RESTART_ALL) != 0) {
        out.Set("restartPolicyRules", json::Array{Value::MakeObject({{"action", "RestartAllContainers"}})});
      }
    }
    (is_app ? app : init).Append(std::move(out));
  });
  SetFilled(spec, "initContainers", std::move(init));
  SetFilled(spec, "containers", std::move(app));
}

Value Spec(const IdText& text_of, const berth_pod& pod) {
  Value spec = Value::MakeObject({{"schedulerName", text_of(pod.scheduler_name)}});
  SetText(spec, "nodeName", text_of(pod.node_name));
  SetText(spec, "priorityClassName", text_of(pod.priority_class));
  SetText(spec, "preemptionPolicy", text_of(pod.preemption_policy));
  if ((pod.has & BERTH_POD_HAS_PRIORITY) != 0) spec.Set("priority", pod.priority);
  if ((pod.has & BERTH_POD_HAS_HOST_NETWORK) != 0) spec.Set("hostNetwork", true);
  if ((pod.has & BERTH_POD_HAS_NO_HOST_USERS) != 0) spec.Set("hostUsers", false);
  SetContainers(text_of, pod, spec);
  const berth_resources& resources = *pod.resources;
  if ((resources.has & BERTH_RESOURCES_POD_LEVEL) != 0) {
    spec.Set("resources", Resources(text_of, resources.pod_requests, resources.pod_limits));
  }
  SetFilled(spec, "overhead", Amounts(text_of, resources.overhead));
  SetFilled(spec, "tolerations", Tolerations(text_of, pod.tolerations->items));
  SetPlacement(text_of, pod, spec);
  return spec;
}

// The condition PodScheduled of a pod that has a node; a time before 1970 counts as absent.
Value ScheduledCondition(int64_t since_unix_ns) {
  Value condition = Value::MakeObject({{"type", "PodScheduled"}, {"status", "True"}});
  if (since_unix_ns >= 0) condition.Set("lastTransitionTime", text::TimeText(since_unix_ns));
  return condition;
}

// Moves the host ports from the first container to where the manifest has them. Other ports become "{}".
void MovePorts(const std::vector<api::PortPlace>& places, const json::Array& ports, Value& spec) {
  if (places.empty()) return;
  for (Value& container : spec["containers"].mutable_array()) container.Erase("ports");
  for (size_t i = 0; i < places.size(); ++i) {
    Value& containers = spec[places[i].sidecar ? "initContainers" : "containers"];
    json::Array& list = containers.mutable_array()[places[i].container]["ports"].mutable_array();
    while (list.size() < places[i].port) list.push_back(Value::MakeObject());
    list.push_back(ports[i]);
  }
}

void EraseUnsetMinDomains(const std::vector<bool>& has_min_domains, Value& spec) {
  for (size_t i = 0; i < has_min_domains.size(); ++i) {
    if (!has_min_domains[i]) spec["topologySpreadConstraints"].mutable_array()[i].Erase("minDomains");
  }
}

}  // namespace

Value PodManifest(const IdText& text_of, const berth_pod& pod) {
  Value out = Value::MakeObject({{"apiVersion", "v1"}, {"kind", "Pod"}, {"metadata", Metadata(text_of, pod)}});
  out.Set("spec", Spec(text_of, pod));
  if (pod.start_unix_ns != BERTH_NO_TIME) out["status"].Set("startTime", text::TimeText(pod.start_unix_ns));
  if (pod.scheduled_unix_ns != BERTH_NO_TIME) {
    out["status"].Set("conditions", json::Array{ScheduledCondition(pod.scheduled_unix_ns)});
  }
  return out;
}

Value PodManifest(const api::InternTables& intern, const api::Pod& pod) {
  Value out = PodManifest(TextOf(intern), pod.abi);
  MovePorts(pod.ports().places, Ports(TextOf(intern), pod.abi.ports->items).array(), out["spec"]);
  EraseUnsetMinDomains(pod.spread().has_min_domains, out["spec"]);
  if (!pod.phase().empty()) out["status"].Set("phase", pod.phase());
  return out;
}

}  // namespace berth::encode

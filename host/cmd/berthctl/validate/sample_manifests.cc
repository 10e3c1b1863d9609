#include "cmd/berthctl/validate/sample_manifests.h"

#include <algorithm>

#include "api/encode/parts.h"
#include "codec/text/rfc3339.h"

namespace berth::validate {
namespace {

using encode::ForEach;
using encode::Mapped;
using encode::SetFilled;
using encode::SetText;
using json::Value;
using sdk::testing::TextOf;

constexpr const char* kRequiredTerms = "requiredDuringSchedulingIgnoredDuringExecution";
constexpr const char* kPreferredTerms = "preferredDuringSchedulingIgnoredDuringExecution";

Value TextsOf(const berth_list& ids) {
  return Mapped<berth_id>(ids, [](berth_id id) { return Value(TextOf(id)); });
}

Value PairsOf(const berth_list& pairs) {
  Value out = Value::MakeObject();
  ForEach<berth_kv>(pairs, [&](const berth_kv& kv) { out.Set(TextOf(kv.key), TextOf(kv.value)); });
  return out;
}

Value AmountsOf(const berth_list& amounts) {
  Value out = Value::MakeObject();
  ForEach<berth_amount>(amounts, [&](const berth_amount& one) {
    const std::string name = TextOf(one.name);
    out.Set(name, std::to_string(one.value) + (name == "cpu" ? "m" : ""));
  });
  return out;
}

template <class Requirement>
Value RequirementsOf(const berth_list& list) {
  return Mapped<Requirement>(list, [](const Requirement& one) {
    Value out = Value::MakeObject({{"key", TextOf(one.key)}, {"operator", TextOf(one.op)}});
    SetFilled(out, "values", TextsOf(one.values));
    return out;
  });
}

// ---- containers

struct Containers {
  Value app{json::Array()}, init{json::Array()};
};

Value ContainerOf(const berth_container& one) {
  Value resources = Value::MakeObject(), out = Value::MakeObject({{"name", TextOf(one.name)}});
  SetFilled(resources, "requests", AmountsOf(one.requests));
  SetFilled(resources, "limits", AmountsOf(one.limits));
  SetFilled(out, "resources", std::move(resources));
  if (one.kind == BERTH_CONTAINER_SIDECAR) out.Set("restartPolicy", "Always");
  return out;
}

// A FakePod's images belong to no container: the i-th goes to the i-th, which is added if there is none.
void SetImages(const berth_list& images, Value& containers) {
  for (uint32_t i = 0; i < images.n; ++i) {
    if (i == containers.array().size()) containers.Append(Value::MakeObject({{"name", "i" + std::to_string(i)}}));
    containers.mutable_array()[i].Set("image", TextOf(*BERTH_AT(images, berth_id, i)));
  }
}

Value PortsOf(const berth_list& ports) {
  return Mapped<berth_host_port>(ports, [](const berth_host_port& one) {
    Value out = Value::MakeObject({{"containerPort", one.port}, {"hostPort", one.port}});
    SetText(out, "hostIP", TextOf(one.ip));
    SetText(out, "protocol", TextOf(one.protocol));
    return out;
  });
}

Containers ContainersOf(const berth_pod& pod) {
  Containers out;
  ForEach<berth_container>(pod.resources->containers, [&](const berth_container& one) {
    (one.kind == BERTH_CONTAINER_APP ? out.app : out.init).Append(ContainerOf(one));
  });
  SetImages(pod.images->containers, out.app);
  SetImages(pod.images->init_containers, out.init);
  if (out.app.array().empty()) out.app.Append(Value::MakeObject({{"name", "main"}}));
  SetFilled(out.app.mutable_array().front(), "ports", PortsOf(pod.ports->items));
  return out;
}

// ---- placement

Value TolerationsOf(const berth_list& list) {
  return Mapped<berth_toleration>(list, [](const berth_toleration& one) {
    Value out = Value::MakeObject();
    SetText(out, "key", TextOf(one.key));
    SetText(out, "operator", TextOf(one.op));
    SetText(out, "value", TextOf(one.value));
    SetText(out, "effect", TextOf(one.effect));
    return out;
  });
}

Value TermOf(const berth_node_term& term) {
  Value out = Value::MakeObject();
  SetFilled(out, "matchExpressions", RequirementsOf<berth_node_requirement>(term.expressions));
  SetFilled(out, "matchFields", RequirementsOf<berth_node_requirement>(term.fields));
  return out;
}

Value NodeAffinityOf(const berth_node_affinity& affinity) {
  Value out = Value::MakeObject();
  if ((affinity.has & BERTH_NODE_AFFINITY_REQUIRED) != 0) {
    Value terms = Mapped<berth_node_term>(affinity.required, &TermOf);
    out.Set(kRequiredTerms, Value::MakeObject({{"nodeSelectorTerms", std::move(terms)}}));
  }
  SetFilled(out, kPreferredTerms, Mapped<berth_preferred_term>(affinity.preferred, [](const berth_preferred_term& one) {
              return Value::MakeObject({{"weight", one.weight}, {"preference", TermOf(one.term)}});
            }));
  return out;
}

void SetSelector(Value& out, const char* key, const berth_selector& selector) {
  if ((selector.has & BERTH_SELECTOR_SET) == 0) return;
  Value one = Value::MakeObject();
  SetFilled(one, "matchLabels", PairsOf(selector.labels));
  SetFilled(one, "matchExpressions", RequirementsOf<berth_label_requirement>(selector.expressions));
  out.Set(key, std::move(one));
}

Value PodTermOf(const berth_pod_term& term) {
  Value out = Value::MakeObject({{"topologyKey", TextOf(term.topology_key)}});
  SetSelector(out, "labelSelector", *term.selector);
  SetSelector(out, "namespaceSelector", *term.namespace_selector);
  SetFilled(out, "namespaces", TextsOf(term.namespaces));
  return out;
}

Value PodTermsOf(const berth_list& required, const berth_list& preferred) {
  Value out = Value::MakeObject();
  SetFilled(out, kRequiredTerms, Mapped<berth_pod_term>(required, &PodTermOf));
  SetFilled(out, kPreferredTerms, Mapped<berth_pod_term>(preferred, [](const berth_pod_term& term) {
              return Value::MakeObject({{"weight", term.weight}, {"podAffinityTerm", PodTermOf(term)}});
            }));
  return out;
}

Value SpreadOf(const berth_list& constraints) {
  return Mapped<berth_spread_constraint>(constraints, [](const berth_spread_constraint& one) {
    Value out = Value::MakeObject({{"maxSkew", one.max_skew},
                                   {"minDomains", one.min_domains},
                                   {"topologyKey", TextOf(one.topology_key)},
                                   {"whenUnsatisfiable", TextOf(one.when_unsatisfiable)}});
    SetSelector(out, "labelSelector", *one.selector);
    return out;
  });
}

Value VolumesOf(const berth_list& volumes) {
  Value out{json::Array()};
  ForEach<berth_volume>(volumes, [&](const berth_volume& one) {
    if (one.kind != BERTH_VOLUME_CLAIM) return;
    Value claim = Value::MakeObject({{"claimName", TextOf(one.handle)}});
    out.Append(Value::MakeObject(
        {{"name", "v" + std::to_string(out.array().size())}, {"persistentVolumeClaim", std::move(claim)}}));
  });
  return out;
}

Value SpecOf(const berth_pod& pod) {
  Value spec = Value::MakeObject({{"schedulerName", TextOf(pod.scheduler_name)}});
  SetText(spec, "nodeName", TextOf(pod.node_name));
  if ((pod.has & BERTH_POD_HAS_PRIORITY) != 0) spec.Set("priority", pod.priority);
  Containers containers = ContainersOf(pod);
  SetFilled(spec, "containers", std::move(containers.app));
  SetFilled(spec, "initContainers", std::move(containers.init));
  SetFilled(spec, "tolerations", TolerationsOf(pod.tolerations->items));
  SetFilled(spec, "nodeSelector", PairsOf(pod.node_affinity->selector));
  Value affinity = Value::MakeObject();
  const berth_pod_affinity& pods = *pod.pod_affinity;
  SetFilled(affinity, "nodeAffinity", NodeAffinityOf(*pod.node_affinity));
  SetFilled(affinity, "podAffinity", PodTermsOf(pods.required, pods.preferred));
  SetFilled(affinity, "podAntiAffinity", PodTermsOf(pods.anti_required, pods.anti_preferred));
  SetFilled(spec, "affinity", std::move(affinity));
  SetFilled(spec, "topologySpreadConstraints", SpreadOf(pod.spread->items));
  SetFilled(spec, "volumes", VolumesOf(pod.volumes->items));
  SetFilled(spec, "schedulingGates", Mapped<berth_id>(pod.gates->items, [](berth_id gate) {
              return Value::MakeObject({{"name", TextOf(gate)}});
            }));
  return spec;
}

Value MetadataOf(const berth_pod& pod) {
  Value out = Value::MakeObject({{"namespace", TextOf(pod.ns)},
                                 {"name", std::string(pod.name.ptr, pod.name.len)},
                                 {"uid", std::string(pod.uid.ptr, pod.uid.len)}});
  if (pod.deletion_unix_ns != BERTH_NO_TIME) out.Set("deletionTimestamp", text::TimeText(pod.deletion_unix_ns));
  SetFilled(out, "labels", PairsOf(pod.labels->items));
  const berth_controller& owner = *pod.controller;
  if (owner.kind == BERTH_ID_ABSENT) return out;
  Value reference = Value::MakeObject({{"apiVersion", TextOf(owner.api_version)},
                                       {"kind", TextOf(owner.kind)},
                                       {"name", TextOf(owner.name)},
                                       {"uid", TextOf(owner.uid)},
                                       {"controller", true}});
  out.Set("ownerReferences", json::Array{std::move(reference)});
  return out;
}

Value ValueOf(const sdk::Value& value) {
  if (value.is_bool()) return value.AsBool();
  if (value.is_int()) return value.AsInt();
  if (value.is_number()) return value.AsNumber();
  if (value.is_string()) return value.AsString();
  Value out;
  if (value.is_array()) out.mutable_array();
  if (value.is_object()) out.mutable_object();
  for (uint32_t i = 0; i < value.size(); ++i) {
    if (value.is_array()) out.Append(ValueOf(value[i]));
    if (value.is_object()) out.Set(value.KeyAt(i), ValueOf(value[i]));
  }
  return out;
}

}  // namespace

Value ManifestOf(const berth_pod& pod) {
  Value status = Value::MakeObject();
  SetText(status, "nominatedNodeName", TextOf(pod.nominated_node));
  if (pod.start_unix_ns != BERTH_NO_TIME) status.Set("startTime", text::TimeText(pod.start_unix_ns));
  Value out = Value::MakeObject({{"metadata", MetadataOf(pod)}, {"spec", SpecOf(pod)}});
  SetFilled(out, "status", std::move(status));
  return out;
}

Value ManifestOf(const sdk::testing::FakeCluster::Row& row) {
  const berth_node& node = *row.node->raw();
  const std::string name = TextOf(node.name);
  Value metadata = Value::MakeObject({{"name", name}, {"uid", "node-" + name}});
  SetFilled(metadata, "labels", PairsOf(node.labels->items));
  Value spec = Value::MakeObject({{"unschedulable", node.unschedulable != 0}});
  SetFilled(spec, "taints", Mapped<berth_taint>(node.taints, [](const berth_taint& one) {
              return Value::MakeObject(
                  {{"key", TextOf(one.key)}, {"value", TextOf(one.value)}, {"effect", TextOf(one.effect)}});
            }));
  Value status = Value::MakeObject(), images{json::Array()};
  for (const auto& [image, bytes] : row.images) {
    images.Append(Value::MakeObject({{"names", json::Array{Value(image)}}, {"sizeBytes", bytes}}));
  }
  SetFilled(status, "allocatable", AmountsOf(node.allocatable));
  SetFilled(status, "images", std::move(images));
  SetFilled(status, "declaredFeatures", TextsOf(node.declared_features));
  return Value::MakeObject(
      {{"metadata", std::move(metadata)}, {"spec", std::move(spec)}, {"status", std::move(status)}});
}

Value ManifestOf(const sdk::testing::FakeObject& object) { return ValueOf(object.document().view()); }

}  // namespace berth::validate

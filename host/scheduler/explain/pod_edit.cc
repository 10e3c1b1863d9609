#include "scheduler/explain/pod_edit.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "api/encode/encode.h"
#include "scheduler/explain/facts.h"
#include "scheduler/explain/lower_request.h"

namespace berth::explain {
namespace {

using json::Value;

constexpr size_t kMaxTolerations = 4;
constexpr const char* kRequired = "requiredDuringSchedulingIgnoredDuringExecution";

bool HasPlugin(const std::vector<Group>& groups, std::string_view plugin) {
  return std::any_of(groups.begin(), groups.end(), [&](const Group& group) { return group.plugin == plugin; });
}

// taint: "key=value:Effect" or "key:Effect".
Value TolerationOf(const std::string& taint) {
  const size_t colon = taint.rfind(':');
  const std::string head = taint.substr(0, colon);
  const size_t equals = head.find('=');
  Value out = Value::MakeObject({{"key", head.substr(0, equals)}, {"effect", taint.substr(colon + 1)}});
  if (equals == std::string::npos) {
    out.Set("operator", "Exists");
  } else {
    out.Set("operator", "Equal");
    out.Set("value", head.substr(equals + 1));
  }
  return out;
}

void AddTolerations(const cache::Cache& cache, const api::Pod& pod, const std::vector<Group>& groups,
                    std::vector<PodEdit>& edits) {
  const auto group =
      std::find_if(groups.begin(), groups.end(), [](const Group& g) { return g.plugin == "TaintToleration"; });
  if (group == groups.end()) return;
  auto taints = TaintsOf(cache, pod, *group);
  if (taints.size() > kMaxTolerations) taints.resize(kMaxTolerations);
  for (const auto& [taint, nodes] : taints) {
    edits.push_back(
        {PodEdit::Kind::kTolerate, "tolerate the taint " + taint, [toleration = TolerationOf(taint)](Value& pod_value) {
           pod_value["spec"]["tolerations"].Append(toleration);
         }});
  }
}

void EraseRequired(Value& pod, const char* kind) {
  if (Value* spec = pod.Find("spec")) {
    Value* affinity = spec->Find("affinity");
    Value* of_kind = affinity == nullptr ? nullptr : affinity->Find(kind);
    if (of_kind != nullptr) of_kind->Erase(kRequired);
  }
}

void MakeConstraintsSoft(Value& pod) {
  for (Value& one : pod["spec"]["topologySpreadConstraints"].mutable_array()) {
    one.Set("whenUnsatisfiable", "ScheduleAnyway");
  }
}

void ErasePorts(Value& pod) {
  for (Value& container : pod["spec"]["containers"].mutable_array()) container.Erase("ports");
}

void AddRelations(const std::vector<Group>& groups, std::vector<PodEdit>& edits) {
  if (std::any_of(groups.begin(), groups.end(), [](const Group& g) { return g.plugin.starts_with("NodeAffinity"); })) {
    edits.push_back(
        {PodEdit::Kind::kNodeSelector, "remove its node selector and required node affinity", [](Value& pod) {
           pod["spec"].Erase("nodeSelector");
           EraseRequired(pod, "nodeAffinity");
         }});
  }
  if (HasPlugin(groups, "PodTopologySpread")) {
    edits.push_back({PodEdit::Kind::kSpread, "set whenUnsatisfiable: ScheduleAnyway in its topology spread constraints",
                     MakeConstraintsSoft});
  }
  if (HasPlugin(groups, "InterPodAffinity")) {
    edits.push_back({PodEdit::Kind::kPodAffinity, "remove its required pod affinity and anti-affinity", [](Value& pod) {
                       EraseRequired(pod, "podAffinity");
                       EraseRequired(pod, "podAntiAffinity");
                     }});
  }
  if (HasPlugin(groups, "NodePorts")) edits.push_back({PodEdit::Kind::kPorts, "use no host ports", ErasePorts});
}

}  // namespace

std::vector<PodEdit> EditsFor(const cache::Cache& cache, const api::Pod& pod, const std::vector<Group>& groups) {
  std::vector<PodEdit> edits;
  if (std::optional<PodEdit> lower = LowerRequests(cache, pod, groups)) edits.push_back(*std::move(lower));
  AddTolerations(cache, pod, groups, edits);
  AddRelations(groups, edits);
  return edits;
}

base::Result<api::PodRef> Edited(api::InternTables& intern, const api::Pod& pod, std::span<const PodEdit> edits) {
  Value manifest = encode::PodManifest(intern, pod);
  for (const PodEdit& edit : edits) edit.apply(manifest);
  const auto decoded = api::DecodePod(intern, json::Dump(manifest));
  if (!decoded) return base::Fail(decoded.error().message);
  api::Ref<api::Pod> copy(new api::Pod(intern));
  copy->CopyFrom(pod);
  copy->resources = (*decoded)->resources;
  copy->ports = (*decoded)->ports;
  copy->tolerations = (*decoded)->tolerations;
  copy->n_tolerations = (*decoded)->n_tolerations;
  copy->node_affinity = (*decoded)->node_affinity;
  copy->pod_affinity = (*decoded)->pod_affinity;
  copy->spread = (*decoded)->spread;
  copy->Seal();
  return api::PodRef(copy);
}

}  // namespace berth::explain

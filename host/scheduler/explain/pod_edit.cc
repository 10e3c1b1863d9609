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
    edits.push_back({PodEdit::Kind::kTolerate, "tolerate the taint " + taint,
                     [toleration = TolerationOf(taint)](PatchedManifest& manifest) {
                       manifest.Append({"spec", "tolerations"}, toleration);
                     }});
  }
}

void RemoveRequired(PatchedManifest& manifest, const char* kind) {
  manifest.Remove({"spec", "affinity", kind, kRequired});
}

size_t SizeOf(const PatchedManifest& manifest, const Path& list) {
  const Value* value = manifest.Find(list);
  return value == nullptr ? 0 : value->array().size();
}

bool IsAnyway(const Value& constraint) { return json::TextAt(constraint, "whenUnsatisfiable") == "ScheduleAnyway"; }

// Whether there is a soft constraint with the same topology key. The API server refuses a second one.
bool HasSoftTwin(const json::Array& constraints, size_t i) {
  return std::any_of(constraints.begin(), constraints.end(), [&](const Value& other) {
    return IsAnyway(other) && json::TextAt(other, "topologyKey") == json::TextAt(constraints[i], "topologyKey");
  });
}

// From the last to the first, so that a removal moves none that is still to come. The API server refuses minDomains in
// a soft constraint.
void MakeConstraintsSoft(PatchedManifest& manifest) {
  const Path list{"spec", "topologySpreadConstraints"};
  for (size_t i = SizeOf(manifest, list); i-- > 0;) {
    const json::Array& constraints = manifest.Find(list)->array();
    if (IsAnyway(constraints[i])) continue;
    const Path one{"spec", "topologySpreadConstraints", std::to_string(i)};
    if (HasSoftTwin(constraints, i)) {
      manifest.Remove(one);
      continue;
    }
    manifest.Replace({one[0], one[1], one[2], "whenUnsatisfiable"}, "ScheduleAnyway");
    manifest.Remove({one[0], one[1], one[2], "minDomains"});
  }
}

// With hostNetwork, each port of a container is a host port, as the API server sets it.
void RemovePorts(PatchedManifest& manifest, const std::vector<api::PortPlace>& places) {
  if (manifest.Find({"spec", "hostNetwork"}) != nullptr) manifest.Replace({"spec", "hostNetwork"}, false);
  for (const api::PortPlace& place : places) {
    manifest.Remove({"spec", place.sidecar ? "initContainers" : "containers", std::to_string(place.container), "ports",
                     std::to_string(place.port), "hostPort"});
  }
}

void AddRelations(const api::Pod& pod, const std::vector<Group>& groups, std::vector<PodEdit>& edits) {
  if (std::any_of(groups.begin(), groups.end(), [](const Group& g) { return g.plugin.starts_with("NodeAffinity"); })) {
    edits.push_back({PodEdit::Kind::kNodeSelector, "remove its node selector and required node affinity",
                     [](PatchedManifest& manifest) {
                       manifest.Remove({"spec", "nodeSelector"});
                       RemoveRequired(manifest, "nodeAffinity");
                     }});
  }
  if (HasPlugin(groups, "PodTopologySpread")) {
    edits.push_back({PodEdit::Kind::kSpread, "set whenUnsatisfiable: ScheduleAnyway in its topology spread constraints",
                     MakeConstraintsSoft});
  }
  if (HasPlugin(groups, "InterPodAffinity")) {
    edits.push_back({PodEdit::Kind::kPodAffinity, "remove its required pod affinity and anti-affinity",
                     [](PatchedManifest& manifest) {
                       RemoveRequired(manifest, "podAffinity");
                       RemoveRequired(manifest, "podAntiAffinity");
                     }});
  }
  if (HasPlugin(groups, "NodePorts")) {
    const bool host_network = (pod.abi.has & BERTH_POD_HAS_HOST_NETWORK) != 0;
    edits.push_back(
        {PodEdit::Kind::kPorts, host_network ? "use neither the host network nor host ports" : "use no host ports",
         [ports = api::Ref(&pod.ports())](PatchedManifest& manifest) { RemovePorts(manifest, ports->places); }});
  }
}

// Other fields stay as they are: the encoded manifest has rounded amounts.
void CopyEdited(const api::Pod& decoded, PodEdit::Kind kind, api::Pod& copy) {
  switch (kind) {
    case PodEdit::Kind::kLowerRequests: copy.Share(&berth_pod::resources, decoded); break;
    case PodEdit::Kind::kTolerate:
      copy.Share(&berth_pod::tolerations, decoded);
      copy.n_tolerations = decoded.n_tolerations;
      break;
    case PodEdit::Kind::kNodeSelector: copy.Share(&berth_pod::node_affinity, decoded); break;
    case PodEdit::Kind::kSpread: copy.Share(&berth_pod::spread, decoded); break;
    case PodEdit::Kind::kPodAffinity: copy.Share(&berth_pod::pod_affinity, decoded); break;
    case PodEdit::Kind::kPorts:
      copy.Share(&berth_pod::ports, decoded);
      copy.abi.has &= decoded.abi.has | ~uint64_t{BERTH_POD_HAS_HOST_NETWORK};
      break;
  }
}

}  // namespace

std::vector<PodEdit> EditsFor(engine::Engine& engine, const api::Pod& pod, const std::vector<Group>& groups) {
  const cache::Cache& cache = engine.cache();
  std::vector<PodEdit> edits;
  if (std::optional<PodEdit> lower = LowerRequests(engine, pod, groups)) edits.push_back(*std::move(lower));
  AddTolerations(cache, pod, groups, edits);
  AddRelations(pod, groups, edits);
  const Value manifest = encode::PodManifest(cache.intern(), pod);
  std::erase_if(edits, [&](const PodEdit& edit) {
    PatchedManifest patched(manifest);
    edit.apply(patched);
    return patched.operations().empty();
  });
  return edits;
}

base::Result<EditedPod> Edited(api::InternTables& intern, const api::Pod& pod, std::span<const PodEdit> edits) {
  PatchedManifest patched(encode::PodManifest(intern, pod));
  for (const PodEdit& edit : edits) edit.apply(patched);
  const auto decoded = api::DecodePod(intern, json::Dump(patched.manifest()));
  if (!decoded) return base::Fail(decoded.error().message);
  api::Ref<api::Pod> copy(new api::Pod(intern));
  copy->CopyFrom(pod);
  for (const PodEdit& edit : edits) CopyEdited(**decoded, edit.kind, *copy);
  return EditedPod{.pod = api::PodRef(copy), .patch = patched.operations()};
}

}  // namespace berth::explain

#include "compare.h"

#include "api/protobuf/envelope.h"
#include "api/protobuf/pod_and_node.h"
#include "api/protobuf/transcode.h"
#include "codec/json/value.h"

namespace berth::protobuf {
namespace {

std::string_view Take(std::string_view& file) {
  uint32_t size = 0;
  for (size_t i = 0; i < 4; ++i) size = size << 8 | static_cast<unsigned char>(file.at(i));
  const std::string_view part = file.substr(4, size);
  file.remove_prefix(4 + part.size());
  return part;
}

// What the transcoder leaves out, also in templates.
void EraseManagedFields(json::Value& value) {
  if (value.is_array()) {
    for (json::Value& item : value.mutable_array()) EraseManagedFields(item);
  } else if (value.is_object()) {
    value.Erase("managedFields");
    for (auto& [key, member] : value.mutable_object()) EraseManagedFields(member);
  }
}

json::Value Expected(std::string_view text) {
  auto value = *json::Parse(text);
  EraseManagedFields(value);
  return value;
}

std::string DifferentManifests(const api::Manifest& manifest, std::string_view text) {
  if (!manifest) return "no manifest ";
  return *json::Parse(manifest->text) == Expected(text) ? "" : "manifest ";
}

// Decodes both ways, and compares the objects or the errors.
template <class OfJson, class OfProtobuf>
std::string CompareObjects(const Case& one, std::string_view message, OfJson of_json, OfProtobuf of_protobuf) {
  api::InternTables intern;
  const auto json = of_json(intern, one.json, api::KeepManifest::kYes);
  const auto protobuf = of_protobuf(intern, message, api::KeepManifest::kYes);
  if (!json || !protobuf) {
    const std::string a = json ? "" : json.error().message, b = protobuf ? "" : protobuf.error().message;
    return a == b ? "" : "error of JSON: " + a + "; error of protobuf: " + b;
  }
  return Differences(**json, **protobuf) + DifferentManifests((*protobuf)->manifest, one.json);
}

std::string CompareTexts(const KindType& kind, std::string_view message, const json::Value& want) {
  const auto text = ToJson(kind, message);
  if (!text) return text.error().message;
  const auto got = json::Parse(*text);
  if (!got) return "invalid JSON: " + got.error().message;
  return *got == want ? "" : "JSON differs:\n  have " + json::Dump(*got) + "\n  want " + json::Dump(want);
}

}  // namespace

std::vector<Case> CasesOf(std::string_view file) {
  std::vector<Case> cases;
  while (!file.empty()) {
    const std::string_view envelope = Take(file);
    cases.push_back({envelope, Take(file)});
  }
  return cases;
}

std::string Differences(const api::Pod& a, const api::Pod& b) {
  std::string names;
  const auto compare = [&](const char* name, const auto& one, const auto& other) {
    if (!(one == other)) names.append(name).append(" ");
  };
  compare("uid", a.uid(), b.uid());
  compare("name", a.name(), b.name());
  compare("key", a.key(), b.key());
  compare("labels", a.abi.labels, b.abi.labels);
  compare("images", a.abi.images, b.abi.images);
  compare("resources", a.abi.resources, b.abi.resources);
  compare("ports", a.abi.ports, b.abi.ports);
  compare("tolerations", a.abi.tolerations, b.abi.tolerations);
  compare("node_affinity", a.abi.node_affinity, b.abi.node_affinity);
  compare("gates", a.abi.gates, b.abi.gates);
  compare("pod_affinity", a.abi.pod_affinity, b.abi.pod_affinity);
  compare("spread", a.abi.spread, b.abi.spread);
  compare("volumes", a.abi.volumes, b.abi.volumes);
  compare("claims", a.abi.claims, b.abi.claims);
  compare("controller", a.abi.controller, b.abi.controller);
  compare("resource_version", a.resource_version(), b.resource_version());
  compare("phase", a.phase(), b.phase());
  compare("condition.status", a.scheduled_condition().status, b.scheduled_condition().status);
  compare("condition.reason", a.scheduled_condition().reason, b.scheduled_condition().reason);
  compare("condition.message", a.scheduled_condition().message, b.scheduled_condition().message);
  compare("claim_statuses", a.status().claim_statuses, b.status().claim_statuses);
  compare("n_tolerations", a.n_tolerations, b.n_tolerations);
  compare("priority", a.abi.priority, b.abi.priority);
  compare("has", a.abi.has, b.abi.has);
  compare("ns", a.abi.ns, b.abi.ns);
  compare("scheduler_name", a.abi.scheduler_name, b.abi.scheduler_name);
  compare("node_name", a.abi.node_name, b.abi.node_name);
  compare("nominated_node", a.abi.nominated_node, b.abi.nominated_node);
  compare("creation", a.abi.creation_unix_ns, b.abi.creation_unix_ns);
  compare("deletion", a.abi.deletion_unix_ns, b.abi.deletion_unix_ns);
  compare("start", a.abi.start_unix_ns, b.abi.start_unix_ns);
  compare("scheduled", a.abi.scheduled_unix_ns, b.abi.scheduled_unix_ns);
  compare("preemption_policy", a.abi.preemption_policy, b.abi.preemption_policy);
  compare("priority_class", a.abi.priority_class, b.abi.priority_class);
  compare("generation", a.abi.generation, b.abi.generation);
  return names;
}

std::string Differences(const api::Node& a, const api::Node& b) {
  std::string names;
  const auto compare = [&](const char* name, bool same) {
    if (!same) names.append(name).append(" ");
  };
  compare("name", a.name == b.name && a.abi.name == b.abi.name);
  compare("uid", a.uid == b.uid);
  compare("resource_version", a.resource_version == b.resource_version);
  compare("labels", a.labels == b.labels);
  compare("taints", a.taints == b.taints);
  compare("allocatable", api::SameAllocatable(a, b) && api::ExactlySameAllocatable(a, b));
  compare("declared_features", a.declared_features == b.declared_features);
  compare("images", api::SameImages(a, b));
  compare("zone", a.zone == b.zone);
  compare("conditions", a.conditions == b.conditions);
  compare("annotations", a.annotations == b.annotations);
  compare("taint_times", a.taint_times == b.taint_times);
  compare("ready", a.ready == b.ready);
  compare("unschedulable", a.abi.unschedulable == b.abi.unschedulable);
  compare("scheduling", api::EqualForScheduling(a, b));
  return names;
}

std::optional<std::string> CompareEncodings(const Case& one) {
  const json::Value want = Expected(one.json);
  const KindType* kind = FindKind(json::TextAt(want, "apiVersion"), json::TextAt(want, "kind"));
  if (kind == nullptr) return std::nullopt;
  const auto envelope = OpenEnvelope(one.envelope);
  if (!envelope) return envelope.error().message;
  if (envelope->kind != kind->kind) return "the envelope says " + std::string(envelope->kind);
  std::string different = CompareTexts(*kind, envelope->message, want);
  if (kind->kind == "Pod") {
    different += CompareObjects(one, envelope->message, &api::DecodePod, &DecodePodMessage);
  } else if (kind->kind == "Node") {
    different += CompareObjects(one, envelope->message, &api::DecodeNode, &DecodeNodeMessage);
  }
  return different;
}

}  // namespace berth::protobuf

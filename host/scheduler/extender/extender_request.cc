#include "scheduler/extender/extender_request.h"

#include "codec/json/value.h"

namespace berth::extender {
namespace {

using json::AppendQuoted;

void AppendField(std::string& out, std::string_view name, std::string_view text) {
  AppendQuoted(out, name);
  out += ':';
  AppendQuoted(out, text);
}

// The manifest, or {"metadata":{"<key>":"<text>"}}.
void AppendObject(std::string& out, std::string_view manifest, std::string_view key, std::string_view text) {
  if (!manifest.empty()) {
    out += manifest;
    return;
  }
  out += "{\"metadata\":{";
  AppendField(out, key, text);
  out += "}}";
}

void AppendPod(std::string& out, std::string_view pod) {
  out += "{\"Pod\":";
  out += pod.empty() ? std::string_view("null") : pod;
}

void AppendNodes(std::string& out, std::span<const framework::ExtenderNode> nodes) {
  out += "{\"metadata\":{},\"items\":";
  char separator = '[';
  for (const framework::ExtenderNode& node : nodes) {
    out += separator;
    separator = ',';
    AppendObject(out, node.manifest, "name", node.name);
  }
  out += nodes.empty() ? "null}" : "]}";  // Go's nil slice
}

void AppendNames(std::string& out, std::span<const framework::ExtenderNode> nodes) {
  out += '[';
  for (const framework::ExtenderNode& node : nodes) {
    if (&node != nodes.data()) out += ',';
    AppendQuoted(out, node.name);
  }
  out += ']';
}

void AppendVictims(std::string& out, const framework::Victims& victims, bool with_manifests) {
  out += "{\"Pods\":[";
  for (const framework::VictimPod& pod : victims.pods) {
    if (&pod != victims.pods.data()) out += ',';
    if (with_manifests) {
      AppendObject(out, pod.manifest, "uid", pod.uid);
    } else {
      out += '{';
      AppendField(out, "UID", pod.uid);
      out += '}';
    }
  }
  out += "],\"NumPDBViolations\":";
  out += std::to_string(victims.pdb_violations);
  out += '}';
}

size_t SizeOf(std::string_view pod, std::span<const framework::ExtenderNode> nodes, bool with_manifests) {
  size_t size = pod.size() + 128;
  for (const framework::ExtenderNode& node : nodes)
    size += 3 + (with_manifests ? node.manifest.size() : node.name.size());
  return size;
}

}  // namespace

std::string NodesRequest(std::string_view pod, std::span<const framework::ExtenderNode> nodes, bool with_manifests) {
  std::string out;
  out.reserve(SizeOf(pod, nodes, with_manifests));
  AppendPod(out, pod);
  out += ",\"Nodes\":";
  if (with_manifests) {
    AppendNodes(out, nodes);
    out += ",\"NodeNames\":null}";
  } else {
    out += "null,\"NodeNames\":";
    AppendNames(out, nodes);
    out += '}';
  }
  return out;
}

std::string BindRequest(const framework::ExtenderBinding& binding) {
  std::string out = "{";
  AppendField(out, "PodName", binding.pod_name);
  out += ',';
  AppendField(out, "PodNamespace", binding.pod_namespace);
  out += ',';
  AppendField(out, "PodUID", binding.pod_uid);
  out += ',';
  AppendField(out, "Node", binding.node);
  out += '}';
  return out;
}

std::string PreemptionRequest(std::string_view pod, const framework::NodeNameToVictims& victims, bool with_manifests) {
  std::string out;
  AppendPod(out, pod);
  out += with_manifests ? ",\"NodeNameToVictims\":" : ",\"NodeNameToVictims\":null,\"NodeNameToMetaVictims\":";
  char separator = '{';
  for (const auto& [node, of] : victims) {
    out += separator;
    separator = ',';
    AppendQuoted(out, node);
    out += ':';
    AppendVictims(out, of, with_manifests);
  }
  out += victims.empty() ? "{}" : "}";
  out += with_manifests ? ",\"NodeNameToMetaVictims\":null}" : "}";
  return out;
}

}  // namespace berth::extender

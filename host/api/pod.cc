#include "api/pod.h"

namespace berth::api {
namespace {

berth_str View(const std::string& text) { return {text.data(), text.size()}; }

}  // namespace

Pod::~Pod() {
  for (base::Id id : {abi.ns, abi.scheduler_name, abi.node_name, abi.nominated_node}) words_.ids.Drop(id);
}

void Pod::Replace(berth_id& field, std::string_view text) {
  const base::Id old = field;
  field = words_.ids.Intern(text);
  words_.ids.Drop(old);
}

void Pod::SetNamespace(std::string_view ns) { Replace(abi.ns, ns); }

void Pod::SetSchedulerName(std::string_view name) { Replace(abi.scheduler_name, name); }

void Pod::SetNodeName(std::string_view node) {
  Replace(abi.node_name, node);
  if (node.empty()) abi.node_name = base::kNoId;
}

void Pod::SetNominatedNode(std::string_view node) {
  Replace(abi.nominated_node, node);
  if (node.empty()) abi.nominated_node = base::kNoId;
}

void Pod::Seal() {
  const std::string_view ns = words_.ids.Text(abi.ns);
  key_.clear();
  key_.reserve(ns.size() + 1 + name.size());
  key_.append(ns).append("/").append(name);
  if (uid.empty()) uid = key_;
  abi.size = sizeof abi;
  abi.uid = View(uid);
  abi.name = View(name);
  abi.labels = &labels->abi;
  abi.images = &images->abi;
  abi.resources = &resources->abi;
  abi.ports = &ports->abi;
  abi.tolerations = &tolerations->abi;
  abi.node_affinity = &node_affinity->abi;
  abi.gates = &gates->abi;
}

void Pod::CopyFrom(const Pod& other) {
  for (base::Id id : {other.abi.ns, other.abi.scheduler_name, other.abi.node_name, other.abi.nominated_node}) {
    words_.ids.Keep(id);
  }
  for (base::Id id : {abi.ns, abi.scheduler_name, abi.node_name, abi.nominated_node}) words_.ids.Drop(id);
  abi = other.abi;
  uid = other.uid;
  name = other.name;
  labels = other.labels;
  images = other.images;
  resources = other.resources;
  ports = other.ports;
  tolerations = other.tolerations;
  node_affinity = other.node_affinity;
  gates = other.gates;
  resource_version = other.resource_version;
  phase = other.phase;
  generation = other.generation;
  scheduled_condition = other.scheduled_condition;
  claim_statuses = other.claim_statuses;
  n_tolerations = other.n_tolerations;
}

PodRef WithNodeName(Vocabulary& words, const Pod& pod, std::string_view node) {
  Ref<Pod> copy(new Pod(words));
  copy->CopyFrom(pod);
  copy->SetNodeName(node);
  copy->Seal();
  return copy;
}

PodRef WithNominatedNode(Vocabulary& words, const Pod& pod, std::string_view node) {
  Ref<Pod> copy(new Pod(words));
  copy->CopyFrom(pod);
  copy->SetNominatedNode(node);
  copy->Seal();
  return copy;
}

}  // namespace berth::api

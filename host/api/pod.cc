#include "api/pod.h"
#include "api/text_view.h"

#include <array>
#include <utility>

namespace berth::api {
namespace {

// The ids that a pod owns itself.
std::array<base::Id, 6> OwnIds(const berth_pod& abi) {
  return {abi.ns, abi.scheduler_name, abi.node_name, abi.nominated_node, abi.preemption_policy, abi.priority_class};
}

}  // namespace

Pod::~Pod() {
  for (base::Id id : OwnIds(abi)) intern_.ids.Drop(id);
}

void Pod::Replace(berth_id& field, std::string_view text) {
  const base::Id old = field;
  field = intern_.ids.Intern(text);
  intern_.ids.Drop(old);
}

void Pod::ReplaceOrUnset(berth_id& field, std::string_view text) {
  Replace(field, text);
  if (text.empty()) field = base::kNoId;
}

void Pod::SetNamespace(std::string_view ns) { Replace(abi.ns, ns); }

void Pod::SetSchedulerName(std::string_view scheduler) { Replace(abi.scheduler_name, scheduler); }

void Pod::SetNodeName(std::string_view node) { ReplaceOrUnset(abi.node_name, node); }

void Pod::SetNodeId(base::Id node) {
  intern_.ids.Keep(node);
  intern_.ids.Drop(std::exchange(abi.node_name, node));
}

void Pod::SetNominatedNode(std::string_view node) { ReplaceOrUnset(abi.nominated_node, node); }

void Pod::SetPreemptionPolicy(std::string_view policy) { ReplaceOrUnset(abi.preemption_policy, policy); }

void Pod::SetPriorityClass(std::string_view priority_class) { ReplaceOrUnset(abi.priority_class, priority_class); }

void Pod::Seal() {
  const std::string_view ns = intern_.ids.Text(abi.ns);
  key_.clear();
  key_.reserve(ns.size() + 1 + name.size());
  key_.append(ns).append("/").append(name);
  if (uid.empty()) uid = key_;
  abi.size = sizeof abi;
  abi.uid = Borrow(uid);
  abi.name = Borrow(name);
  abi.labels = &labels->abi;
  abi.images = &images->abi;
  abi.resources = &resources->abi;
  abi.ports = &ports->abi;
  abi.tolerations = &tolerations->abi;
  abi.node_affinity = &node_affinity->abi;
  abi.gates = &gates->abi;
  abi.pod_affinity = &pod_affinity->abi;
  abi.spread = &spread->abi;
  abi.volumes = &volumes->abi;
  abi.claims = &claims->abi;
  abi.controller = &controller->abi;
}

void Pod::CopyFrom(const Pod& other) {
  for (base::Id id : OwnIds(other.abi)) intern_.ids.Keep(id);
  for (base::Id id : OwnIds(abi)) intern_.ids.Drop(id);
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
  pod_affinity = other.pod_affinity;
  spread = other.spread;
  volumes = other.volumes;
  claims = other.claims;
  controller = other.controller;
  resource_version = other.resource_version;
  phase = other.phase;
  scheduled_condition = other.scheduled_condition;
  claim_statuses = other.claim_statuses;
  n_tolerations = other.n_tolerations;
  manifest = other.manifest;
  manifest_is_old = true;
}

PodRef WithNodeName(InternTables& intern, const Pod& pod, std::string_view node) {
  Ref<Pod> copy(new Pod(intern));
  copy->CopyFrom(pod);
  copy->SetNodeName(node);
  copy->Seal();
  return copy;
}

PodRef WithNominatedNode(InternTables& intern, const Pod& pod, std::string_view node) {
  Ref<Pod> copy(new Pod(intern));
  copy->CopyFrom(pod);
  copy->SetNominatedNode(node);
  copy->Seal();
  return copy;
}

}  // namespace berth::api

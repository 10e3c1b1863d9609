#include "api/pod.h"

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

const PodStatus& Pod::status() const {
  static const PodStatus kEmpty;
  return status_block ? status_block->status : kEmpty;
}

void Pod::SetScheduledCondition(const PodScheduledCondition& condition) {
  status_block = MakePodStatus(intern_, {.phase = phase(),
                                         .status = condition.status,
                                         .reason = condition.reason,
                                         .message = condition.message,
                                         .claim_statuses = status().claim_statuses,
                                         .observed_generation = condition.observed_generation});
}

void Pod::SetName(std::string_view name) {
  key_ = name;
  abi.name = Borrow(key_);
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

void Pod::SealKey() {
  const std::string_view ns = intern_.ids.Text(abi.ns);
  const size_t begin = ns.size() + 1;
  const bool is_complete = key_.size() == begin + name().size() && key_.starts_with(ns) && key_[ns.size()] == '/';
  if (!is_complete) {
    std::string key;
    key.reserve(begin + name().size());
    key.append(ns).append("/").append(name());
    key_ = std::move(key);
  }
  abi.name = Borrow(std::string_view(key_).substr(begin));
}

void Pod::Seal() {
  SealKey();
  if (uid.empty()) uid = key_;
  abi.size = sizeof abi;
  abi.uid = Borrow(uid);
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
  key_ = other.key_;
  abi.name = Borrow(std::string_view(key_).substr(key_.size() - other.name().size()));
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
  status_block = other.status_block;
  resource_version = other.resource_version;
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

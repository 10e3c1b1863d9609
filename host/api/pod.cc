#include "api/pod.h"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

namespace berth::api {
namespace {

constexpr uint32_t kMostTexts = ~uint32_t{0} >> 1;  // an API object has at most 1.5 MiB

// The ids that a pod owns itself.
std::array<base::Id, 6> OwnIds(const berth_pod& abi) {
  return {abi.ns, abi.scheduler_name, abi.node_name, abi.nominated_node, abi.preemption_policy, abi.priority_class};
}

template <class Fn>
void ForEachBlock(const berth_pod& abi, Fn&& fn) {
  fn(abi.labels);
  fn(abi.images);
  fn(abi.resources);
  fn(abi.ports);
  fn(abi.tolerations);
  fn(abi.node_affinity);
  fn(abi.gates);
  fn(abi.pod_affinity);
  fn(abi.spread);
  fn(abi.volumes);
  fn(abi.claims);
  fn(abi.controller);
}

template <class Abi>
void KeepBlock(const Abi* block) {
  if (block != nullptr) BlockOf(*block).AddRef();
}

template <class Abi>
void ReleaseBlock(const Abi* block) {
  if (block != nullptr) BlockOf(*block).Release();
}

}  // namespace

Pod::~Pod() {
  ForEachBlock(abi, [](const auto* block) { ReleaseBlock(block); });
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

std::string_view Pod::resource_version() const {
  const char* const begin = View(abi.uid).end();
  return {begin, static_cast<size_t>(texts_.get() + texts_size_ - begin)};
}

void Pod::SetIdentity(std::string_view ns, std::string_view name, std::string_view uid,
                      std::string_view resource_version) {
  const size_t key_size = ns.size() + 1 + name.size();
  const size_t size = key_size + uid.size() + resource_version.size();
  auto texts = std::make_unique_for_overwrite<char[]>(size);
  char* end = texts.get();
  for (std::string_view text : {ns, std::string_view("/"), name, uid, resource_version}) {
    end = std::copy(text.begin(), text.end(), end);
  }
  Replace(abi.ns, ns);
  abi.name = {texts.get() + ns.size() + 1, name.size()};
  abi.uid = uid.empty() ? berth_str{texts.get(), key_size} : berth_str{texts.get() + key_size, uid.size()};
  texts_ = std::move(texts);
  texts_size_ = static_cast<uint32_t>(size);
  texts_capacity_ = texts_size_ & kMostTexts;
}

void Pod::SetResourceVersion(std::string_view resource_version) {
  const bool has_uid = abi.uid.ptr != texts_.get();
  SetIdentity(ns(), name(), has_uid ? uid() : std::string_view(), resource_version);
}

void Pod::SetSchedulerName(std::string_view scheduler) { Replace(abi.scheduler_name, scheduler); }

void Pod::SetNodeName(std::string_view node) { ReplaceOrUnset(abi.node_name, node); }

void Pod::SetNodeId(base::Id node) {
  intern_.ids.Keep(node);
  intern_.ids.Drop(std::exchange(abi.node_name, node));
}

void Pod::SetNominatedNode(std::string_view node) { ReplaceOrUnset(abi.nominated_node, node); }

void Pod::SetPreemptionPolicy(std::string_view policy) { ReplaceOrUnset(abi.preemption_policy, policy); }

void Pod::SetPriorityClass(std::string_view priority_class) { ReplaceOrUnset(abi.priority_class, priority_class); }

void Pod::CopyTexts(const Pod& other) {
  if (texts_capacity_ < other.texts_size_) {
    texts_ = std::make_unique_for_overwrite<char[]>(other.texts_size_);
    texts_capacity_ = other.texts_size_ & kMostTexts;
  }
  texts_size_ = other.texts_size_;
  std::copy_n(other.texts_.get(), texts_size_, texts_.get());
  abi.name.ptr = texts_.get() + (other.abi.name.ptr - other.texts_.get());
  abi.uid.ptr = texts_.get() + (other.abi.uid.ptr - other.texts_.get());
}

void Pod::CopyFrom(const Pod& other) {
  for (base::Id id : OwnIds(other.abi)) intern_.ids.Keep(id);
  for (base::Id id : OwnIds(abi)) intern_.ids.Drop(id);
  ForEachBlock(other.abi, [](const auto* block) { KeepBlock(block); });
  ForEachBlock(abi, [](const auto* block) { ReleaseBlock(block); });
  abi = other.abi;
  CopyTexts(other);
  status_block = other.status_block;
  n_tolerations = other.n_tolerations;
  manifest = other.manifest;
  manifest_is_old_ = true;
}

PodRef WithNodeName(InternTables& intern, const Pod& pod, std::string_view node) {
  Ref<Pod> copy(new Pod(intern));
  copy->CopyFrom(pod);
  copy->SetNodeName(node);
  return copy;
}

PodRef WithNominatedNode(InternTables& intern, const Pod& pod, std::string_view node) {
  Ref<Pod> copy(new Pod(intern));
  copy->CopyFrom(pod);
  copy->SetNominatedNode(node);
  return copy;
}

}  // namespace berth::api

// A pod in the host: the ABI's view, and fields that only the host reads. Immutable once published. Thread: a held
// PodRef may be read on any thread. Ownership: reference-counted; a pod owns its ids, texts, and block references.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "api/block.h"
#include "api/intern_tables.h"
#include "api/manifest.h"
#include "api/pod_status.h"
#include "api/ref.h"
#include "api/resources.h"
#include "api/selector_block.h"
#include "api/text_view.h"
#include "base/result.h"

namespace berth::api {

// There is one for each pod of the cluster: a test limits its size. The pod owns a reference of each block that abi
// points to.
class Pod : public RefCounted {
 public:
  uint32_t n_tolerations = 0;  // here, because it needs no memory beside the reference count
  berth_pod abi{};             // the blocks and texts that it points to belong to the pod

  Ref<const PodStatusBlock> status_block;  // null, as in a blank pod: every text is empty
  Manifest manifest;                       // see CurrentManifest

  std::string_view key() const { return {texts_.get(), static_cast<size_t>(View(abi.name).end() - texts_.get())}; }
  std::string_view name() const { return View(abi.name); }
  std::string_view ns() const { return key().substr(0, key().size() - name().size() - 1); }  // not of a blank pod
  std::string_view uid() const { return View(abi.uid); }
  std::string_view resource_version() const;
  bool manifest_is_old() const { return manifest_is_old_; }  // this copy differs from the received object

  // The host's parts of blocks.
  const LabelsBlock& labels() const { return BlockOf(*abi.labels); }
  const ResourcesBlock& resources() const { return ResourcesBlockOf(abi.resources); }
  const PortsBlock& ports() const { return static_cast<const PortsBlock&>(BlockOf(*abi.ports)); }
  const PodAffinityBlock& pod_affinity() const {
    return static_cast<const PodAffinityBlock&>(BlockOf(*abi.pod_affinity));
  }
  const SpreadBlock& spread() const { return static_cast<const SpreadBlock&>(BlockOf(*abi.spread)); }

  const PodStatus& status() const;
  const std::string& phase() const { return status().phase; }
  const PodScheduledCondition& scheduled_condition() const { return status().scheduled_condition; }
  bool terminal() const { return phase() == "Succeeded" || phase() == "Failed"; }

  // For DecodePod and the copies below, before the pod is published. A new pod is blank: it has no texts and no blocks.
  explicit Pod(InternTables& intern) : intern_(intern) { abi.size = sizeof abi; }
  ~Pod() override;
  // uid: "" = the key. The texts may be those of this pod.
  void SetIdentity(std::string_view ns, std::string_view name, std::string_view uid, std::string_view resource_version);
  void SetResourceVersion(std::string_view resource_version);
  void SetSchedulerName(std::string_view name);
  void SetNodeName(std::string_view node);            // "" = unset
  void SetNodeId(base::Id node);                      // the caller owns the id
  void SetNominatedNode(std::string_view node);       // "" = unset
  void SetPreemptionPolicy(std::string_view policy);  // "" = unset
  void SetPriorityClass(std::string_view name);       // "" = unset
  void SetScheduledCondition(const PodScheduledCondition& condition);

  void Set(Ref<const LabelsBlock> block) { Own(abi.labels, std::move(block)); }
  void Set(Ref<const ImagesBlock> block) { Own(abi.images, std::move(block)); }
  void Set(Ref<const ResourcesBlock> block) { Own(abi.resources, std::move(block)); }
  void Set(Ref<const PortsBlock> block) { Own(abi.ports, std::move(block)); }
  void Set(Ref<const TolerationsBlock> block) { Own(abi.tolerations, std::move(block)); }
  void Set(Ref<const NodeAffinityBlock> block) { Own(abi.node_affinity, std::move(block)); }
  void Set(Ref<const GatesBlock> block) { Own(abi.gates, std::move(block)); }
  void Set(Ref<const PodAffinityBlock> block) { Own(abi.pod_affinity, std::move(block)); }
  void Set(Ref<const SpreadBlock> block) { Own(abi.spread, std::move(block)); }
  void Set(Ref<const VolumesBlock> block) { Own(abi.volumes, std::move(block)); }
  void Set(Ref<const ClaimsBlock> block) { Own(abi.claims, std::move(block)); }
  void Set(Ref<const ControllerBlock> block) { Own(abi.controller, std::move(block)); }
  // Shares one block of another pod, such as &berth_pod::spread.
  template <class Abi>
  void Share(const Abi* berth_pod::*part, const Pod& from) {
    Own(abi.*part, Ref(&BlockOf(*(from.abi.*part))));
  }

  void CopyFrom(const Pod& other);  // all fields

 private:
  // block: not null.
  template <class Abi, class B>
  static void Own(const Abi*& part, Ref<const B> block) {
    const Abi* const old = std::exchange(part, &block.Detach()->abi);
    if (old != nullptr) BlockOf(*old).Release();
  }
  void CopyTexts(const Pod& other);
  void Replace(berth_id& field, std::string_view text);
  void ReplaceOrUnset(berth_id& field, std::string_view text);

  InternTables& intern_;
  // "namespace/name", the uid unless it is the key, and the resourceVersion.
  std::unique_ptr<char[]> texts_;
  uint32_t texts_size_ = 0;
  uint32_t texts_capacity_ : 31 = 0;
  bool manifest_is_old_ : 1 = false;
};
using PodRef = Ref<const Pod>;

// Copies that differ in one field and share everything else.
PodRef WithNodeName(InternTables& intern, const Pod& pod, std::string_view node);
PodRef WithNominatedNode(InternTables& intern, const Pod& pod, std::string_view node);

// Decodes a v1.Pod. Skips fields that no plugin reads. Absent lists are empty blocks. Errors name the object and the
// field: `pod "ns/name": spec.containers[0].resources.requests["cpu"]: ...`. An absent uid becomes "ns/name". Thread:
// any (there is one parser per thread).
base::Result<PodRef> DecodePod(InternTables& intern, std::string_view json, KeepManifest keep = KeepManifest::kNo);

}  // namespace berth::api

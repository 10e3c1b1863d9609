// A pod as the host keeps it: the ABI's view plus what only the host reads. Immutable once published.
// Thread: a held PodRef may be read from any thread. Ownership: counted; a pod owns its ids, texts and block
// references.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "api/block.h"
#include "api/manifest.h"
#include "api/ref.h"
#include "api/resources.h"
#include "api/selector_block.h"
#include "api/vocabulary.h"
#include "base/result.h"

namespace berth::api {

// status.conditions[type=PodScheduled]; empty status when the pod has none.
struct PodScheduledCondition {
  std::string status, reason, message;
  int64_t observed_generation = 0;  // only written; an update that changes nothing else is none
};

class Pod : public RefCounted {
 public:
  berth_pod abi{};  // points into the members below

  std::string uid, name;
  Ref<const LabelsBlock> labels;
  Ref<const ImagesBlock> images;
  Ref<const ResourcesBlock> resources;
  Ref<const PortsBlock> ports;
  Ref<const TolerationsBlock> tolerations;
  Ref<const NodeAffinityBlock> node_affinity;
  Ref<const GatesBlock> gates;
  Ref<const PodAffinityBlock> pod_affinity;
  Ref<const SpreadBlock> spread;
  Ref<const VolumesBlock> volumes;
  Ref<const ClaimsBlock> claims;
  Ref<const ControllerBlock> controller;

  std::string resource_version, phase;
  PodScheduledCondition scheduled_condition;
  // status.resourceClaimStatuses and extendedResourceClaimStatus as canonical text: only compared.
  std::string claim_statuses;
  uint32_t n_tolerations = 0;
  Manifest manifest;             // see CurrentManifest
  bool manifest_is_old = false;  // this is a copy that differs from what came

  const std::string& key() const { return key_; }  // "namespace/name"
  bool terminal() const { return phase == "Succeeded" || phase == "Failed"; }

  // What DecodePod and the copies below use; every field of abi that points elsewhere is set by Seal.
  explicit Pod(Vocabulary& words) : words_(words) {}
  ~Pod() override;
  void SetNamespace(std::string_view ns);
  void SetSchedulerName(std::string_view name);
  void SetNodeName(std::string_view node);            // "" = unset
  void SetNominatedNode(std::string_view node);       // "" = unset
  void SetPreemptionPolicy(std::string_view policy);  // "" = unset
  void SetPriorityClass(std::string_view name);       // "" = unset
  void Seal();
  void CopyFrom(const Pod& other);  // everything; to be sealed again

 private:
  void Replace(berth_id& field, std::string_view text);
  void ReplaceOrUnset(berth_id& field, std::string_view text);

  Vocabulary& words_;
  std::string key_;
};
using PodRef = Ref<const Pod>;

// Copies that differ in one thing; everything else is shared.
PodRef WithNodeName(Vocabulary& words, const Pod& pod, std::string_view node);
PodRef WithNominatedNode(Vocabulary& words, const Pod& pod, std::string_view node);

// Decodes a v1.Pod. Fields that no plugin reads are skipped unread. Absent lists are empty blocks. Errors name object
// and field: `pod "ns/name": spec.containers[0].resources.requests["cpu"]: ...`. An absent uid becomes "ns/name".
// Thread: any (the parser is per thread).
base::Result<PodRef> DecodePod(Vocabulary& words, std::string_view json, KeepManifest keep = KeepManifest::kNo);

}  // namespace berth::api

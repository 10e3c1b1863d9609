// A pod in the host: the ABI's view, and fields that only the host reads. Immutable once published. Thread: a held
// PodRef may be read on any thread. Ownership: reference-counted; a pod owns its ids, texts, and block references.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "api/block.h"
#include "api/intern_tables.h"
#include "api/manifest.h"
#include "api/ref.h"
#include "api/resources.h"
#include "api/selector_block.h"
#include "base/result.h"

namespace berth::api {

// status.conditions[type=PodScheduled]; status is empty if the pod has none.
struct PodScheduledCondition {
  std::string status, reason, message;
  int64_t observed_generation = 0;  // only written; a change of it alone is no update
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
  // status.resourceClaimStatuses and extendedResourceClaimStatus as canonical text, only for comparison.
  std::string claim_statuses;
  uint32_t n_tolerations = 0;
  Manifest manifest;             // see CurrentManifest
  bool manifest_is_old = false;  // this copy differs from the received object

  const std::string& key() const { return key_; }  // "namespace/name"
  bool terminal() const { return phase == "Succeeded" || phase == "Failed"; }

  // For DecodePod and the copies below. Seal sets every pointer in abi.
  explicit Pod(InternTables& intern) : intern_(intern) {}
  ~Pod() override;
  void SetNamespace(std::string_view ns);
  void SetSchedulerName(std::string_view name);
  void SetNodeName(std::string_view node);            // "" = unset
  void SetNodeId(base::Id node);                      // the caller owns the id
  void SetNominatedNode(std::string_view node);       // "" = unset
  void SetPreemptionPolicy(std::string_view policy);  // "" = unset
  void SetPriorityClass(std::string_view name);       // "" = unset
  void Seal();
  void CopyFrom(const Pod& other);  // all fields; call Seal afterwards

 private:
  void Replace(berth_id& field, std::string_view text);
  void ReplaceOrUnset(berth_id& field, std::string_view text);

  InternTables& intern_;
  std::string key_;
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

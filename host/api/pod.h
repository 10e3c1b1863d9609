// A pod in the host: the ABI's view, and fields that only the host reads. Immutable once published. Thread: a held
// PodRef may be read on any thread. Ownership: reference-counted; a pod owns its ids, texts, and block references.
#pragma once

#include <string>
#include <string_view>
#include <vector>

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

class Pod : public RefCounted {
 public:
  uint32_t n_tolerations = 0;  // here, because it needs no memory beside the reference count
  berth_pod abi{};             // points into the members below

  std::string uid;
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

  Ref<const PodStatusBlock> status_block;  // null, as in a blank pod: every text is empty

  std::string resource_version;
  Manifest manifest;             // see CurrentManifest
  bool manifest_is_old = false;  // this copy differs from the received object

  const std::string& key() const { return key_; }  // "namespace/name"
  std::string_view name() const { return View(abi.name); }
  const PodStatus& status() const;
  const std::string& phase() const { return status().phase; }
  const PodScheduledCondition& scheduled_condition() const { return status().scheduled_condition; }
  bool terminal() const { return phase() == "Succeeded" || phase() == "Failed"; }

  // For DecodePod and the copies below. Seal sets every pointer in abi.
  explicit Pod(InternTables& intern) : intern_(intern) {}
  ~Pod() override;
  void SetName(std::string_view name);
  void SetNamespace(std::string_view ns);
  void SetSchedulerName(std::string_view name);
  void SetNodeName(std::string_view node);            // "" = unset
  void SetNodeId(base::Id node);                      // the caller owns the id
  void SetNominatedNode(std::string_view node);       // "" = unset
  void SetPreemptionPolicy(std::string_view policy);  // "" = unset
  void SetPriorityClass(std::string_view name);       // "" = unset
  void SetScheduledCondition(const PodScheduledCondition& condition);
  void Seal();
  void CopyFrom(const Pod& other);  // all fields; call Seal afterwards

 private:
  void SealKey();
  void Replace(berth_id& field, std::string_view text);
  void ReplaceOrUnset(berth_id& field, std::string_view text);

  InternTables& intern_;
  std::string key_;  // ends in the name; complete after Seal
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

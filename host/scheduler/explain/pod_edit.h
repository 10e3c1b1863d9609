// A change of a pod's manifest that may make it fit on a node, and the pod after it. Only what a user can write into
// the manifest changes; everything else stays as it is in the cluster.
// Thread: the scheduling thread. Ownership: values.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "api/pod.h"
#include "base/result.h"
#include "codec/json/value.h"
#include "scheduler/engine/engine.h"
#include "scheduler/explain/patched_manifest.h"
#include "scheduler/explain/pod_explanation.h"

namespace berth::explain {

struct PodEdit {
  enum class Kind : uint8_t { kLowerRequests, kTolerate, kNodeSelector, kSpread, kPodAffinity, kPorts };
  Kind kind;
  std::string change;  // "tolerate the taint dedicated=gpu:NoSchedule"
  std::function<void(PatchedManifest&)> apply;
};

struct EditedPod {
  api::PodRef pod;
  json::Array patch;  // RFC 6902, of the pod's manifest as the API server returns it
};

// The changes that concern the reasons of the groups, and that change something; at most one for each kind of change,
// but for some taints. None is certain to help.
std::vector<PodEdit> EditsFor(engine::Engine& engine, const api::Pod& pod, const std::vector<Group>& groups);

// The pod after the edits. Error: the manifest is no valid pod.
base::Result<EditedPod> Edited(api::InternTables& intern, const api::Pod& pod, std::span<const PodEdit> edits);

}  // namespace berth::explain

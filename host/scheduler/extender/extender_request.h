// The requests to extenders in JSON. The field names are the names of the Go fields, because the types of
// k8s.io/kube-scheduler/extender/v1 have no tags; omitted fields are null. Manifests are sent unchanged; if a manifest
// is empty, only the name or uid of the object is sent. Thread: any; pure functions.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "scheduler/framework/extender.h"

namespace berth::extender {

// ExtenderArgs, for filter and prioritize. with_manifests: sends Nodes, else NodeNames.
std::string NodesRequest(std::string_view pod, std::span<const framework::ExtenderNode> nodes, bool with_manifests);
// ExtenderBindingArgs.
std::string BindRequest(const framework::ExtenderBinding& binding);
// ExtenderPreemptionArgs. with_manifests: sends NodeNameToVictims, else NodeNameToMetaVictims.
std::string PreemptionRequest(std::string_view pod, const framework::NodeNameToVictims& victims, bool with_manifests);

}  // namespace berth::extender

// What is sent to extenders: JSON whose field names are the Go names, for the types of
// k8s.io/kube-scheduler/extender/v1 have no tags; what is not sent is null. Manifests are passed on as they are; where
// one is empty, only what identifies the object is sent. Thread: any; pure functions.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "extender/extender.h"

namespace berth::extender {

// ExtenderArgs, of filter and prioritize. with_manifests: Nodes, else NodeNames.
std::string NodesQuestion(std::string_view pod, std::span<const Asked> nodes, bool with_manifests);
// ExtenderBindingArgs.
std::string BindQuestion(const Binding& binding);
// ExtenderPreemptionArgs. with_manifests: NodeNameToVictims, else NodeNameToMetaVictims.
std::string PreemptQuestion(std::string_view pod, const VictimsByNode& victims, bool with_manifests);

}  // namespace berth::extender

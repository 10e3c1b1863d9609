// The features that nodes declare and pods may need. Pure; thread: any. Source:
// k8s.io/component-helpers/nodedeclaredfeatures.
#pragma once

#include <berth/berth.h>

#include <array>
#include <cstdint>
#include <string_view>

namespace plugins::node_declared_features {

// All features that kube-scheduler 1.36 knows, sorted by name. Those without a rule below concern only running pods.
inline constexpr std::array<std::string_view, 5> kKnown = {
    "ExtendWebSocketsToKubelet", "InPlacePodLevelResourcesVerticalScaling", "InPlacePodVerticalScalingInitContainers",
    "RestartAllContainersOnContainerExits", "UserNamespacesHostNetworkSupport"};

using Set = uint32_t;  // bit i: kKnown[i]
inline constexpr Set kRestartAll = 1u << 3, kUserNamespacesOnHostNetwork = 1u << 4;

// The features that a pod with these BERTH_POD_HAS_* bits needs.
constexpr Set NeededBy(uint64_t pod_has) {
  constexpr uint64_t kOwnUsersOnHostNetwork = BERTH_POD_HAS_HOST_NETWORK | BERTH_POD_HAS_NO_HOST_USERS;
  Set needed = 0;
  if ((pod_has & BERTH_POD_HAS_RESTART_ALL) != 0) needed |= kRestartAll;
  if ((pod_has & kOwnUsersOnHostNetwork) == kOwnUsersOnHostNetwork) needed |= kUserNamespacesOnHostNetwork;
  return needed;
}

// The features in a node's list, which is sorted by name. As in upstream, a name out of order may be missed. name_at(i)
// returns the i-th of n names.
template <class NameAt>
Set DeclaredIn(uint32_t n, const NameAt& name_at) {
  Set declared = 0;
  uint32_t i = 0, known = 0;
  while (i < n && known < kKnown.size()) {
    const std::string_view name = name_at(i);
    if (name == kKnown[known]) declared |= 1u << known;
    if (name <= kKnown[known]) ++i;
    if (name >= kKnown[known]) ++known;
  }
  return declared;
}

}  // namespace plugins::node_declared_features

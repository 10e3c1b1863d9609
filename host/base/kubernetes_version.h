// The release of Kubernetes whose kube-scheduler Berth replaces, the only place that names it. Thread: constants.
#pragma once

namespace berth::base {

inline constexpr const char* kKubernetesMajor = "1";
inline constexpr const char* kKubernetesMinor = "36";
inline constexpr const char* kKubernetesMajorMinor = "1.36";
inline constexpr const char* kKubernetesVersion = "1.36.3";
inline constexpr const char* kKubernetesGitVersion = "v1.36.3";
// The version that kube-scheduler emulates, as a semantic version: only major and minor count. Source:
// k8s.io/component-base/compatibility (EffectiveVersion), cmd/kube-scheduler/app/server.go (NewCandidate).
inline constexpr const char* kKubernetesEmulationVersion = "1.36.0";

}  // namespace berth::base

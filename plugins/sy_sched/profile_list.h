// The SeccompProfiles that a pod names: in its security context, in those of its containers, and in annotations.
// Source: getSyscalls of pkg/sysched/sysched.go of kubernetes-sigs/scheduler-plugins. Thread: any. A value.
#pragma once

#include <berth/objects.hpp>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "profile_path.h"
#include "profiles.h"

namespace plugins::sy_sched {

inline constexpr std::string_view kSeccompAnnotation = "seccomp.security.alpha.kubernetes.io";

// Keys of profiles, sorted, each once.
using ProfileList = std::vector<std::string>;

namespace profile_list_detail {

inline void AddPath(std::string_view path, ProfileList& list) {
  const ProfilePath parsed = ProfilePath::Of(path);
  if (!parsed.empty()) list.push_back(ProfileKey(parsed.ns, parsed.name));
}
// context: a pod's or a container's.
inline void AddContext(const berth::sdk::Value& context, ProfileList& list) {
  const auto profile = context.Get("seccompProfile");
  if (profile.Get("type").AsString() == "Localhost") AddPath(profile.Get("localhostProfile").AsString(), list);
}

}  // namespace profile_list_detail

inline ProfileList ProfilesOf(const berth::sdk::Object& pod) {
  using namespace profile_list_detail;  // NOLINT
  ProfileList list;
  AddContext(pod.At("spec", "securityContext"), list);
  const auto containers = pod.At("spec", "containers");
  for (uint32_t i = 0; i < containers.size(); ++i) AddContext(containers[i].Get("securityContext"), list);
  const auto annotations = pod.At("metadata", "annotations");
  for (uint32_t i = 0; i < annotations.size(); ++i) {
    if (annotations.KeyAt(i).find(kSeccompAnnotation) != std::string_view::npos)
      AddPath(annotations[i].AsString(), list);
  }
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
  return list;
}

}  // namespace plugins::sy_sched

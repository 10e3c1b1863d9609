// Args whose kind the configuration of the original registers: apiVersion and kind are optional in them, and if they
// are there, they must be those of the plugin. Pure; thread: any. Source: k8s.io/kube-scheduler config/v1 types.go
// (decodeNestedObjects); apis/config/v1/register.go of kubernetes-sigs/scheduler-plugins.
#pragma once

#include <berth/plugin.hpp>

#include <string>
#include <string_view>

namespace plugins {

// The versions of KubeSchedulerConfiguration that Berth reads. The group may have the name of scheduler-plugins before
// it.
inline bool IsConfigVersion(std::string_view version) {
  constexpr std::string_view kOfPlugins = "scheduler-plugins.", kGroup = "kubescheduler.config.k8s.io/";
  if (version.starts_with(kOfPlugins)) version.remove_prefix(kOfPlugins.size());
  if (!version.starts_with(kGroup)) return false;
  version.remove_prefix(kGroup.size());
  return version == "v1" || version == "v1beta3" || version == "v1beta2";
}

// Names the args as errors name them, and refuses args of another kind. An empty text counts as absent, as upstream.
inline void ExpectKind(berth::sdk::ArgsReader& in, std::string_view plugin) {
  const std::string wanted = std::string(plugin) + "Args";
  std::string version, kind;
  in.Name(wanted);
  in.Get("apiVersion", version);
  in.Get("kind", kind);
  if (kind.empty()) kind = wanted;
  if (kind != wanted) {
    const std::string group = ".kubescheduler.config.k8s.io";
    in.Malformed("kind", "args for plugin " + std::string(plugin) + " were not of type " + wanted + group + ", got " +
                             kind + group);
  }
  if (!version.empty() && !IsConfigVersion(version)) {
    in.Malformed("apiVersion",
                 "no kind " + berth::sdk::Quoted(kind) + " is registered for version " + berth::sdk::Quoted(version));
  }
}

}  // namespace plugins

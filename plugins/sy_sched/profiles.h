// The system calls that each SeccompProfile (security-profiles-operator.x-k8s.io/v1beta1) allows or logs.
// Source: readSPOProfileCR of pkg/sysched/sysched.go of kubernetes-sigs/scheduler-plugins. baseProfileName is not
// followed, as there. Thread: one at a time; any for Find.
#pragma once

#include <berth/objects.hpp>

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "syscall_set.h"

namespace plugins::sy_sched {

// "namespace/name"
inline std::string ProfileKey(std::string_view ns, std::string_view name) {
  return std::string(ns) + "/" + std::string(name);
}

class Profiles {
 public:
  // Whether the system calls have changed. now empty: the profile was deleted.
  bool Set(const std::string& key, const berth::sdk::Object& now) {
    Profile profile;
    if (now) profile = Read(now);
    const auto at = profiles_.try_emplace(key).first;
    const bool changed = !(profile.calls == at->second.calls);
    std::swap(at->second, profile);
    for (const std::string& name : profile.names) numbers_.Drop(name);
    if (!now) profiles_.erase(at);
    return changed;
  }

  // Null: there is no such profile.
  const SyscallSet* Find(const std::string& key) const {
    const auto at = profiles_.find(key);
    return at == profiles_.end() ? nullptr : &at->second.calls;
  }
  size_t names() const { return numbers_.size(); }

 private:
  struct Profile {
    std::vector<std::string> names;  // taken from numbers_
    SyscallSet calls;
  };

  static bool Counts(std::string_view action) { return action == "SCMP_ACT_ALLOW" || action == "SCMP_ACT_LOG"; }

  Profile Read(const berth::sdk::Object& object) {
    Profile profile;
    const auto rules = object.At("spec", "syscalls");
    for (uint32_t i = 0; i < rules.size(); ++i) {
      if (!Counts(rules[i].Get("action").AsString())) continue;
      const auto names = rules[i].Get("names");
      for (uint32_t j = 0; j < names.size(); ++j) {
        profile.names.emplace_back(names[j].AsString());
        profile.calls.Add(numbers_.Take(profile.names.back()));
      }
    }
    return profile;
  }

  SyscallNumbers numbers_;
  std::unordered_map<std::string, Profile> profiles_;
};

}  // namespace plugins::sy_sched

// Counts the pods on nodes that use each claim, from the deltas. Pods without claims cost nothing. Source: usedPVCSet
// of pkg/scheduler/backend/cache/snapshot.go. Thread: [serial]. Ownership: keeps the two ids of each counted claim.
#pragma once

#include <berth/plugin.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace plugins::volume_restrictions {

class ClaimUses {
 public:
  explicit ClaimUses(berth::sdk::Host& host) : host_(host) {}

  void Add(const berth::sdk::Pod& pod) {
    for (const berth_volume& volume : pod.volumes()) {
      if (volume.kind != BERTH_VOLUME_CLAIM) continue;
      uint32_t& uses = uses_[Key(pod.ns(), volume.handle)];
      if (uses++ != 0) continue;
      host_.Keep(pod.ns());
      host_.Keep(volume.handle);
    }
  }
  void Remove(const berth::sdk::Pod& pod) {
    for (const berth_volume& volume : pod.volumes()) {
      if (volume.kind != BERTH_VOLUME_CLAIM) continue;
      const auto found = uses_.find(Key(pod.ns(), volume.handle));
      if (found == uses_.end() || --found->second != 0) continue;
      uses_.erase(found);
      host_.Drop(pod.ns());
      host_.Drop(volume.handle);
    }
  }
  bool Used(berth::sdk::Id ns, berth::sdk::Id claim) const { return uses_.count(Key(ns, claim)) != 0; }

  // Equal for equal counts.
  std::string Dump() const {
    std::vector<std::string> lines;
    for (const auto& [key, uses] : uses_) {
      lines.push_back(std::string(host_.Text(static_cast<berth::sdk::Id>(key >> 32))) + "/" +
                      std::string(host_.Text(static_cast<berth::sdk::Id>(key))) + " " + std::to_string(uses) + "\n");
    }
    std::sort(lines.begin(), lines.end());
    std::string text;
    for (const std::string& line : lines) text += line;
    return text;
  }

 private:
  static uint64_t Key(berth::sdk::Id ns, berth::sdk::Id claim) { return uint64_t{ns} << 32 | claim; }

  berth::sdk::Host& host_;
  std::unordered_map<uint64_t, uint32_t> uses_;
};

}  // namespace plugins::volume_restrictions

// The zones and regions to which a PersistentVolume's labels restrict it. Source: getPVTopologies of
// pkg/scheduler/framework/plugins/volumezone/volume_zone.go, LabelZonesToSet of k8s.io/cloud-provider/volume/helpers.
// Pure logic; thread: any.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace plugins::volume_zone {

// In the order of the checks.
inline constexpr std::array<std::string_view, 4> kKeys = {
    "failure-domain.beta.kubernetes.io/zone", "failure-domain.beta.kubernetes.io/region", "topology.kubernetes.io/zone",
    "topology.kubernetes.io/region"};
inline constexpr size_t kKeysOfBeta = 2;  // kKeys[i + 2] is the newer name of kKeys[i] below that

struct Topology {
  size_t key;                       // index into kKeys
  std::vector<std::string> values;  // sorted, unique
  bool operator==(const Topology&) const = default;
};

inline std::string_view Trimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t\n\v\f\r");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\n\v\f\r") - begin + 1);
}

// The zones in a label: "a__b" is a or b. nullopt: one of them is empty, and the label does not count.
inline std::optional<std::vector<std::string>> ZonesOf(std::string_view label) {
  constexpr std::string_view kBetween = "__";
  std::vector<std::string> zones;
  for (size_t at = 0;;) {
    const size_t end = label.find(kBetween, at);
    const std::string_view zone = Trimmed(label.substr(at, end == std::string_view::npos ? end : end - at));
    if (zone.empty()) return std::nullopt;
    zones.emplace_back(zone);
    if (end == std::string_view::npos) break;
    at = end + kBetween.size();
  }
  std::sort(zones.begin(), zones.end());
  zones.erase(std::unique(zones.begin(), zones.end()), zones.end());
  return zones;
}

// label(key) -> std::optional<std::string_view>, the volume's label. The result has the order of kKeys.
template <class Label>
std::vector<Topology> TopologiesOf(Label&& label) {
  std::vector<Topology> topologies;
  for (size_t i = 0; i < kKeys.size(); ++i) {
    const std::optional<std::string_view> value = label(kKeys[i]);
    if (!value) continue;
    if (auto zones = ZonesOf(*value)) topologies.push_back({i, std::move(*zones)});
  }
  return topologies;
}

}  // namespace plugins::volume_zone

// In which zone of its node each container runs. An agent reports it in few characters: it sorts the hashes of all
// containers with exclusive resources, and lists for each zone except the busiest which of them it has. Source: the
// library k8stopologyawareschedwg/numaplacement, and getNUMAPlacementInfo of pkg/noderesourcetopology/cache/store.go of
// kubernetes-sigs/scheduler-plugins. Pure; thread: any.
#pragma once

#include <berth/objects.hpp>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "attributes.h"
#include "fingerprint.h"
#include "leb89.h"

namespace plugins::node_topology {

struct Placed {
  uint64_t container;  // its hash
  uint32_t zone;

  bool operator==(const Placed&) const = default;
};
using Placement = std::vector<Placed>;  // by ascending hash; empty: not known

inline uint64_t HashOfContainer(std::string_view ns, std::string_view pod, std::string_view name) {
  std::string text(ns);
  text.append(1, '\0').append(pod).append(1, '\0').append(name);
  return Xxh64::Of(text);
}

// A report in its text form.
class PlacementReport {
 public:
  // nullopt: the object has no readable report.
  static std::optional<PlacementReport> Of(const berth::sdk::Object& topology) {
    const berth::sdk::Value attributes = topology.At("attributes");
    if (Attribute(attributes, "topologyManagerPolicy").value_or("") != "single-numa-node") return std::nullopt;
    PlacementReport report;
    const auto metadata = Attribute(attributes, "topology.node.k8s.io/numaplacement-metadata");
    if (!metadata || !report.SetMetadata(*metadata)) return std::nullopt;
    const berth::sdk::Value zones = topology.At("zones");
    for (uint32_t i = 0; i < zones.size(); ++i) {
      const auto vector = Attribute(zones[i].Get("attributes"), "topology.node.k8s.io/numaplacement-vector");
      if (vector && !report.SetVector(zones[i].Get("name").AsString(), *vector)) return std::nullopt;
    }
    if (!report.Consistent()) return std::nullopt;
    return report;
  }

  // The zones of these containers, by hash. Empty: the report is about other containers.
  Placement Decode(std::vector<uint64_t> containers) const {
    std::sort(containers.begin(), containers.end());
    const bool twice = std::adjacent_find(containers.begin(), containers.end()) != containers.end();
    if (twice || static_cast<int64_t>(containers.size()) != containers_) return {};
    Placement placement;
    for (const uint64_t hash : containers) placement.push_back({hash, kBusiest});
    for (const auto& [zone, vector] : vectors_) {
      if (!Place(static_cast<uint32_t>(zone), vector, placement)) return {};
    }
    for (Placed& placed : placement) {
      if (placed.zone == kBusiest) placed.zone = static_cast<uint32_t>(busiest_);
    }
    return placement;
  }

 private:
  static constexpr uint32_t kBusiest = ~uint32_t{0};
  static constexpr int64_t kMostZones = 1 << 16;

  static bool SetNumber(std::string_view text, int64_t& number) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size();
  }
  // "npv0v001::ve=leb89::cc=3::nn=2::bn=1"
  bool SetMetadata(std::string_view text) {
    constexpr std::string_view kVersion = "npv0v001", kSeparator = "::";
    if (!text.starts_with(kVersion)) return false;
    text.remove_prefix(kVersion.size());
    while (text.starts_with(kSeparator)) {
      text.remove_prefix(kSeparator.size());
      const size_t end = std::min(text.find(kSeparator), text.size());
      if (!SetField(text.substr(0, end))) return false;
      text.remove_prefix(end);
    }
    return text.empty();
  }
  bool SetField(std::string_view field) {
    const size_t equals = std::min(field.find('='), field.size());
    const std::string_view name = field.substr(0, equals), value = field.substr(std::min(equals + 1, field.size()));
    if (name == "ve") return encoding_ = value, !value.empty();
    if (name == "cc") return SetNumber(value, containers_);
    if (name == "nn") return SetNumber(value, zones_);
    return name == "bn" && SetNumber(value, busiest_);
  }
  bool SetVector(std::string_view zone, std::string_view vector) {
    constexpr std::string_view kPrefix = "node-";
    if (zone.starts_with(kPrefix)) zone.remove_prefix(kPrefix.size());
    int64_t number = 0;
    if (!SetNumber(zone, number)) return false;
    vectors_[number] = vector;
    return true;
  }
  bool Consistent() const {
    if (encoding_ != "leb89" || containers_ < 0 || zones_ <= 0 || zones_ > kMostZones) return false;
    if (busiest_ < 0 || busiest_ >= zones_ || (containers_ == 0 && !vectors_.empty())) return false;
    return std::all_of(vectors_.begin(), vectors_.end(), [this](const auto& vector) {
      return vector.first >= 0 && vector.first < zones_ && vector.first != busiest_;
    });
  }

  // A vector contains the first place, and then the distance to each next one.
  static bool Place(uint32_t zone, std::string_view vector, Placement& placement) {
    uint64_t place = 0;
    for (Leb89 numbers(vector); !numbers.done();) {
      const auto number = numbers.Next();
      if (!number) return false;
      place += *number;
      if (place >= placement.size() || placement[place].zone != kBusiest) return false;
      placement[place].zone = zone;
    }
    return true;
  }

  std::string encoding_;
  int64_t containers_ = -1, zones_ = -1, busiest_ = -1;
  std::map<int64_t, std::string> vectors_;  // by zone
};

}  // namespace plugins::node_topology

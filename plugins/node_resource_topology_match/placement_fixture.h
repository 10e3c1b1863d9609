// Writes reports about containers and their zones, as an agent does.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "placement.h"
#include "test_fixture.h"

namespace plugins::node_topology {

inline constexpr auto kPolicy = "topologyManagerPolicy", kScope = "topologyManagerScope",
                      kMetadata = "topology.node.k8s.io/numaplacement-metadata",
                      kVector = "topology.node.k8s.io/numaplacement-vector";

inline std::string Metadata(int containers, int zones, int busiest, const std::string& encoding = "leb89") {
  return "npv0v001::ve=" + encoding + "::cc=" + std::to_string(containers) + "::nn=" + std::to_string(zones) +
         "::bn=" + std::to_string(busiest);
}

inline std::string Leb89Text(uint64_t number) {
  std::string digits, text;
  for (char c = 0x21; c < 0x7f; ++c) {
    if (std::string("\"&<>\\").find(c) == std::string::npos) digits.push_back(c);
  }
  if (number < 64) return std::string(1, digits[number]);
  number -= 64;
  text = digits[number % 64];
  number /= 64;
  do text.insert(0, 1, digits[64 + number % 25]);
  while ((number /= 25) > 0);
  return text;
}

struct Affinity {
  std::string ns, pod, container;
  uint32_t zone;

  uint64_t hash() const { return HashOfContainer(ns, pod, container); }
};

struct WrittenPlacement {
  std::string metadata;
  std::map<uint32_t, std::string> vectors;  // by zone
};

// As the library's encoder: of zones with equally many containers, the lowest is the busiest.
inline WrittenPlacement Encoded(uint32_t zones, std::vector<Affinity> affinities) {
  const auto less = [](const Affinity& a, const Affinity& b) { return a.hash() < b.hash(); };
  std::sort(affinities.begin(), affinities.end(), less);
  std::vector<std::vector<uint64_t>> places(zones);
  for (size_t i = 0; i < affinities.size(); ++i) places[affinities[i].zone].push_back(i);
  const auto fewer = [](const auto& a, const auto& b) { return a.size() < b.size(); };
  const auto busiest = static_cast<uint32_t>(std::max_element(places.begin(), places.end(), fewer) - places.begin());
  WrittenPlacement written{
      Metadata(static_cast<int>(affinities.size()), static_cast<int>(zones), static_cast<int>(busiest)), {}};
  for (uint32_t zone = 0; zone < zones; ++zone) {
    if (zone == busiest || places[zone].empty()) continue;
    uint64_t before = 0;
    for (const uint64_t place : places[zone]) {
      written.vectors[zone] += Leb89Text(place - before);
      before = place;
    }
  }
  return written;
}

// Adds this to the node's report, too.
inline TestNode With(TestNode node, const WrittenPlacement& placement) {
  node.attributes.emplace_back(kPolicy, "single-numa-node");
  if (!placement.metadata.empty()) node.attributes.emplace_back(kMetadata, placement.metadata);
  for (const auto& [zone, vector] : placement.vectors) node.zones[zone].attributes = {{kVector, vector}};
  return node;
}

}  // namespace plugins::node_topology

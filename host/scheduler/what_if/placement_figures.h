// How pods are spread over nodes, and how much of the nodes they request. Thread: any; pure functions.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

namespace berth::what_if {

struct NodeFacts {
  std::string zone;             // topology.kubernetes.io/zone; "": it has none
  int64_t cpu = 0, memory = 0;  // allocatable: millicores, bytes
};
struct PodFacts {
  int64_t cpu = 0, memory = 0;  // requests: millicores, bytes
};
// What is known besides the records. Both may be empty.
struct Facts {
  std::unordered_map<std::string, NodeFacts> nodes;
  std::unordered_map<std::string, PodFacts> pods;  // by UID
};

struct Placement {
  std::string uid, node;
};

// Mean and standard deviation over all nodes of requested / allocatable, 0 to 1, where only the placed pods request.
struct Utilization {
  double mean = 0, deviation = 0;
};
struct Figures {
  uint32_t nodes_used = 0, most_pods_on_a_node = 0;
  std::map<std::string, uint32_t> pods_by_zone;  // empty: no zone is known; "": pods on nodes without a zone
  Utilization cpu, memory;                       // 0 without facts about nodes
  uint32_t pods_without_requests = 0;            // nothing is known about their requests, so they count as 0
};
Figures FiguresOf(const std::vector<Placement>& placements, const Facts& facts);

}  // namespace berth::what_if

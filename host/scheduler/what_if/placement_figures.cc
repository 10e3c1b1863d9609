#include "scheduler/what_if/placement_figures.h"

#include <algorithm>
#include <cmath>

namespace berth::what_if {
namespace {

struct Sum {
  uint32_t pods = 0;
  int64_t cpu = 0, memory = 0;
};
using Sums = std::unordered_map<std::string, Sum>;

Utilization UtilizationOf(const Facts& facts, const Sums& sums, int64_t NodeFacts::*allocatable, int64_t Sum::*used) {
  std::vector<double> shares;
  for (const auto& [name, node] : facts.nodes) {
    if (node.*allocatable <= 0) continue;
    const auto sum = sums.find(name);
    const int64_t requested = sum == sums.end() ? 0 : sum->second.*used;
    shares.push_back(static_cast<double>(requested) / static_cast<double>(node.*allocatable));
  }
  if (shares.empty()) return {};
  std::sort(shares.begin(), shares.end());  // the same sum in every run
  Utilization out;
  for (double share : shares) out.mean += share / static_cast<double>(shares.size());
  double squares = 0;
  for (double share : shares) squares += (share - out.mean) * (share - out.mean);
  out.deviation = std::sqrt(squares / static_cast<double>(shares.size()));
  return out;
}

void CountZones(const Facts& facts, const Sums& sums, Figures& out) {
  const bool known =
      std::any_of(facts.nodes.begin(), facts.nodes.end(), [](const auto& one) { return !one.second.zone.empty(); });
  if (!known) return;
  for (const auto& [name, node] : facts.nodes) out.pods_by_zone.try_emplace(node.zone);
  for (const auto& [name, sum] : sums) {
    const auto node = facts.nodes.find(name);
    out.pods_by_zone[node == facts.nodes.end() ? "" : node->second.zone] += sum.pods;
  }
}

}  // namespace

Figures FiguresOf(const std::vector<Placement>& placements, const Facts& facts) {
  Figures out;
  Sums sums;
  for (const Placement& one : placements) {
    Sum& sum = sums[one.node];
    ++sum.pods;
    const auto pod = facts.pods.find(one.uid);
    if (pod == facts.pods.end()) {
      ++out.pods_without_requests;
      continue;
    }
    sum.cpu += pod->second.cpu;
    sum.memory += pod->second.memory;
  }
  out.nodes_used = static_cast<uint32_t>(sums.size());
  for (const auto& [name, sum] : sums) out.most_pods_on_a_node = std::max(out.most_pods_on_a_node, sum.pods);
  CountZones(facts, sums, out);
  out.cpu = UtilizationOf(facts, sums, &NodeFacts::cpu, &Sum::cpu);
  out.memory = UtilizationOf(facts, sums, &NodeFacts::memory, &Sum::memory);
  return out;
}

}  // namespace berth::what_if

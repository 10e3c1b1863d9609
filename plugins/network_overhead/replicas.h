// How many pods of each workload of each AppGroup are on each row, in all namespaces. Pods that are assumed count, so
// that the next pod of the group takes the node of the last one into account. Pods that have finished do not. Thread:
// serial. Ownership: owns the ids of groups and workloads; the host outlives it.
#pragma once

#include <berth/plugin.hpp>

#include <cstdint>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>

#include "../common/app_group.h"
#include "../common/owned_id.h"

namespace plugins::network_overhead {

using PodsOfRows = std::unordered_map<uint32_t, uint32_t>;

class Replicas {
 public:
  Replicas(berth::sdk::Host& host, const AppGroupLabels& labels) : host_(host), labels_(labels) {}

  void Add(uint32_t row, const berth::sdk::Pod& pod) {
    const berth::sdk::Id group = labels_.GroupOf(pod), workload = labels_.WorkloadOf(pod);
    if (group == berth::sdk::kNoId) return;
    const auto at = lists_.find(KeyOf(group, workload));
    if (at != lists_.end()) {
      ++at->second.rows[row];
    } else {
      lists_.emplace(KeyOf(group, workload), List{{host_, group}, {host_, workload}, {{row, 1}}});
    }
  }
  void Remove(uint32_t row, const berth::sdk::Pod& pod) {
    const auto at = lists_.find(KeyOf(labels_.GroupOf(pod), labels_.WorkloadOf(pod)));
    if (at == lists_.end()) return;
    PodsOfRows& rows = at->second.rows;
    const auto count = rows.find(row);
    if (count != rows.end() && --count->second == 0) rows.erase(count);
    if (rows.empty()) lists_.erase(at);
  }

  // Null: none is on a node.
  const PodsOfRows* Of(berth::sdk::Id group, berth::sdk::Id workload) const {
    const auto at = lists_.find(KeyOf(group, workload));
    return at == lists_.end() ? nullptr : &at->second.rows;
  }

  // "group workload row count", sorted.
  std::string Dump() const {
    std::set<std::string> lines;
    for (const auto& [key, list] : lists_) {
      const std::string names =
          std::string(host_.Text(list.group.get())) + " \"" + std::string(host_.Text(list.workload.get())) + "\" ";
      for (const auto& [row, count] : list.rows) {
        lines.insert(names + std::to_string(row) + " " + std::to_string(count) + "\n");
      }
    }
    std::string text;
    for (const std::string& line : lines) text += line;
    return text;
  }

 private:
  struct List {
    OwnedId group, workload;  // the key
    PodsOfRows rows;
  };
  static uint64_t KeyOf(berth::sdk::Id group, berth::sdk::Id workload) { return uint64_t{group} << 32 | workload; }

  berth::sdk::Host& host_;
  const AppGroupLabels& labels_;
  std::unordered_map<uint64_t, List> lists_;
};

}  // namespace plugins::network_overhead

// Whether the cluster has room for spec.minResources of a group. Taints, affinity and cordons do not count.
// Source: CheckClusterResource and getNodeResource of pkg/coscheduling/core/core.go of
// kubernetes-sigs/scheduler-plugins. Thread: [serial]. Ownership: borrows everything for the call.
#pragma once

#include <berth/plugin.hpp>

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pod_group.h"

namespace plugins::coscheduling {

// The group's own pods by row. What they use counts as free.
using PodsByRow = std::map<uint32_t, std::vector<berth::sdk::Pod>>;

class Room {
 public:
  Room(berth::sdk::Host& host, berth::sdk::Cycle& cycle, const PodsByRow& own)
      : host_(host), cycle_(cycle), own_(own) {}

  // What the cluster lacks; empty: nothing.
  Need Lacks(const Need& need) const {
    std::vector<Column> columns;
    for (const auto& [name, amount] : need) columns.push_back(Open(name, amount));
    size_t open = columns.size();
    for (const uint32_t row : cycle_.snap().order()) {
      for (Column& column : columns) {
        if (column.enough) continue;
        column.need.Sub(Left(column, row));
        column.enough = column.need.value <= 0;
        if (column.enough) --open;
      }
      if (open == 0) break;
    }
    Need lacks;
    for (const Column& column : columns) {
      if (!column.enough) lacks.emplace_back(column.name, column.need);
      host_.Drop(column.id);
    }
    return lacks;
  }

 private:
  struct Column {
    std::string_view name;
    berth::sdk::Id id;
    GoAmount need;
    bool native, enough = false;
    std::optional<std::span<const int64_t>> allocatable, used;

    int64_t LeftOn(uint32_t row) const { return CellOf(allocatable, row) - CellOf(used, row); }

   private:
    static int64_t CellOf(const std::optional<std::span<const int64_t>>& cells, uint32_t row) {
      return cells ? (*cells)[row] : 0;
    }
  };

  Column Open(std::string_view name, const GoAmount& need) const {
    const berth::sdk::Id id = host_.Intern(name);
    const bool native = name == "cpu" || name == "memory" || name == "pods" || name == "ephemeral-storage";
    const auto& snap = cycle_.snap();
    Column column{name, id, need, native, false, snap.Int64(BERTH_NODE_ALLOCATABLE, id), {}};
    column.used = name == "pods" ? snap.Int64(BERTH_NODE_POD_COUNT) : snap.Int64(BERTH_NODE_REQUESTED, id);
    return column;
  }

  GoAmount Left(const Column& column, uint32_t row) const {
    if (!column.native && !HasScalar(cycle_.snap().View(row), column.id)) return {};
    const int64_t left = column.LeftOn(row) + UsedByOwn(column, row);
    if (column.name == "cpu") return GoAmount::Milli(left);
    return column.native || column.name.starts_with("hugepages-") ? GoAmount::Binary(left) : GoAmount::Decimal(left);
  }

  static bool HasScalar(const berth::sdk::NodeView& node, berth::sdk::Id name) {
    for (const berth_amount& amount : node.allocatable()) {
      if (amount.name == name) return (amount.flags & BERTH_AMOUNT_SCALAR) != 0;
    }
    return false;
  }

  int64_t UsedByOwn(const Column& column, uint32_t row) const {
    const auto at = own_.find(row);
    if (at == own_.end()) return 0;
    if (column.name == "pods") return static_cast<int64_t>(at->second.size());
    int64_t used = 0;
    for (const berth::sdk::Pod& pod : at->second) {
      for (const berth_amount& amount : host_.Requests(pod, BERTH_REQUESTS_USE_STATUS)) {
        if (amount.name == column.id) used += amount.value;
      }
    }
    return used;
  }

  berth::sdk::Host& host_;
  berth::sdk::Cycle& cycle_;
  const PodsByRow& own_;
};

// As Go prints a map.
inline std::string Printed(const Need& need) {
  std::string text = "map[";
  for (const auto& [name, amount] : need) {
    if (text.back() != '[') text += ' ';
    text += name + ":" + amount.Printed();
  }
  return text + "]";
}

}  // namespace plugins::coscheduling

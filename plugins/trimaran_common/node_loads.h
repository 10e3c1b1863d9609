// The load and the capacity of each row. Each change of a row calls `changed` with the row, so that a plugin can keep
// columns for its Score. Several tasks apply a new snapshot to the rows; until then, a row has the complete old data.
// Thread: serial.
#pragma once

#include <berth/objects.hpp>
#include <berth/plugin.hpp>
#include <berth/tasks.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../common/quantity_text.h"
#include "node_load.h"
#include "row_walk.h"

namespace plugins::trimaran {

class NodeLoads {
 public:
  using Changed = std::function<void(uint32_t row)>;

  NodeLoads(const berth::sdk::Host& host, const berth::sdk::Objects& objects, const berth::sdk::Tasks& tasks,
            uint32_t rows_per_task, Changed changed)
      : host_(host), objects_(objects), changed_(std::move(changed)), walk_(tasks, rows_per_task, [this](uint32_t row) {
          if (!rows_[row].name.empty()) Fill(row);
        }) {}

  uint32_t rows() const { return static_cast<uint32_t>(rows_.size()); }
  // Null: the load of the row's node is unknown.
  const NodeLoad* LoadOf(uint32_t row) const { return rows_[row].load ? &*rows_[row].load : nullptr; }
  // Unix seconds at the end of the time that the row's metrics are about; 0: there are none.
  int64_t WindowEndOf(uint32_t row) const { return rows_[row].window_end; }
  std::string_view NameOf(uint32_t row) const { return rows_[row].name; }
  const Capacity& CapacityOf(uint32_t row) const { return rows_[row].capacity; }

  void Take(const berth_delta& delta) {
    if (delta.kind != BERTH_DELTA_NODE_ADD && delta.kind != BERTH_DELTA_NODE_REMOVE) return;
    if (delta.row >= rows_.size()) rows_.resize(size_t{delta.row} + 1);
    if (delta.kind == BERTH_DELTA_NODE_ADD) return Place(delta.row, host_.Text(delta.node->name));
    row_of_.erase(rows_[delta.row].name);
    rows_[delta.row] = {};
    changed_(delta.row);
  }
  // Of a Node object, which has a capacity; berth_node has none.
  void Take(const berth::sdk::Object& before, const berth::sdk::Object& now) {
    const std::string name((now ? now : before).name());
    const Capacity capacity = now ? ReadCapacity(now) : Capacity{};
    auto& known = capacities_[name];
    const bool same = known == capacity;
    known = capacity;
    if (!now) capacities_.erase(name);
    const auto at = row_of_.find(name);
    if (!same && at != row_of_.end()) Fill(at->second);
  }
  void Take(std::shared_ptr<const Snapshot> snapshot) {
    snapshot_ = std::move(snapshot);
    walk_.Start(rows());
  }

 private:
  struct Row {
    std::string name;
    Capacity capacity;
    std::optional<NodeLoad> load;
    int64_t window_end = 0;
  };

  void Place(uint32_t row, std::string_view name) {
    rows_[row].name = name;
    row_of_[rows_[row].name] = row;
    Fill(row);
  }
  void Fill(uint32_t number) {
    Row& row = rows_[number];
    const auto capacity = capacities_.find(row.name);
    row.capacity = capacity == capacities_.end() ? Capacity{} : capacity->second;
    row.load.reset();
    if (snapshot_ != nullptr) {
      row.window_end = snapshot_->window_end;
      const auto load = snapshot_->nodes.find(row.name);
      if (load != snapshot_->nodes.end()) row.load = load->second.InPercentOf(row.capacity);
    }
    changed_(number);
  }
  Capacity ReadCapacity(const berth::sdk::Object& node) const {
    const berth::sdk::Value capacity = node.At("status", "capacity");
    return {objects_.Milli(QuantityText(capacity.Get("cpu"))).value_or(0),
            objects_.Units(QuantityText(capacity.Get("memory"))).value_or(0)};
  }

  const berth::sdk::Host& host_;
  const berth::sdk::Objects& objects_;
  const Changed changed_;
  std::vector<Row> rows_;
  std::map<std::string, uint32_t, std::less<>> row_of_;
  std::map<std::string, Capacity, std::less<>> capacities_;
  std::shared_ptr<const Snapshot> snapshot_;
  RowWalk walk_;
};

}  // namespace plugins::trimaran

// The cluster, frozen for one scheduling cycle: nodes by row, and columns over all rows. [parallel], wait-free; its
// results are valid until the cycle ends.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>

#include "berth/detail/services.hpp"
#include "berth/views.hpp"

namespace berth::sdk {

class Snapshot;

// One row of the snapshot: two words, pass by value. Its methods call the host; its construction does not.
class Node {
 public:
  Node(const Snapshot* snap, uint32_t row) : snap_(snap), row_(row) {}

  uint32_t row() const { return row_; }  // index into columns
  inline NodeView view() const;          // empty when the row belongs to no node
  inline Id name() const;                // kNoId when the row belongs to no node
  inline PodList pods() const;           // pods on the node, assumed ones included
  inline List<berth_host_port> used_ports() const;

 private:
  const Snapshot* snap_;
  uint32_t row_;
};

class Snapshot {
 public:
  Snapshot() = default;
  Snapshot(const berth_snapshot* table, const berth_snap* raw) : table_(table), raw_(raw) {}

  const berth_snap* raw() const { return raw_; }
  uint32_t rows() const { return table_->rows(raw_); }    // every row is below it; some may be dead
  uint32_t nodes() const { return table_->nodes(raw_); }  // how many nodes there are
  const uint64_t* live() const { return table_->live(raw_); }
  List<uint32_t> order() const { return table_->order(raw_); }  // rows in kube-scheduler's list order
  Node At(uint32_t row) const { return {this, row}; }
  NodeView View(uint32_t row) const { return table_->node(raw_, row); }
  PodList Pods(uint32_t row) const { return table_->pods(raw_, row); }
  List<berth_host_port> UsedPorts(uint32_t row) const { return table_->used_ports(raw_, row); }
  // nullopt: there is no node of that name.
  std::optional<uint32_t> RowOf(Id node_name) const {
    const int64_t row = table_->row_of(raw_, node_name);
    if (row < 0) return std::nullopt;
    return static_cast<uint32_t>(row);
  }

  // A column, one cell per row; nullopt: no row has such a cell, so every cell counts as 0 or absent.
  // what is BERTH_NODE_*, key a resource name or label key. Throws if the host's column has another type.
  std::optional<std::span<const int64_t>> Int64(uint32_t what, Id key = kNoId) const {
    return Cells<int64_t>(what, key, BERTH_COLUMN_I64);
  }
  // The F64 mirrors. *exact tells whether every cell equals the integer column's (all are below 2^53).
  std::optional<std::span<const double>> Float64(uint32_t what, Id key, bool* exact = nullptr) const {
    return Cells<double>(what, key, BERTH_COLUMN_F64, exact);
  }
  std::optional<std::span<const uint8_t>> Uint8(uint32_t what, Id key = kNoId) const {
    return Cells<uint8_t>(what, key, BERTH_COLUMN_U8);
  }
  std::optional<std::span<const Id>> Ids(uint32_t what, Id key = kNoId) const {
    return Cells<Id>(what, key, BERTH_COLUMN_ID);
  }
  // Numbers of hash-consed sets, 0 = the empty set; SetItems lists a set's members.
  std::optional<std::span<const uint32_t>> Sets(uint32_t what, Id key = kNoId) const {
    return Cells<uint32_t>(what, key, BERTH_COLUMN_SET);
  }
  template <class T>
  List<T> SetItems(uint32_t what, uint32_t set) const {
    return table_->set_items(raw_, what, set);
  }
  List<berth_taint> TaintsOf(uint32_t set) const { return SetItems<berth_taint>(BERTH_NODE_TAINTS, set); }

  // nullopt: no node reports an image of that name.
  std::optional<berth_image> Image(Id name) const {
    berth_image image{};
    image.size = sizeof(image);
    if (table_->image(raw_, name, &image) != 0) return std::nullopt;
    return image;
  }

 private:
  template <class T>
  std::optional<std::span<const T>> Cells(uint32_t what, Id key, uint32_t type, bool* exact = nullptr) const {
    berth_column column{};
    column.size = sizeof(column);
    if (table_->column(raw_, what, key, &column) != 0) return std::nullopt;
    if (column.type != type || column.rows < rows() || (column.cells == nullptr && column.rows != 0)) {
      throw std::runtime_error("column " + std::to_string(what) + " has type " + std::to_string(column.type) + " and " +
                               std::to_string(column.rows) + " rows where type " + std::to_string(type) + " and " +
                               std::to_string(rows()) + " rows are needed");
    }
    if (exact != nullptr) *exact = (column.flags & BERTH_COLUMN_EXACT) != 0;
    return std::span<const T>(static_cast<const T*>(column.cells), column.rows);
  }

  const berth_snapshot* table_ = nullptr;
  const berth_snap* raw_ = nullptr;
};

inline NodeView Node::view() const { return snap_->View(row_); }
inline Id Node::name() const {
  const NodeView node = view();
  return node ? node.name() : kNoId;
}
inline PodList Node::pods() const { return snap_->Pods(row_); }
inline List<berth_host_port> Node::used_ports() const { return snap_->UsedPorts(row_); }

}  // namespace berth::sdk

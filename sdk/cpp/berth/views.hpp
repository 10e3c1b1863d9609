// Typed views of the host's objects: pods, nodes, labels. Each is a pointer with methods: pass by value, borrow as the
// pointer is borrowed. A default-constructed view is empty (explicit bool) and stands for an absent object.
// operator-> reaches every field of the C struct.
#pragma once

#include "berth/list.hpp"
#include "berth/text.hpp"

namespace berth::sdk {

// metadata.labels, sorted by key text.
class Labels {
 public:
  Labels() = default;
  explicit Labels(const berth_labels* raw) : items_(raw->items), content_(raw->content) {}

  // The value's id, kNoId when the key is absent. Linear: labels are few.
  Id Get(Id key) const {
    for (const berth_kv& item : items_) {
      if (item.key == key) return item.value;
    }
    return kNoId;
  }
  bool Has(Id key) const { return Get(key) != kNoId; }
  uint32_t size() const { return items_.size(); }
  bool empty() const { return items_.empty(); }
  auto begin() const { return items_.begin(); }
  auto end() const { return items_.end(); }
  uint32_t content() const { return content_; }  // equal <=> equal labels, in one process

 private:
  List<berth_kv> items_;
  uint32_t content_ = 0;
};

// A pod. The blocks are never null: an absent field is an empty block.
class Pod {
 public:
  Pod() = default;
  Pod(const berth_pod* raw) : raw_(raw) {}  // NOLINT: meant to convert

  explicit operator bool() const { return raw_ != nullptr; }
  const berth_pod* operator->() const { return raw_; }
  const berth_pod* raw() const { return raw_; }

  std::string_view uid() const { return View(raw_->uid); }
  std::string_view name() const { return View(raw_->name); }
  Id ns() const { return raw_->ns; }
  int32_t priority() const { return raw_->priority; }
  Id node_name() const { return raw_->node_name; }
  // metadata.generation; 0 if unknown, for example from hosts older than the field.
  int64_t generation() const { return BERTH_FIELD(raw_, berth_pod, generation) ? raw_->generation : 0; }
  // When the condition PodScheduled became True; BERTH_NO_TIME when it is not, and from hosts older than the field.
  int64_t scheduled_unix_ns() const {
    return BERTH_FIELD(raw_, berth_pod, scheduled_unix_ns) ? raw_->scheduled_unix_ns : BERTH_NO_TIME;
  }
  Labels labels() const { return Labels(raw_->labels); }
  List<berth_toleration> tolerations() const { return raw_->tolerations->items; }
  List<berth_host_port> host_ports() const { return raw_->ports->items; }
  List<Id> gates() const { return raw_->gates->items; }
  List<berth_container> containers() const { return raw_->resources->containers; }
  const berth_images& images() const { return *raw_->images; }
  const berth_resources& resources() const { return *raw_->resources; }
  const berth_node_affinity& node_affinity() const { return *raw_->node_affinity; }
  const berth_pod_affinity& pod_affinity() const { return *raw_->pod_affinity; }
  List<berth_spread_constraint> spread() const { return raw_->spread->items; }
  List<berth_volume> volumes() const { return raw_->volumes->items; }
  List<berth_pod_claim> claims() const { return raw_->claims->items; }
  // Its controlling owner; every id is kNoId if there is none.
  const berth_controller& controller() const { return *raw_->controller; }
  bool Has(uint64_t flags) const { return (raw_->has & flags) == flags; }  // BERTH_POD_HAS_*

 private:
  const berth_pod* raw_ = nullptr;
};

using PodList = List<const berth_pod*, Pod>;

// A node's own facts, without its row; see Node in snapshot.hpp for a row of the cycle's snapshot.
class NodeView {
 public:
  NodeView() = default;
  NodeView(const berth_node* raw) : raw_(raw) {}  // NOLINT: meant to convert

  explicit operator bool() const { return raw_ != nullptr; }
  const berth_node* operator->() const { return raw_; }
  const berth_node* raw() const { return raw_; }

  Id name() const { return raw_->name; }
  bool unschedulable() const { return raw_->unschedulable != 0; }
  Labels labels() const { return Labels(raw_->labels); }
  List<berth_taint> taints() const { return raw_->taints; }
  List<berth_amount> allocatable() const { return raw_->allocatable; }
  List<Id> declared_features() const { return raw_->declared_features; }
  // status.allocatable of one resource, 0 when the node has none.
  int64_t Allocatable(Id resource) const {
    for (const berth_amount& amount : allocatable()) {
      if (amount.name == resource) return amount.value;
    }
    return 0;
  }

 private:
  const berth_node* raw_ = nullptr;
};

}  // namespace berth::sdk

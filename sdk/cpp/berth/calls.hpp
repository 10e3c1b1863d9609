// C++ views of the parameters of less common calls: name sets, events, queue entries, diagnoses. Borrowed for the call.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

#include "berth/deltas.h"
#include "berth/plugin.h"
#include "berth/post_filter.h"
#include "berth/queue_sort.h"
#include "berth/value.hpp"
#include "berth/views.hpp"

namespace berth::sdk {

// The node names to which PreFilter limits a pod. Unchanged: every node. A name may belong to no node.
class NameSet {
 public:
  void Narrow() { narrowed_ = true; }  // limits the pod to the added names; without any, to no node
  void Add(Id name) { Narrow(), names_.push_back(name); }
  void Assign(std::initializer_list<Id> names) { Narrow(), names_ = names; }
  bool narrowed() const { return narrowed_; }
  const std::vector<Id>& names() const { return names_; }
  void Clear() { narrowed_ = false, names_.clear(); }

 private:
  bool narrowed_ = false;
  std::vector<Id> names_;
};

// A cluster event. Views are empty if there is no such object.
class Event {
 public:
  Event(const berth_event* raw, const berth_values* values) : raw_(raw), values_(values) {}

  const berth_event* raw() const { return raw_; }
  uint32_t interest() const { return raw_->interest; }  // index into the plugin's interests
  uint32_t actions() const { return raw_->actions; }    // BERTH_ACTION_*
  std::string_view resource() const { return View(raw_->resource); }
  Pod old_pod() const { return raw_->old_pod; }
  Pod new_pod() const { return raw_->new_pod; }
  NodeView old_node() const { return raw_->old_node; }
  NodeView new_node() const { return raw_->new_node; }
  Value old_value() const { return {values_, raw_->old_value}; }
  Value new_value() const { return {values_, raw_->new_value}; }

 private:
  const berth_event* raw_;
  const berth_values* values_;
};

// A pod in the queue, for Less.
class Queued {
 public:
  explicit Queued(const berth_queued* raw) : raw_(raw) {}
  const berth_queued* operator->() const { return raw_; }
  Pod pod() const { return raw_->pod; }

 private:
  const berth_queued* raw_;
};

// Why a pod fits nowhere, for PostFilter.
class Diagnosis {
 public:
  explicit Diagnosis(const berth_diagnosis* raw) : raw_(raw) {}
  const berth_diagnosis* raw() const { return raw_; }
  const berth_verdict& verdict(uint32_t row) const { return raw_->verdicts[row]; }  // SUCCESS: was not examined
  const berth_verdict& absent() const { return raw_->absent; }                      // of live rows not examined

 private:
  const berth_diagnosis* raw_;
};

// PostFilter's answer: leave the pod's nominated node alone, set it, or clear it.
class Nomination {
 public:
  explicit Nomination(berth_post_result* raw) : raw_(raw) {}
  void Set(Id node) { raw_->mode = BERTH_NOMINATE_OVERRIDE, raw_->node = node; }
  void Clear() { Set(kNoId); }

 private:
  berth_post_result* raw_;
};

using Pods = std::span<const berth_pod* const>;  // an element converts to Pod

}  // namespace berth::sdk

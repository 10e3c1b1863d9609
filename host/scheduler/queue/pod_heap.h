// A binary heap of queued pods. It follows the algorithm of Go's container/heap step by step, so ties and orders that
// are not strict give the same result as in kube-scheduler. Accesses stay within bounds for any Less. O(log n). A pod
// stores its index, so it can be in only one heap at a time. Not owning. Thread: one.
// Source: Go's container/heap, pkg/scheduler/backend/heap/heap.go.
//
// Less: bool operator()(QueuedPod& a, QueuedPod& b), true if a is before b.
#pragma once

#include <cassert>
#include <cstddef>
#include <utility>
#include <vector>

#include "scheduler/queue/queued_pod.h"

namespace berth::queue {

template <class Less>
class PodHeap {
 public:
  explicit PodHeap(Less less) : less_(less) {}

  bool empty() const { return pods_.empty(); }
  size_t size() const { return pods_.size(); }
  QueuedPod& top() const { return *pods_.front(); }
  const std::vector<QueuedPod*>& pods() const { return pods_; }  // heap order
  bool Before(QueuedPod& a, QueuedPod& b) const { return less_(a, b); }

  void Push(QueuedPod& pod) {
    pod.heap_index_ = pods_.size();
    pods_.push_back(&pod);
    Up(pod.heap_index_);
  }
  // The heap must not be empty.
  QueuedPod& Pop() {
    const size_t last = pods_.size() - 1;
    Swap(0, last);
    Down(0, last);
    return TakeLast();
  }
  void Remove(QueuedPod& pod) {
    const size_t i = IndexOf(pod), last = pods_.size() - 1;
    if (i != last) {
      Swap(i, last);
      if (!Down(i, last)) Up(i);
    }
    TakeLast();
  }
  // Restores the heap order after the pod's order may have changed.
  void Fix(QueuedPod& pod) {
    const size_t i = IndexOf(pod);
    if (!Down(i, pods_.size())) Up(i);
  }
  // Puts `with` in the position of `pod`.
  void Replace(QueuedPod& pod, QueuedPod& with) {
    const size_t i = IndexOf(pod);
    pods_[i] = &with;
    with.heap_index_ = i;
    Fix(with);
  }
  // Restores the heap order after the order of any pods may have changed.
  void Init() {
    for (size_t i = pods_.size() / 2; i-- > 0;) Down(i, pods_.size());
  }
  bool HasAt(const QueuedPod& pod) const { return pod.heap_index_ < pods_.size() && pods_[pod.heap_index_] == &pod; }

 private:
  size_t IndexOf(const QueuedPod& pod) const {
    assert(HasAt(pod));
    return pod.heap_index_;
  }
  bool LessAt(size_t i, size_t j) const { return less_(*pods_[i], *pods_[j]); }
  void Swap(size_t i, size_t j) {
    std::swap(pods_[i], pods_[j]);
    pods_[i]->heap_index_ = i;
    pods_[j]->heap_index_ = j;
  }
  QueuedPod& TakeLast() {
    QueuedPod& last = *pods_.back();
    pods_.pop_back();
    return last;
  }
  void Up(size_t j) {
    while (j > 0) {
      const size_t parent = (j - 1) / 2;
      if (!LessAt(j, parent)) return;
      Swap(parent, j);
      j = parent;
    }
  }
  // Returns true if the pod moved.
  bool Down(size_t start, size_t n) {
    size_t i = start;
    for (size_t left = 2 * i + 1; left < n; left = 2 * i + 1) {
      const size_t right = left + 1;
      const size_t child = right < n && LessAt(right, left) ? right : left;
      if (!LessAt(child, i)) break;
      Swap(i, child);
      i = child;
    }
    return i > start;
  }

  Less less_;
  std::vector<QueuedPod*> pods_;
};

}  // namespace berth::queue

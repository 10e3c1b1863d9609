// Pods that may have to leave, and the order of their importance. Plain values, any thread; pods are borrowed for the
// cycle. Source: k8s.io/kubernetes pkg/scheduler/util/utils.go (MoreImportantPod).
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>

#include "berth/views.hpp"

namespace berth::sdk::preemption {

// A start time for pods that have none: they count as started now, which is later than any other time.
inline constexpr int64_t kNotStarted = std::numeric_limits<int64_t>::max();

struct Victim {
  Pod pod;
  int32_t priority = 0;
  uint32_t place = 0;           // position in its list: decides between otherwise equal pods
  int64_t start = kNotStarted;  // Unix nanoseconds
  bool violates = false;        // a disruption budget would be exceeded

  Victim() = default;
  Victim(const Pod& of, uint32_t at) : pod(of), priority(of->priority), place(at) {
    if (pod->start_unix_ns != BERTH_NO_TIME) start = pod->start_unix_ns;
  }
};

// Higher priority first, then the pod that has run longer. Pods that have not started have no order upstream (each is
// compared with a separate "now"); in effect, the pod that was added to the node last leaves first, as here.
inline bool MoreImportant(const Victim& a, const Victim& b) {
  if (a.priority != b.priority) return a.priority > b.priority;
  if (a.start != b.start) return a.start < b.start;
  return a.start == kNotStarted ? a.place > b.place : a.place < b.place;
}

// Most important first. more_important(a, b) must be a strict weak order.
template <class Less>
void SortByImportance(std::span<Victim> victims, const Less& more_important) {
  std::sort(victims.begin(), victims.end(), more_important);
}

// The same for a list that consists of sorted parts: it sets places to the positions in this list.
template <class Less>
void SortAgain(std::span<Victim> victims, const Less& more_important) {
  for (uint32_t i = 0; i < victims.size(); ++i) victims[i].place = i;
  SortByImportance(victims, more_important);
}

}  // namespace berth::sdk::preemption

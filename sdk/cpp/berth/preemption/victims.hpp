// Pods that may have to leave, and which of them matters most. Plain values, any thread; pods are borrowed for the
// cycle. Source: k8s.io/kubernetes pkg/scheduler/util/utils.go (MoreImportantPod).
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>

#include "berth/views.hpp"

namespace berth::sdk::preemption {

// A start time for pods that have none: they count as started this moment, which is later than any other.
inline constexpr int64_t kNotStarted = std::numeric_limits<int64_t>::max();

struct Victim {
  Pod pod;
  int32_t priority = 0;
  uint32_t place = 0;           // in the list it came from: decides where nothing else does
  int64_t start = kNotStarted;  // Unix nanoseconds
  bool violates = false;        // a disruption budget would be overdrawn

  Victim() = default;
  Victim(const Pod& of, uint32_t at) : pod(of), priority(of->priority), place(at) {
    if (pod->start_unix_ns != BERTH_NO_TIME) start = pod->start_unix_ns;
  }
};

// Higher priority first, then who has run longer. Pods that have not started have no order upstream (each is compared
// with a "now" of its own), in effect the one that came to the node last goes first; so it is here.
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

// The same for a list that was put together from sorted parts: places are its own now.
template <class Less>
void SortAgain(std::span<Victim> victims, const Less& more_important) {
  for (uint32_t i = 0; i < victims.size(); ++i) victims[i].place = i;
  SortByImportance(victims, more_important);
}

}  // namespace berth::sdk::preemption

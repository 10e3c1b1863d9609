// A list of the pods in flight (popped and not done) and of the cluster events since they were popped, in order of
// arrival. The attempt of a pod may have missed the events that follow the pod's marker.
// Owned by the queue. Keeps the recorded objects alive and reuses its entries. Thread: the scheduling thread.
// Source: pkg/scheduler/backend/queue/active_queue.go inFlightPods, inFlightEvents.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "api/events.h"
#include "api/pod.h"
#include "base/key_table.h"
#include "base/result.h"
#include "scheduler/queue/event_objects.h"
#include "scheduler/queue/queue_policy.h"

namespace berth::queue {

class InFlightList {
 public:
  struct Entry {
    api::PodRef marker;  // the pod as it was popped; null for an event
    api::ClusterEvent event;
    EventObjects objects;

   private:
    friend class InFlightList;
    std::string resource_;  // the storage of event.resource
    Entry *prev_ = nullptr, *next_ = nullptr;
    Entry* next_by_uid_ = nullptr;
    uint32_t uid_hash_ = 0;
  };

  explicit InFlightList(QueueObserver& observer) : observer_(observer) {}
  ~InFlightList();
  InFlightList(const InFlightList&) = delete;

  bool Has(std::string_view uid) const { return by_uid_.Find(uid) != nullptr; }
  // Appends a marker for the pod. Returns false, and does nothing, if a pod with this UID is already in flight.
  bool Add(const api::PodRef& pod);
  // Removes the pod's marker and the events that no other in-flight pod needs. Ignores unknown UIDs.
  void Done(std::string_view uid);
  void DoneAll();
  // Appends an event. At least one pod must be in flight.
  void Record(const api::ClusterEvent& event, const EventObjects& objects);

  // Calls fn(entry) for every event since the pod was popped, until fn returns false. Returns false if the pod is not
  // in flight.
  template <class Fn>
  bool ForEachEventSince(std::string_view uid, Fn&& fn) const {
    const Entry* at = by_uid_.Find(uid);
    if (at == nullptr) return false;
    for (at = at->next_; at != nullptr; at = at->next_) {
      if (!at->marker && !fn(*at)) break;
    }
    return true;
  }
  // Calls fn(entry) for markers and events, oldest first.
  template <class Fn>
  void ForEach(Fn&& fn) const {
    for (const Entry* at = first_; at != nullptr; at = at->next_) fn(*at);
  }

  size_t n_pods() const { return by_uid_.size(); }
  size_t n_events() const { return n_events_; }
  base::Result<void> Check() const;

 private:
  struct ByUid {
    static std::string_view Key(const Entry& entry) { return entry.marker->uid(); }
    static Entry*& Next(Entry& entry) { return entry.next_by_uid_; }
    static uint32_t& Hash(Entry& entry) { return entry.uid_hash_; }
  };

  Entry& Append();
  void Unlink(Entry& entry);

  static constexpr size_t kMaxFree = 4096;  // entries kept for reuse; a long attempt may need far more

  QueueObserver& observer_;
  Entry* free_ = nullptr;  // linked by next_; owned
  size_t n_free_ = 0;
  Entry *first_ = nullptr, *last_ = nullptr;  // owned
  base::KeyTable<Entry, ByUid> by_uid_;
  size_t n_events_ = 0;
};

}  // namespace berth::queue

// Pods that were popped and are not done, and the cluster events that came meanwhile, in one list in order of arrival:
// the events behind a pod's marker are those its attempt may have missed.
// Owned by the queue; keeps the recorded objects alive. Entries are reused. Thread: the scheduling thread.
// Source: inFlightPods and inFlightEvents of pkg/scheduler/backend/queue/active_queue.go; core.md 5.3.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "api/events.h"
#include "api/pod.h"
#include "base/result.h"
#include "queue/event_objects.h"
#include "queue/key_table.h"
#include "queue/policy.h"

namespace berth::queue {

class InFlightList {
 public:
  struct Entry {
    api::PodRef marker;  // the pod as it was popped; null for an event
    api::ClusterEvent event;
    EventObjects objects;

   private:
    friend class InFlightList;
    std::string resource_;  // what event.resource shows
    Entry *prev_ = nullptr, *next_ = nullptr;
    Entry* next_by_uid_ = nullptr;
    size_t uid_hash_ = 0;
  };

  explicit InFlightList(QueueObserver& observer) : observer_(observer) {}
  ~InFlightList();
  InFlightList(const InFlightList&) = delete;

  bool Has(std::string_view uid) const { return by_uid_.Find(uid) != nullptr; }
  // False, and nothing is done, when a pod of this UID is in flight already.
  bool Add(const api::PodRef& pod);
  // Ends a pod's flight and forgets the events that nobody in flight needs any more. Unknown UIDs are ignored.
  void Done(std::string_view uid);
  void DoneAll();
  // Appends an event. Somebody must be in flight.
  void Record(const api::ClusterEvent& event, const EventObjects& objects);

  // fn(entry) -> go on? for every event since the pod was popped. False when the pod is not in flight.
  template <class Fn>
  bool ForEachEventSince(std::string_view uid, Fn&& fn) const {
    const Entry* at = by_uid_.Find(uid);
    if (at == nullptr) return false;
    for (at = at->next_; at != nullptr; at = at->next_) {
      if (!at->marker && !fn(*at)) break;
    }
    return true;
  }
  // fn(entry) for markers and events, oldest first.
  template <class Fn>
  void ForEach(Fn&& fn) const {
    for (const Entry* at = first_; at != nullptr; at = at->next_) fn(*at);
  }

  size_t n_pods() const { return by_uid_.size(); }
  size_t n_events() const { return n_events_; }
  base::Result<void> Check() const;

 private:
  struct ByUid {
    static std::string_view Key(const Entry& entry) { return entry.marker->uid; }
    static Entry*& Next(Entry& entry) { return entry.next_by_uid_; }
    static size_t& Hash(Entry& entry) { return entry.uid_hash_; }
  };

  Entry& Append();
  void Unlink(Entry& entry);

  static constexpr size_t kMaxFree = 4096;  // entries kept for reuse; a long flight may have needed far more

  QueueObserver& observer_;
  Entry* free_ = nullptr;  // linked by next_; owned
  size_t n_free_ = 0;
  Entry *first_ = nullptr, *last_ = nullptr;  // owned
  KeyTable<Entry, ByUid> by_uid_;
  size_t n_events_ = 0;
};

}  // namespace berth::queue

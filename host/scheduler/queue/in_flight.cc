#include "scheduler/queue/in_flight.h"

#include <cassert>

namespace berth::queue {

InFlightList::~InFlightList() {
  for (Entry* list : {first_, free_}) {
    while (list != nullptr) delete std::exchange(list, list->next_);
  }
}

bool InFlightList::Add(const api::PodRef& pod) {
  if (Has(pod->uid())) return false;
  Entry& entry = Append();
  entry.marker = pod;
  by_uid_.Insert(entry);
  observer_.InFlightEvents(nullptr, 1);
  return true;
}

void InFlightList::Done(std::string_view uid) {
  Entry* marker = by_uid_.Find(uid);
  if (marker == nullptr) return;
  by_uid_.Remove(*marker);
  Unlink(*marker);
  while (first_ != nullptr && !first_->marker) {
    observer_.InFlightEvents(&first_->event, -1);
    --n_events_;
    Unlink(*first_);
  }
  observer_.InFlightEvents(nullptr, -1);
}

void InFlightList::DoneAll() {
  while (first_ != nullptr) Done(first_->marker->uid());
}

void InFlightList::Record(const api::ClusterEvent& event, const EventObjects& objects) {
  assert(n_pods() > 0);
  Entry& entry = Append();
  entry.event = event;
  entry.resource_.assign(event.resource);
  entry.event.resource = entry.resource_;
  entry.objects = objects;
  ++n_events_;
  observer_.InFlightEvents(&event, 1);
}

InFlightList::Entry& InFlightList::Append() {
  if (free_ == nullptr) {
    free_ = new Entry;
    ++n_free_;
  }
  --n_free_;
  Entry& entry = *std::exchange(free_, free_->next_);
  entry.prev_ = last_;
  entry.next_ = nullptr;
  (last_ != nullptr ? last_->next_ : first_) = &entry;
  last_ = &entry;
  return entry;
}

void InFlightList::Unlink(Entry& entry) {
  (entry.prev_ != nullptr ? entry.prev_->next_ : first_) = entry.next_;
  (entry.next_ != nullptr ? entry.next_->prev_ : last_) = entry.prev_;
  if (n_free_ == kMaxFree) {
    delete &entry;
    return;
  }
  entry.marker = {};
  entry.event = {};
  entry.objects = {};
  entry.next_ = std::exchange(free_, &entry);
  ++n_free_;
}

base::Result<void> InFlightList::Check() const {
  size_t pods = 0, events = 0;
  const Entry* before = nullptr;
  if (first_ != nullptr && !first_->marker) return base::Fail("the in-flight list begins with an event");
  for (const Entry* at = first_; at != nullptr; before = at, at = at->next_) {
    if (at->prev_ != before) return base::Fail("the in-flight list is not linked backwards");
    if (!at->marker) {
      ++events;
      continue;
    }
    ++pods;
    if (by_uid_.Find(at->marker->uid()) != at) {
      return base::Fail("in-flight pod " + std::string(at->marker->key()) + " is not found by its UID");
    }
  }
  if (before != last_) return base::Fail("the in-flight list does not end at its last entry");
  if (pods != by_uid_.size() || events != n_events_) return base::Fail("the counts of the in-flight list are wrong");
  return {};
}

}  // namespace berth::queue

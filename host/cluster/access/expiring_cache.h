// A cache of shared values with a time to live and a limit of entries: the least recently used entry is removed first.
// Keys are digests, so an entry's size does not depend on what a client sends. Source: k8s.io/apimachinery
// pkg/util/cache/lruexpirecache.go. Thread: any. Ownership: the clock outlives it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <list>
#include <memory>
#include <string>
#include <utility>

#include "base/clock.h"
#include "base/text_hash.h"
#include "base/thread_annotations.h"

namespace berth::access {

template <class Value>
class ExpiringCache {
 public:
  using Shared = std::shared_ptr<const Value>;

  ExpiringCache(const base::Clock& clock, size_t limit) : clock_(clock), limit_(limit) {}

  // null: no entry, or one that does not live for another good_for_ns.
  Shared Get(const std::string& key, int64_t good_for_ns = 0) {
    base::MutexLock lock(mutex_);
    const auto found = places_.find(key);
    if (found == places_.end()) return nullptr;
    const int64_t left = found->second->expires_ns - clock_.MonoNs();
    if (left <= 0) Erase(found->second);
    if (left <= good_for_ns) return nullptr;
    entries_.splice(entries_.begin(), entries_, found->second);
    return found->second->value;
  }

  // ttl_ns <= 0: nothing is kept.
  void Put(const std::string& key, Shared value, int64_t ttl_ns) {
    if (ttl_ns <= 0) return;
    base::MutexLock lock(mutex_);
    if (const auto found = places_.find(key); found != places_.end()) Erase(found->second);
    while (entries_.size() >= limit_) Erase(std::prev(entries_.end()));
    entries_.push_front({key, std::move(value), clock_.MonoNs() + ttl_ns});
    places_.emplace(key, entries_.begin());
  }

  size_t size() const {
    base::MutexLock lock(mutex_);
    return entries_.size();
  }

 private:
  struct Entry {
    std::string key;
    Shared value;
    int64_t expires_ns;
  };
  using Place = typename std::list<Entry>::iterator;

  void Erase(Place place) REQUIRES(mutex_) {
    places_.erase(place->key);
    entries_.erase(place);
  }

  const base::Clock& clock_;
  const size_t limit_;
  mutable base::Mutex mutex_;
  std::list<Entry> entries_ GUARDED_BY(mutex_);  // the most recently used first
  base::TextMap<Place> places_ GUARDED_BY(mutex_);
};

}  // namespace berth::access

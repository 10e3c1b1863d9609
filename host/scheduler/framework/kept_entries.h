// Which pods have kept results, and whose place a new pod takes. Thread: scheduling thread, during a cycle. Ownership:
// a kept entry owns the ids in its key.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "api/intern_tables.h"
#include "scheduler/framework/reuse.h"

namespace berth::framework {

// The last keys that were missed. A key that comes again later than that gains nothing from an entry of its own: the
// entry would be displaced before the key comes a third time.
class MissedKeys {
 public:
  // Returns whether this key is one of them.
  bool Note(uint64_t hash) {
    if (std::find(last_.begin(), last_.end(), hash) != last_.end()) return true;
    last_[next_++ % last_.size()] = hash;
    return false;
  }

 private:
  std::array<uint64_t, 128> last_{};  // a ring; twice as many as there are entries
  size_t next_ = 0;
};

// Entries of one plugin at one extension point: the most recently used ones. The first kAtOnce keys get an entry each.
// After them, a key gets its own entry when it comes again: all pods whose key is seen for the first time share one
// entry in turn. So pods that come once neither displace the entry of a pod that comes again nor take memory, and
// their entry stays in the CPU's cache.
template <class Entry>
class Kept {
 public:
  static constexpr size_t kEntries = 64;
  static constexpr size_t kAtOnce = 16;

  explicit Kept(api::InternTables& intern) : intern_(intern) {}
  ~Kept() {
    for (Entry& e : entries_) DropKey(e);
  }
  Kept(const Kept&) = delete;

  // Returns the entry of the pod; fresh is true for a new or recycled entry. Valid until the next Get.
  Entry& Get(const berth_pod& pod, uint64_t pod_aspects) {
    const PodKey key = MakePodKey(pod, pod_aspects);
    ++clock_;
    if (const size_t at = Find(key); at < entries_.size()) {
      last_used_[at] = clock_;
      if (at == passing_) passing_ = kEntries;
      return entries_[at];
    }
    const size_t at = Room(missed_.Note(key.hash));
    Entry& entry = entries_[at];
    entry.key = key;
    entry.fresh = true;
    hashes_[at] = key.hash;
    last_used_[at] = clock_;
    KeepKey(entry);
    return entry;
  }
  // Makes every entry fresh.
  void Invalidate() {
    for (Entry& e : entries_) e.fresh = true;
  }
  const std::vector<Entry>& entries() const { return entries_; }

 private:
  // Namespace and node name are ids. An id without an owner can be reused for another text.
  static constexpr size_t kNamespacePart = 6, kNodeNamePart = 8;
  void KeepKey(const Entry& e) {
    intern_.ids.Keep(static_cast<base::Id>(e.key.parts[kNamespacePart]));
    intern_.ids.Keep(static_cast<base::Id>(e.key.parts[kNodeNamePart]));
  }
  void DropKey(const Entry& e) {
    intern_.ids.Drop(static_cast<base::Id>(e.key.parts[kNamespacePart]));
    intern_.ids.Drop(static_cast<base::Id>(e.key.parts[kNodeNamePart]));
  }

  // The position of the entry; that behind the last one if there is none.
  size_t Find(const PodKey& key) const {
    for (size_t i = 0; i < entries_.size(); ++i) {
      if (hashes_[i] == key.hash && entries_[i].key == key) return i;
    }
    return entries_.size();
  }
  // The position of an entry for a new key. again: the key was missed before.
  size_t Room(bool again) {
    if (entries_.size() < kAtOnce) return AddEntry();
    if (!again && passing_ != kEntries) {
      DropKey(entries_[passing_]);
      return passing_;
    }
    const size_t at = entries_.size() < kEntries ? AddEntry() : RecycleLeastRecentlyUsed();
    if (!again) {
      passing_ = at;
    } else if (at == passing_) {
      passing_ = kEntries;
    }
    return at;
  }
  size_t AddEntry() {
    if (entries_.capacity() == 0) entries_.reserve(kEntries);
    entries_.emplace_back();
    return entries_.size() - 1;
  }
  size_t RecycleLeastRecentlyUsed() {
    const size_t at = LeastRecentlyUsed();
    DropKey(entries_[at]);
    return at;
  }
  size_t LeastRecentlyUsed() const {
    return static_cast<size_t>(std::min_element(last_used_.begin(), last_used_.end()) - last_used_.begin());
  }

  api::InternTables& intern_;
  std::vector<Entry> entries_;
  std::array<uint64_t, kEntries> hashes_{};     // by position in entries_
  std::array<uint64_t, kEntries> last_used_{};  // the same
  size_t passing_ = kEntries;                   // the entry of a key that was seen once; kEntries: none is
  MissedKeys missed_;
  uint64_t clock_ = 0;
};
using KeptVerdicts = Kept<VerdictEntry>;
using KeptScores = Kept<ScoreEntry>;

}  // namespace berth::framework

// Kept results: what a plugin answered for the rows, kept for every pod whose declared parts are equal, and asked again
// only for rows whose declared parts changed. This is what makes the thousandth equal pod cost a scan instead of a
// thousand questions. A plugin takes part by declaring BERTH_REUSE; see berth/plugin.h.
//
// Thread: scheduling thread, inside a cycle. Ownership: a kept entry owns the ids in its key.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "api/vocabulary.h"
#include "base/bitmap.h"
#include "berth/berth.h"
#include "cache/cache.h"

namespace berth::framework {

// Whether answers of a plugin that declares this may be kept for every row. Not when it names a part that this host
// does not know: a change of that part would go unseen.
bool MayKeep(const berth_reuse& reuse);

// The declared parts of a pod, by value: content numbers, ids, priority; 0 where not declared.
struct PodKey {
  static constexpr size_t kParts = 15;
  std::array<uint64_t, kParts> parts{};
  uint64_t hash = 0;
  bool operator==(const PodKey& other) const { return hash == other.hash && parts == other.parts; }
};
PodKey MakePodKey(const berth_pod& pod, uint64_t pod_aspects);

// An answer per row, and how far behind the cache it is.
struct KeptEntry {
  PodKey key;
  uint64_t last_used = 0;
  bool fresh = true;  // never filled
  uint32_t capacity = 0;
  std::array<cache::RowLog::Position, cache::kRowLogs> read{};
  std::array<uint64_t, cache::kClusterAspects> cluster{};
};
struct VerdictEntry : KeptEntry {
  std::vector<berth_verdict> verdicts;  // by row, a guard zone behind the last
  base::Bitmap pass;                    // verdict is SUCCESS
  bool has_error = false;               // some row is ERROR: not to be kept
};
struct ScoreEntry : KeptEntry {
  std::vector<int64_t> scores;  // by row, raw; a guard zone behind the last; unused while uniform
  bool uniform = false;
  int64_t uniform_score = 0;
};

// What must be asked again before an entry may be used.
enum class Stale { kNothing, kSomeRows, kEverything };

// Compares an entry with the cache and moves it forward: after the caller has asked again for `rows` (live rows, each
// once) or for everything, the entry is up to date.
class StaleRows {
 public:
  Stale Find(cache::Cache& cache, const berth_reuse& reuse, KeptEntry& entry, std::vector<uint32_t>& rows);

 private:
  base::Bitmap seen_;
};

// The most recently used entries of one plugin at one point.
template <class Entry>
class Kept {
 public:
  static constexpr size_t kEntries = 64;

  explicit Kept(api::Vocabulary& words) : words_(words) {}
  ~Kept() {
    for (Entry& e : entries_) DropKey(e);
  }
  Kept(const Kept&) = delete;

  // The entry of the key; a new or recycled one comes with fresh = true. Stays valid until the next Get.
  Entry& Get(const berth_pod& pod, uint64_t pod_aspects) {
    const PodKey key = MakePodKey(pod, pod_aspects);
    ++clock_;
    Entry* oldest = nullptr;
    for (Entry& e : entries_) {
      if (e.key == key) {
        e.last_used = clock_;
        return e;
      }
      if (oldest == nullptr || e.last_used < oldest->last_used) oldest = &e;
    }
    if (entries_.size() < kEntries) {
      if (entries_.capacity() == 0) entries_.reserve(kEntries);
      oldest = &entries_.emplace_back();
    } else {
      DropKey(*oldest);
    }
    oldest->key = key;
    oldest->last_used = clock_;
    oldest->fresh = true;
    KeepKey(*oldest);
    return *oldest;
  }
  // Forgets what every entry holds.
  void Invalidate() {
    for (Entry& e : entries_) e.fresh = true;
  }
  const std::vector<Entry>& entries() const { return entries_; }

 private:
  // Namespace and node name are ids, which could come to mean another text once nobody owns them.
  static constexpr size_t kNamespacePart = 6, kNodeNamePart = 8;
  void KeepKey(const Entry& e) {
    words_.ids.Keep(static_cast<base::Id>(e.key.parts[kNamespacePart]));
    words_.ids.Keep(static_cast<base::Id>(e.key.parts[kNodeNamePart]));
  }
  void DropKey(const Entry& e) {
    words_.ids.Drop(static_cast<base::Id>(e.key.parts[kNamespacePart]));
    words_.ids.Drop(static_cast<base::Id>(e.key.parts[kNodeNamePart]));
  }

  api::Vocabulary& words_;
  std::vector<Entry> entries_;
  uint64_t clock_ = 0;
};
using KeptVerdicts = Kept<VerdictEntry>;
using KeptScores = Kept<ScoreEntry>;

}  // namespace berth::framework

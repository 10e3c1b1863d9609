// Kept results: the results of a plugin for all rows serve every pod whose declared parts are equal. The host calls the
// plugin again only for rows whose declared parts changed. A plugin takes part if it declares BERTH_REUSE; see
// berth/plugin.h.
//
// Thread: scheduling thread, during a cycle. Ownership: a kept entry owns the ids in its key.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include "base/bitmap.h"
#include "base/row_log.h"
#include "berth/berth.h"
#include "scheduler/cache/cache.h"
#include "scheduler/framework/block_changes.h"

namespace berth::framework {

// Whether the results of a plugin with this declaration can be kept. False if it names a part that this host does not
// know, because the host would not see a change of that part.
bool MayKeep(const berth_reuse& reuse);

// The declared parts of a pod by value: content numbers, ids, priority; 0 if not declared.
struct PodKey {
  static constexpr size_t kParts = 15;
  std::array<uint64_t, kParts> parts{};
  uint64_t hash = 0;
  bool operator==(const PodKey& other) const { return hash == other.hash && parts == other.parts; }
};
PodKey MakePodKey(const berth_pod& pod, uint64_t pod_aspects);

// The positions in the logs of the cache and of the plugin up to which the results of an entry are current.
struct KeptEntry {
  PodKey key;
  bool fresh = true;  // never filled
  uint32_t capacity = 0;
  std::array<base::RowLog::Position, cache::kRowLogs> read{};
  base::RowLog::Position read_own = 0;  // in the plugin's own log
  std::array<uint64_t, cache::kClusterAspects> cluster{};
};
struct VerdictEntry : KeptEntry {
  std::vector<berth_verdict> verdicts;  // by row, then kGuardCells
  base::Bitmap pass;                    // verdict is SUCCESS
  bool has_error = false;               // some row is ERROR, so the entry is not reused
};
// The least and the greatest of some scores, or wider ones.
struct ScoreBounds {
  int64_t least = std::numeric_limits<int64_t>::max();
  int64_t greatest = std::numeric_limits<int64_t>::min();
  void Add(int64_t score) {
    least = std::min(least, score);
    greatest = std::max(greatest, score);
  }
};
struct ScoreEntry : KeptEntry {
  std::vector<int64_t> scores;  // by row, not normalized, then kGuardCells; unused while uniform
  bool uniform = false;
  int64_t uniform_score = 0;
  ScoreBounds bounds;    // of live rows
  BlockChanges changes;  // of the scores
};

// The rows for which the plugin must be called again before an entry can be used.
enum class Stale { kNothing, kSomeRows, kEverything };

// Compares an entry with the cache and updates its positions. The entry is current after the caller has called the
// plugin for rows (live rows, each once, ascending) or for all rows.
class StaleRows {
 public:
  // own: the rows that the plugin itself says have changed.
  Stale Find(cache::Cache& cache, base::RowLog& own, const berth_reuse& reuse, KeptEntry& entry,
             std::vector<uint32_t>& rows);

 private:
  // Adds the live rows of the log that are not in rows yet, and moves the position. False: every row has changed.
  bool Read(const cache::Cache& cache, base::RowLog& log, base::RowLog::Position& position,
            std::vector<uint32_t>& rows);
  // Moves the position, for a reader that reads every row anyway. True.
  static bool Pass(base::RowLog& log, base::RowLog::Position& position);
  base::Bitmap seen_;
};

}  // namespace berth::framework

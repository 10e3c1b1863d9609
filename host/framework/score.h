// The PreScore, Score and NormalizeScore points: a total per feasible row.
// Source of the rules: prioritizeNodes, RunScorePlugins; core.md 1.9.
// Thread: scheduling thread. Ownership: totals and records live in this object until the next Run.
#pragma once

#include <cstdint>
#include <vector>

#include "base/bitmap.h"
#include "base/parallelizer.h"
#include "cache/cache.h"
#include "framework/batch_call.h"
#include "framework/profile.h"
#include "plugin/status.h"

namespace berth::framework {

// What one plugin contributed, for people who ask why: normalised score x weight, by row (feasible rows only).
struct ScoreRecord {
  const plugin::Instance* plugin;
  std::vector<int64_t> weighted;
};

class ScoreRun {
 public:
  ScoreRun(cache::Cache& cache, base::Parallelizer* workers) : cache_(cache), workers_(workers) {}

  // feasible has at least two rows. record: keep what each plugin contributed.
  plugin::Status Run(Profile& profile, berth_cycle& cycle, const berth_pod& pod, const base::Bitmap& feasible,
                     bool record);

  // As FilterRun's.
  void set_check_kept(bool on) { check_kept_ = on; }

  // What every node is worth when the profile scores nothing; 1 unless set.
  void set_total_without_plugins(int64_t total) { total_without_plugins_ = total; }

  const std::vector<int64_t>& totals() const { return totals_; }  // by row; only feasible rows mean anything
  std::vector<int64_t>& totals() { return totals_; }              // for who adds to them
  const std::vector<ScoreRecord>& records() const { return records_; }

 private:
  // Raw scores of one plugin, before normalising.
  struct Raw {
    bool uniform = false;
    int64_t value = 0;                // of every row, when uniform
    const int64_t* by_row = nullptr;  // otherwise
  };
  plugin::Status PreScore(Profile& profile, berth_cycle& cycle, const berth_pod& pod, const base::Bitmap& feasible);
  plugin::Status RunPlugin(Profile& profile, size_t i, berth_cycle& cycle, const berth_pod& pod,
                           const base::Bitmap& feasible, bool record);
  plugin::Status AskKept(Profile& profile, size_t i, berth_cycle& cycle, const berth_pod& pod, Raw& raw);
  plugin::Status CheckKept(plugin::Instance& plugin, berth_cycle& cycle, const berth_pod& pod,
                           const ScoreEntry& entry);  // check_kept.cc
  plugin::Status AskFeasible(plugin::Instance& plugin, size_t i, berth_cycle& cycle, const berth_pod& pod,
                             const base::Bitmap& feasible, Raw& raw);
  plugin::Status Normalize(plugin::Instance& plugin, berth_cycle& cycle, const berth_pod& pod,
                           const base::Bitmap& feasible, Raw& raw);
  // Both answer whether every score lay in 0..100 after scaling.
  static bool Add(const berth_score& table, const Raw& raw, int64_t weight, const base::Bitmap& feasible,
                  int64_t* totals);  // raw is not uniform
  static bool AddForAll(const berth_score& table, int64_t score, int64_t weight, int64_t& for_all);
  void Record(const plugin::Instance& plugin, const Raw& raw, int64_t weight, const base::Bitmap& feasible);
  plugin::Status OutOfRange(const plugin::Instance& plugin, const Raw& raw, const base::Bitmap& feasible) const;
  const std::vector<uint32_t>& FeasibleRows(const base::Bitmap& feasible);

  cache::Cache& cache_;
  base::Parallelizer* workers_;
  std::vector<int64_t> totals_;
  int64_t for_all_ = 0;  // what plugins gave every row alike, weighted
  std::vector<ScoreRecord> records_;
  std::vector<uint8_t> skip_;
  std::vector<RowCost> costs_;
  std::vector<int64_t> by_row_;  // answers of the plugin whose turn it is, when they are not kept
  std::vector<int64_t> dense_;
  std::vector<uint32_t> feasible_rows_, stale_rows_;
  bool feasible_rows_known_ = false;
  int64_t total_without_plugins_ = 1;
  bool check_kept_ = false;
  StaleRows stale_;
};

}  // namespace berth::framework

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

  const std::vector<int64_t>& totals() const { return totals_; }  // by row; only feasible rows mean anything
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
  bool Add(const berth_score& table, const Raw& raw, int64_t weight, const base::Bitmap& feasible,
           int64_t* totals) const;
  plugin::Status OutOfRange(const plugin::Instance& plugin, const Raw& raw, const base::Bitmap& feasible) const;
  const std::vector<uint32_t>& FeasibleRows(const base::Bitmap& feasible);

  cache::Cache& cache_;
  base::Parallelizer* workers_;
  std::vector<int64_t> totals_;
  std::vector<ScoreRecord> records_;
  std::vector<uint8_t> skip_;
  std::vector<RowCost> costs_;
  std::vector<int64_t> by_row_;  // answers of the plugin whose turn it is, when they are not kept
  std::vector<int64_t> dense_;
  std::vector<uint32_t> feasible_rows_, stale_rows_;
  bool feasible_rows_known_ = false;
  bool check_kept_ = false;
  StaleRows stale_;
};

}  // namespace berth::framework

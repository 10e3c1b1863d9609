// The PreScore, Score, and NormalizeScore extension points: a total for each feasible row.
// Source: RunPreScorePlugins and RunScorePlugins in pkg/scheduler/framework/runtime/framework.go.
// Thread: scheduling thread. Ownership: totals and records belong to the object or to the profile, and are valid until
// the next cycle.
#pragma once

#include <cstdint>
#include <vector>

#include "base/bitmap.h"
#include "base/parallelizer.h"
#include "plugin/instance/status.h"
#include "scheduler/cache/cache.h"
#include "scheduler/framework/batch_call.h"
#include "scheduler/framework/block_totals.h"
#include "scheduler/framework/cycle_context.h"
#include "scheduler/framework/row_list.h"

namespace berth::framework {

// The contribution of one plugin, for reports: normalized score x weight, by row (feasible rows only).
struct ScoreRecord {
  const plugin::Instance* plugin;
  std::vector<int64_t> weighted;
};

class ScoreRun {
 public:
  ScoreRun(cache::Cache& cache, base::Parallelizer* workers) : cache_(cache), workers_(workers) {}

  // Lets every PreScore plugin prepare its data; a plugin that returns SKIP is not called by RunScorePlugins.
  plugin::Status RunPreScorePlugins(const CycleContext& ctx, const base::Bitmap& feasible);
  // Score, NormalizeScore and the weighted sum, after RunPreScorePlugins. feasible has at least two rows. With
  // ctx.record the contribution of each plugin is kept for records(), and with ctx.table in the table.
  plugin::Status RunScorePlugins(const CycleContext& ctx, const base::Bitmap& feasible);

  // As FilterRun::set_check_kept.
  void set_check_kept(bool on) { check_kept_ = on; }

  // The total of every node if the profile has no Score plugins; 1 by default. Source: prioritizeNodes.
  void set_total_without_plugins(int64_t total) { total_without_plugins_ = total; }

  // After RunScorePlugins, with the same feasible rows: the highest total and how many rows have it; the k-th of these
  // rows (from 0, ascending). Without TotalsByRow a constant can be missing in the totals.
  Best FindBest(const base::Bitmap& feasible) const;
  uint32_t NthBest(const base::Bitmap& feasible, int64_t best, uint32_t k) const;
  // The totals by row, valid for feasible rows only; extenders change them. Takes time for each row.
  std::vector<int64_t>& TotalsByRow(const base::Bitmap& feasible);
  const std::vector<ScoreRecord>& records() const { return records_; }

 private:
  // The scores of one plugin.
  struct Raw {
    bool uniform = false;
    int64_t value = 0;                // of every row, if uniform
    const int64_t* by_row = nullptr;  // otherwise; or null, and then
    const int64_t* listed = nullptr;  // by position in listed_
    ScoreEntry* kept = nullptr;       // has by_row, not normalized
  };
  plugin::Status AskPreScore(const CycleContext& ctx, const base::Bitmap& feasible);
  plugin::Status AskScore(const CycleContext& ctx, const base::Bitmap& feasible);
  plugin::Status RunPlugin(const CycleContext& ctx, size_t i, const base::Bitmap& feasible);
  plugin::Status AskKept(const CycleContext& ctx, size_t i, Raw& raw);
  plugin::Status CheckKept(const CycleContext& ctx, plugin::Instance& plugin,
                           const ScoreEntry& entry);  // check_kept.cc
  // Compares the sums of parts_ with those of a loop over all feasible rows. check_kept.cc
  plugin::Status CheckTotals(const BlockTotals& totals, const base::Bitmap& feasible) const;
  plugin::Status AskFeasible(const CycleContext& ctx, plugin::Instance& plugin, size_t i, const base::Bitmap& feasible,
                             Raw& raw);
  plugin::Status Normalize(const CycleContext& ctx, plugin::Instance& plugin, const base::Bitmap& feasible, Raw& raw);
  // The answers in dense_. If the feasible rows are the first ones, the position of a row is the row.
  Raw Listed();
  void ReserveDense();  // for every row
  static void KeepAll(ScoreEntry& entry, bool uniform, const base::Bitmap& live);
  void KeepSome(ScoreEntry& entry);  // dense_ has the scores of stale_rows_

  // ---- score_totals.cc
  static bool Scales(const berth_score& table);
  // AddScores, Add, AddListed and AddForAll return whether every score is in 0..100 after normalization.
  bool AddScores(plugin::Instance& plugin, const Raw& raw, int64_t weight, const base::Bitmap& feasible);
  void SetAside(plugin::Instance& plugin, const Raw& raw, int64_t weight);
  static bool Add(const berth_score& table, const Raw& raw, int64_t weight, const base::Bitmap& feasible,
                  int64_t* totals);  // raw has by_row
  bool AddListed(const berth_score& table, const Raw& raw, int64_t weight);
  static bool AddForAll(const berth_score& table, int64_t score, int64_t weight, int64_t& for_all);
  void BeginTotals();
  // Fails if a score that was set aside is out of range; with check_kept_, also if the sums of blocks are wrong.
  plugin::Status SumUp(Profile& profile, const base::Bitmap& feasible);
  plugin::Status SumAside(const int64_t* kept, const base::Bitmap& feasible);
  Raw ByRow(const Raw& raw);

  void Record(const plugin::Instance& plugin, const Raw& raw, int64_t weight, const base::Bitmap& feasible);
  void RecordInTable(decisions::NodeTableWriter& writer, const plugin::Instance& plugin, const Raw& raw, int64_t weight,
                     const base::Bitmap& feasible);
  plugin::Status OutOfRange(plugin::Instance& plugin, const Raw& raw, const base::Bitmap& feasible) const;

  cache::Cache& cache_;
  base::Parallelizer* workers_;
  std::vector<int64_t> totals_;
  // A total is the sum of for_all_, of what totals_ has (if loose_), of aside_, and of the kept scores of parts_. In
  // the end it is in blocks_, or else in totals_.
  int64_t for_all_ = 0;  // the weighted sum of uniform scores
  bool loose_ = false;
  struct {
    plugin::Instance* plugin = nullptr;  // null: none
    int64_t weight = 1;
    std::vector<int64_t> scores;  // by row, of the feasible rows
  } aside_;                       // the first scores that are not kept and need no scaling
  std::vector<TotalsPart> parts_;
  bool first_use_ = false;  // of the kept scores of some part
  const BlockTotals* blocks_ = nullptr;
  BlockBests bests_;             // of totals_, without blocks_
  bool by_row_changed_ = false;  // since TotalsByRow
  std::vector<ScoreRecord> records_;
  std::vector<int64_t> weighted_;  // scratch of RecordInTable
  std::vector<uint8_t> skip_;
  std::vector<RowCost> costs_;
  std::vector<int64_t> by_row_;  // results of the current plugin if they are not kept
  std::vector<int64_t> dense_;
  std::vector<uint32_t> stale_rows_;
  RowList listed_;  // the feasible rows, for plugins whose scores are not kept
  int64_t total_without_plugins_ = 1;
  bool check_kept_ = false;
  StaleRows stale_;
};

}  // namespace berth::framework

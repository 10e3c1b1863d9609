// The Filter extension point: the rows that are feasible, and for every other row the plugin that rejected it.
// Source: findNodesThatPassFilters in pkg/scheduler/schedule_one.go; RunFilterPlugins and
// RunFilterPluginsWithNominatedPods in pkg/scheduler/framework/runtime/framework.go.
//
// A plugin that declares BERTH_REUSE and BERTH_TOTAL is called for all rows, and its results are kept. Other plugins
// are called for the rows that are still feasible. In both cases the first plugin in configured order rejects a row.
//
// Thread: scheduling thread. Ownership: the results point into kept entries and into scratch memory of the object, and
// are valid until the next RunFilterPlugins.
#pragma once

#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include "api/pod.h"
#include "base/bitmap.h"
#include "base/parallelizer.h"
#include "plugin/instance/status.h"
#include "scheduler/cache/cache.h"
#include "scheduler/framework/batch_call.h"
#include "scheduler/framework/cycle_context.h"
#include "scheduler/framework/row_list.h"
#include "scheduler/framework/trial.h"
#include "scheduler/framework/verdict_check.h"

namespace berth::framework {

// The verdicts of a plugin that was called for a list of rows. They are put in order by row when somebody asks for one:
// most decisions only need to know which rows were rejected.
struct ListedAnswers {
  base::Bitmap asked, pass;
  std::vector<berth_verdict> listed;  // by position in asked, then kGuardCells
  std::vector<berth_verdict> by_row;  // of the rejected rows, after Spread
  bool spread = false;
  void Spread();
};

// The results of one plugin in one cycle.
struct FilterStage {
  plugin::Instance* plugin;
  const berth_verdict* verdicts;     // by row
  const base::Bitmap* pass;          // rows that the plugin did not reject
  bool has_error = false;            // some row is ERROR
  ListedAnswers* answers = nullptr;  // if not null: verdicts is valid after Spread
  const berth_verdict& VerdictOn(uint32_t row) const {
    if (answers != nullptr) answers->Spread();
    return verdicts[row];
  }
};

class FilterRun {
 public:
  FilterRun(cache::Cache& cache, plugin::ReasonTable& reasons, base::Parallelizer* workers)
      : cache_(cache), reasons_(reasons), workers_(workers), trial_(cache, reasons) {}

  // skip: by instance index; not 0 if PreFilter returned SKIP. candidates: the rows to filter. nominated: pods that are
  // added to their rows for a second pass. The first ERROR ends the run: `running "PL" filter plugin: ...`.
  plugin::Status RunFilterPlugins(const CycleContext& ctx, const std::vector<uint8_t>& skip,
                                  const base::Bitmap& candidates, const NominatedPods& nominated);

  // Compares every kept result with that of a new call; a difference is a fault of the plugin.
  void set_check_kept(bool on) { check_kept_ = on; }

  const base::Bitmap& feasible() const { return feasible_; }
  base::Bitmap& feasible() { return feasible_; }
  // The rejection of a candidate; its plugin is null if the row was not rejected.
  Rejection RejectionOf(uint32_t row) const;
  // Calls fn(row, rejection) for each rejected row of rows, in no particular order.
  template <class Fn>
  void ForEachRejection(const base::Bitmap& rows, Fn&& fn) const;

  // Drops the results of the last run, for a pod that Filter did not see.
  void Clear();
  // The state that trials of the pod share; valid until the next run. nominated belongs to the caller.
  TrialGround GroundFor(const CycleContext& ctx, const std::vector<uint8_t>& skip, const NominatedPods& nominated);

  // Sets keep[i] for every reason list i that kept entries of the profile refer to. For ReasonTable::Sweep.
  static void MarkReasons(Profile& profile, std::vector<uint8_t>& keep);

 private:
  plugin::Status AskPlugins(const CycleContext& ctx, const std::vector<uint8_t>& skip, const base::Bitmap& candidates,
                            const NominatedPods& nominated);
  plugin::Status RunPlugin(const CycleContext& ctx, size_t i);
  plugin::Status AskKept(const CycleContext& ctx, size_t i, FilterStage& stage);
  plugin::Status CheckKept(const CycleContext& ctx, plugin::Instance& plugin,
                           const VerdictEntry& entry);  // check_kept.cc
  plugin::Status AskSurvivors(const CycleContext& ctx, size_t i, FilterStage& stage);
  plugin::Status AskInto(const CycleContext& ctx, plugin::Instance& plugin, const std::vector<uint32_t>& rows,
                         std::vector<berth_verdict>& verdicts, base::Bitmap& pass, bool& has_error, RowCost& cost);
  plugin::Status ReadAnswers(plugin::Instance& plugin, VerdictEntry& entry);  // of every live row
  plugin::Status ReadAnswer(plugin::Instance& plugin, uint32_t row, const berth_verdict& verdict, base::Bitmap& pass,
                            bool& has_error);
  plugin::Status Narrow(const FilterStage& stage);
  plugin::Status FirstError(const FilterStage& stage) const;
  plugin::Status RunFilterPluginsWithNominatedPods(const TrialGround& ground, const NominatedPods::OnRow& on);

  cache::Cache& cache_;
  plugin::ReasonTable& reasons_;
  base::Parallelizer* workers_;
  base::Bitmap feasible_;
  size_t n_feasible_ = 0;  // during a run
  std::vector<FilterStage> stages_;
  std::vector<const berth_verdict*> answers_;              // by position in the profile; of every live row, or null
  std::vector<std::pair<uint32_t, Rejection>> overrides_;  // rows rejected because of nominated pods, ascending
  std::vector<ListedAnswers> scratch_;                     // by position in the profile
  RowList listed_;
  std::vector<RowCost> costs_;
  std::vector<uint32_t> rows_;
  std::vector<berth_verdict> dense_;
  StaleRows stale_;
  bool check_kept_ = false;
  TrialPlan plan_;
  Trial trial_;
};

template <class Fn>
void FilterRun::ForEachRejection(const base::Bitmap& rows, Fn&& fn) const {
  base::Bitmap left = rows;
  for (const auto& [row, rejection] : overrides_) {
    if (!left.Test(row)) continue;
    left.Clear(row);
    fn(row, rejection);
  }
  for (const FilterStage& stage : stages_) {
    for (size_t w = 0; w < left.n_words(); ++w) {
      uint64_t rejected = left.words()[w] & ~stage.pass->words()[w];
      left.words()[w] &= ~rejected;
      for (; rejected != 0; rejected &= rejected - 1) {
        const auto row = static_cast<uint32_t>(w * 64 + static_cast<size_t>(std::countr_zero(rejected)));
        fn(row, Rejection{stage.plugin, stage.VerdictOn(row)});
      }
    }
  }
}

}  // namespace berth::framework

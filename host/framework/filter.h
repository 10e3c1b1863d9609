// The Filter point: which rows may take the pod, and for every other row which plugin said no and why.
// Source of the rules: findNodesThatPassFilters, RunFilterPluginsWithNominatedPods; core.md 1.6, 1.7.
//
// A plugin that declared BERTH_REUSE and BERTH_TOTAL is asked about all rows and its answers are kept; others are asked
// about the rows that are still in. Either way a row belongs to the first plugin, in configured order, that rejected
// it.
//
// Thread: scheduling thread. Ownership: the result points into kept entries and into this object's scratch memory, so
// it is good until the next Run.
#pragma once

#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include "api/pod.h"
#include "base/bitmap.h"
#include "base/parallelizer.h"
#include "cache/cache.h"
#include "framework/batch_call.h"
#include "framework/profile.h"
#include "framework/trial.h"
#include "framework/verdict_check.h"
#include "plugin/status.h"

namespace berth::framework {

// One plugin's answers in one cycle.
struct FilterStage {
  plugin::Instance* plugin;
  const berth_verdict* verdicts;  // by row
  const base::Bitmap* pass;       // rows the plugin let pass; rows it was not asked about count as passed
};

class FilterRun {
 public:
  FilterRun(cache::Cache& cache, plugin::ReasonTable& reasons, base::Parallelizer* workers)
      : cache_(cache), reasons_(reasons), workers_(workers), trial_(cache, reasons) {}

  // skip: by instance index, set where PreFilter answered SKIP. candidates: the rows to judge. An ERROR of any plugin
  // on a row that reached it ends the run: `running "PL" filter plugin: ...`.
  plugin::Status Run(Profile& profile, berth_cycle& cycle, const berth_pod& pod, const std::vector<uint8_t>& skip,
                     const base::Bitmap& candidates, const NominatedPods& nominated);

  // Compares every kept answer with one given anew; a difference is the plugin's fault.
  void set_check_kept(bool on) { check_kept_ = on; }

  const base::Bitmap& feasible() const { return feasible_; }
  base::Bitmap& feasible() { return feasible_; }
  // Who rejected a candidate row.
  Rejection RejectionOf(uint32_t row) const;
  // fn(row, rejection) for each of the rows that was rejected, in no order worth the name.
  template <class Fn>
  void ForEachRejection(const base::Bitmap& rows, Fn&& fn) const;

  // Forgets the last Run: nothing was filtered for this pod.
  void Clear();
  // What trials of the pod of the last Run (or Clear) go by; until the next. Those of nominated are the caller's.
  TrialGround GroundFor(const Profile& profile, berth_cycle& cycle, const berth_pod& pod,
                        const std::vector<uint8_t>& skip, const NominatedPods& nominated);

  // List numbers that kept entries of the profile refer to, for the sweep of the reason table.
  static void MarkReasons(Profile& profile, std::vector<uint8_t>& keep);

 private:
  struct Scratch {
    std::vector<berth_verdict> verdicts;  // by row
    base::Bitmap pass;
  };
  plugin::Status RunPlugin(Profile& profile, size_t i, berth_cycle& cycle, const berth_pod& pod);
  plugin::Status AskKept(Profile& profile, size_t i, berth_cycle& cycle, const berth_pod& pod, FilterStage& stage);
  plugin::Status CheckKept(plugin::Instance& plugin, berth_cycle& cycle, const berth_pod& pod,
                           const VerdictEntry& entry);  // check_kept.cc
  plugin::Status AskSurvivors(Profile& profile, size_t i, berth_cycle& cycle, const berth_pod& pod, FilterStage& stage);
  plugin::Status AskInto(plugin::Instance& plugin, berth_cycle& cycle, const berth_pod& pod,
                         const std::vector<uint32_t>& rows, std::vector<berth_verdict>& verdicts, base::Bitmap& pass,
                         bool& has_error, RowCost& cost);
  plugin::Status ReadAnswers(plugin::Instance& plugin, VerdictEntry& entry);  // of every live row
  plugin::Status ReadAnswer(plugin::Instance& plugin, uint32_t row, const berth_verdict& verdict, base::Bitmap& pass,
                            bool& has_error);
  plugin::Status Narrow(const FilterStage& stage);
  plugin::Status FirstError(const FilterStage& stage) const;
  plugin::Status RunNominated(const TrialGround& ground, const NominatedPods::OnRow& on);

  cache::Cache& cache_;
  plugin::ReasonTable& reasons_;
  base::Parallelizer* workers_;
  base::Bitmap feasible_;
  size_t n_feasible_ = 0;  // while Run goes on
  std::vector<FilterStage> stages_;
  std::vector<const berth_verdict*> answers_;  // by position in the profile: of every live row, or nullptr
  std::vector<std::pair<uint32_t, Rejection>>
      overrides_;                 // rows rejected with their nominated pods in place, ascending
  std::vector<Scratch> scratch_;  // by position in the profile
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
        fn(row, Rejection{stage.plugin, stage.verdicts[row]});
      }
    }
  }
}

}  // namespace berth::framework

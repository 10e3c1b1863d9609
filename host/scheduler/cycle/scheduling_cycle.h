// The scheduling cycle of one pod: the search for a node (PreFilter, Filter, PreScore, Score, the selection),
// PostFilter if the search fails, and Reserve and Permit after the pod is assumed.
// Source: pkg/scheduler/schedule_one.go; each method names its counterpart.
//
// Two differences from upstream are intended (docs/differences.md): every feasible node is scored unless
// percentageOfNodesToScore is set, and a generator with a seed selects among the nodes that have the highest total.
//
// Thread: scheduling thread. Ownership: the object keeps scratch memory from cycle to cycle; a result belongs to the
// caller.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/random.h"
#include "scheduler/cache/cache.h"
#include "scheduler/cycle/cycle_result.h"
#include "scheduler/cycle/extender_steps.h"
#include "scheduler/decisions/node_table_writer.h"
#include "scheduler/framework/cycle_context.h"
#include "scheduler/framework/filter.h"
#include "scheduler/framework/fit_error.h"
#include "scheduler/framework/pre_filter.h"
#include "scheduler/framework/score.h"
#include "scheduler/framework/serial_points.h"
#include "scheduler/framework/trial.h"
#include "scheduler/queue/scheduling_queue.h"
#include "telemetry/log/step_trace.h"

namespace berth::cycle {

using framework::RecordNodes;

// Why the search found no node. Source: Diagnosis in pkg/scheduler/framework/types.go.
struct Diagnosis {
  framework::FitError fit_error;
  plugin::Status absent_nodes{plugin::Code::kUnresolvable, base::kNoId, {}};  // of nodes that Filter did not examine
};

class SchedulingCycle {
 public:
  // The references and workers outlive the object; workers may be null. clock: of the log lines about slow attempts.
  // seed: of the selection among ties.
  SchedulingCycle(const base::Clock& clock, cache::Cache& cache, queue::SchedulingQueue& queue,
                  plugin::ReasonTable& reasons, base::Parallelizer* workers, uint64_t seed)
      : clock_(clock),
        cache_(cache),
        queue_(queue),
        reasons_(reasons),
        pre_filter_(cache),
        filter_(cache, reasons, workers),
        trials_(cache, reasons),
        score_(cache, workers),
        random_(seed) {}

  // Calls plugins again for every kept result of Filter and Score and compares: a plugin whose reuse declares too
  // little fails the attempt. Expensive.
  void set_check_kept(bool on) {
    filter_.set_check_kept(on);
    score_.set_check_kept(on);
  }

  // The extenders of all following cycles; they outlive their use. May be empty.
  void set_extenders(const framework::ExtenderList& extenders);

  // schedulingCycle up to assume: searches for a node, and runs the PostFilter plugins if no node passes. result has
  // been reset.
  void Run(const framework::CycleContext& ctx, CycleResult& result);

  // What plugins say about every node now: a Run with ctx.preview, without PostFilter, without extenders, without
  // scores, and without an effect on later cycles. percentageOfNodesToScore and the nominated node do not matter. The
  // result has any node that fits, and a message only after an error.
  void Preview(const framework::CycleContext& ctx, CycleResult& result);

  // After a Preview that found no node: at most `most` of the rows on which the absence of pods can help.
  std::vector<uint32_t> RowsForRoom(size_t most);
  // After a Preview with the same ctx: the pods that would have to leave the row so that the pod fits there, the most
  // important first. Empty: it would not fit even without all of them, or a plugin failed. Takes some calls of the
  // Filter plugins for each pod of the row.
  std::vector<const berth_pod*> PodsToLeave(const framework::CycleContext& ctx, uint32_t row);

  // assume: puts the pod, which has its node name, into the cache and removes its nomination. Returns false and makes
  // result an error if the cache rejects the pod.
  bool Assume(const api::PodRef& pod, CycleResult& result);

  // The end of schedulingCycle, after Assume: Reserve, then Permit. ctx.pod is the assumed pod. If a plugin rejects the
  // pod or fails, result says so, the Unreserve plugins have run, and the caller must forget the pod. waits: the
  // plugins that delay the pod, with their timeouts in nanoseconds.
  void ReserveAndPermit(const framework::CycleContext& ctx, base::Id node, CycleResult& result,
                        std::vector<std::pair<plugin::Instance*, int64_t>>& waits);

 private:
  // ---- scheduling_cycle.cc
  void SchedulePod(const framework::CycleContext& ctx, CycleResult& result, Diagnosis& diagnosis);
  void BeginSearch(const framework::CycleContext& ctx);
  void FindHost(const framework::CycleContext& ctx, CycleResult& result, Diagnosis& diagnosis, log::StepTrace& trace);
  void ChooseHost(const framework::CycleContext& ctx, CycleResult& result, Diagnosis& diagnosis, log::StepTrace& trace);
  plugin::Status PrioritizeNodes(const framework::CycleContext& ctx);
  void SelectHost(CycleResult& result);
  void RunPostFilterPlugins(const framework::CycleContext& ctx, Diagnosis& diagnosis, CycleResult& result);
  void NoteVictims(base::Id node, CycleResult& result) const;
  void FillVerdicts();
  void FailWith(plugin::Status status, CycleResult& result);
  void FailAfterAssume(plugin::Status status, CycleResult& result);

  // ---- find_nodes.cc
  plugin::Status FindNodesThatFitPod(const framework::CycleContext& ctx, CycleResult& result, Diagnosis& diagnosis);
  plugin::Status RunPreFilterPlugins(const framework::CycleContext& ctx, CycleResult& result);
  bool EvaluateNominatedNode(const framework::CycleContext& ctx);
  plugin::Status FindNodesThatPassFilters(const framework::CycleContext& ctx, const base::Bitmap& candidates);
  plugin::Status FindNodesThatPassExtenders(const framework::CycleContext& ctx, CycleResult& result);
  void CollectNominatedPods(const api::Pod& pod);
  void LimitFeasibleNodes(const framework::CycleContext& ctx, const base::Bitmap& candidates);

  // ---- diagnosis.cc
  void Diagnose(Diagnosis& diagnosis, CycleResult& result);
  uint64_t CountReasons(framework::FitError& error, CycleResult& result);
  void AddPluginStatus(const framework::Rejection& rejection, CycleResult& result) const;
  void FillRecords(const framework::CycleContext& ctx, CycleResult& result);
  // Both: false if the node was not rejected, or not by an extender.
  bool FillRejection(uint32_t row, NodeRecord& record) const;
  bool FillExtenderRejection(uint32_t row, NodeRecord& record) const;

  // ---- table.cc
  using Table = std::shared_ptr<const decisions::NodeTable>;
  Table FillTable(const framework::CycleContext& ctx, const CycleResult& result, const Diagnosis& diagnosis);
  void FillTableVerdicts(decisions::NodeTableWriter& writer);
  void FillTableAbsent(decisions::NodeTableWriter& writer, const Diagnosis& diagnosis);
  void FillTableExtenders(decisions::NodeTableWriter& writer);
  void FillTableScores(const framework::CycleContext& ctx);

  const base::Clock& clock_;
  cache::Cache& cache_;
  queue::SchedulingQueue& queue_;
  plugin::ReasonTable& reasons_;
  framework::PreFilterRun pre_filter_;
  framework::FilterRun filter_;
  framework::Trials trials_;
  framework::ScoreRun score_;
  std::unique_ptr<ExtenderSteps> extenders_;  // null if there are no extenders
  base::Random random_;

  base::Bitmap examined_;  // candidates that Filter has judged
  framework::NominatedPods nominated_;
  std::vector<api::PodRef> nominated_pods_;   // scratch
  std::vector<berth_verdict> verdicts_;       // for PostFilter
  framework::Rejection nominated_rejection_;  // of the nominated node, if it was rejected
  uint32_t nominated_row_ = 0;
  uint32_t next_start_ = 0;  // upstream's nextStartNodeIndex; all profiles share it
};

// How many of n candidates must be feasible to end the search; percentage 0 means all of them.
// Source: numFeasibleNodesToFind.
uint32_t NumFeasibleNodesToFind(int32_t percentage, uint32_t n);

}  // namespace berth::cycle

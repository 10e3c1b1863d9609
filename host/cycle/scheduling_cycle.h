// The scheduling cycle of one pod: PreFilter, Filter, PostFilter, PreScore, Score, the choice, Reserve, Permit.
// Source: schedulingCycle and what it calls in pkg/scheduler/schedule_one.go; core.md 1.2-1.13.
//
// Differences from upstream, on purpose: every feasible node is scored unless percentageOfNodesToScore is set, and ties
// are broken uniformly with a seeded generator.
//
// Thread: scheduling thread. Ownership: the object keeps scratch memory from cycle to cycle; a result is the caller's.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
#include "cache/cache.h"
#include "cycle/extender_steps.h"
#include "framework/filter.h"
#include "framework/fit_error.h"
#include "framework/pre_filter.h"
#include "framework/profile.h"
#include "framework/score.h"
#include "framework/serial_points.h"
#include "framework/trial.h"
#include "queue/scheduling_queue.h"

namespace berth::cycle {

// One node of an attempt, for people who ask why.
struct NodeRecord {
  std::string name;
  plugin::Code verdict = plugin::Code::kSuccess;
  std::string plugin;  // who rejected it: a plugin, or an extender's urlPrefix
  std::vector<std::string> reasons;
  std::vector<std::pair<std::string, int64_t>> scores;  // plugin -> normalised x weight, extender -> its part
  int64_t total = 0;
};

enum class Outcome : uint8_t {
  kChosen,    // node_name is set; Reserve and Permit may still fail it
  kNoNodes,   // the cluster has none
  kFitError,  // rejected: plugins are named
  kError,     // something broke
};

struct CycleResult {
  Outcome outcome = Outcome::kError;
  plugin::Status status;  // as the failure handler wants it; Success when a node was chosen
  std::string message;    // what condition and event say; empty on success

  uint32_t row = cache::kNoRow;
  std::string node_name;
  uint32_t ties = 0;  // nodes with the highest total
  uint32_t evaluated_nodes = 0, feasible_nodes = 0;

  queue::PluginSet unschedulable_plugins, pending_plugins;
  queue::NominatingInfo nominating;
  std::vector<NodeRecord> nodes;  // as RecordNodes says; snapshot order

  void Reset();
};

// How much of an attempt's reasoning is kept for people; it costs time per node.
enum class RecordNodes : uint8_t {
  kNone,
  kChosen,  // the node that was chosen, with its scores
  kAll,     // every node that reached Filter
};

class SchedulingCycle {
 public:
  SchedulingCycle(cache::Cache& cache, queue::SchedulingQueue& queue, plugin::ReasonTable& reasons,
                  base::Parallelizer* workers, uint64_t seed)
      : cache_(cache),
        queue_(queue),
        reasons_(reasons),
        pre_filter_(cache),
        filter_(cache, reasons, workers),
        trials_(cache, reasons),
        score_(cache, workers),
        random_(seed) {}

  // Every kept answer of Filter and Score is asked for anew and compared: a plugin whose reuse declares too little
  // fails the attempt. Slow.
  void set_check_kept(bool on) {
    filter_.set_check_kept(on);
    score_.set_check_kept(on);
  }

  // From now on these are asked, too; they outlive the use. Empty: nobody is.
  void set_extenders(const framework::ExtenderList& extenders);

  // Chooses a node, or says why there is none (PostFilter included). cycle has been begun for this profile.
  void Choose(framework::Profile& profile, berth_cycle& cycle, const api::Pod& pod, RecordNodes record,
              CycleResult& result);

  // After assuming: Reserve, then Permit. Turns result into a failure when a plugin refuses; then Unreserve has been
  // called and the caller must forget the pod. waits: plugins that asked to hold the pod.
  void ReserveAndPermit(framework::Profile& profile, berth_cycle& cycle, const api::Pod& assumed, base::Id node,
                        CycleResult& result, std::vector<std::pair<plugin::Instance*, int64_t>>& waits);

 private:
  void FindNodes(framework::Profile& profile, berth_cycle& cycle, const api::Pod& pod, CycleResult& result);
  bool TryNominatedNode(framework::Profile& profile, berth_cycle& cycle, const api::Pod& pod);
  plugin::Status Filter(framework::Profile& profile, berth_cycle& cycle, const api::Pod& pod,
                        const base::Bitmap& candidates);
  plugin::Status AskExtenders(framework::Profile& profile, const api::Pod& pod, CycleResult& result);
  void GatherNominated(const api::Pod& pod);
  void Sample(const framework::Profile& profile, const base::Bitmap& candidates);
  void Pick(framework::Profile& profile, berth_cycle& cycle, const api::Pod& pod, RecordNodes record,
            CycleResult& result);
  uint64_t Diagnose(framework::FitError& error, CycleResult& result);
  void NoteRejection(const framework::Rejection& rejection, CycleResult& result) const;
  void PostFilter(framework::Profile& profile, berth_cycle& cycle, const api::Pod& pod, const plugin::Status& absent,
                  framework::FitError& error, CycleResult& result);
  void FailWith(plugin::Status status, CycleResult& result);
  void FillRecords(RecordNodes record, CycleResult& result);
  bool FillRejection(uint32_t row, NodeRecord& record) const;  // false: it was not rejected

  cache::Cache& cache_;
  queue::SchedulingQueue& queue_;
  plugin::ReasonTable& reasons_;
  framework::PreFilterRun pre_filter_;
  framework::FilterRun filter_;
  framework::Trials trials_;
  framework::ScoreRun score_;
  std::unique_ptr<ExtenderSteps> extenders_;  // null: there are none
  base::Random random_;

  base::Bitmap examined_;  // candidates that Filter has judged
  framework::NominatedPods nominated_;
  std::vector<api::PodRef> nominated_pods_;   // scratch
  std::vector<berth_verdict> verdicts_;       // for PostFilter
  framework::Rejection nominated_rejection_;  // of the node tried first, when it was rejected
  uint32_t nominated_row_ = 0;
  uint32_t next_start_ = 0;  // where sampling begins; shared by all profiles
};

// Of n candidates, how many feasible ones end the search (core.md 1.5); percentage 0 means all of them.
uint32_t NumFeasibleNodesToFind(int32_t percentage, uint32_t n);

// The message of a pod that one plugin refused on its chosen node: "0/1 nodes are available: 1 REASON."
std::string OneNodeFitError(const plugin::Status& status);

}  // namespace berth::cycle

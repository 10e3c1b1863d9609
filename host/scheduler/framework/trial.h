// A trial filters a row with pods added or removed. Filter uses it for nominated pods, and preemption to find
// victims, also on several rows at once. A Filter plugin whose result cannot depend on the pods of a row runs at most
// once in a trial. Source:
// RunFilterPluginsWithNominatedPods, RunPreFilterExtensionAddPod, and RunPreFilterExtensionRemovePod in
// pkg/scheduler/framework/runtime/framework.go.
//
// Thread: scheduling thread, during a cycle. Ownership: pods belong to the caller and live until End; a Trial keeps its
// memory.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "api/pod.h"
#include "plugin/instance/cycle.h"
#include "scheduler/cache/overlay.h"
#include "scheduler/framework/left_out.h"
#include "scheduler/framework/profile.h"
#include "scheduler/framework/verdict_check.h"

namespace berth::framework {

// The nominated pods that Filter adds, by row: their priority is at least that of the pod, and the pod is not among
// them.
class NominatedPods {
 public:
  struct OnRow {
    uint32_t row, first, n;
  };
  void Clear() {
    rows_.clear();
    pods_.clear();
  }
  void Add(uint32_t row, std::span<const api::PodRef> pods);  // each row once
  void Sort();                                                // after the last Add
  const std::vector<OnRow>& rows() const { return rows_; }    // ascending
  std::span<const api::PodRef> Pods(const OnRow& on) const { return {pods_.data() + on.first, on.n}; }
  std::span<const api::PodRef> On(uint32_t row) const;

 private:
  std::vector<OnRow> rows_;
  std::vector<api::PodRef> pods_;
};

// What all trials of an attempt have in common. It is computed once, because an attempt has many short trials.
struct TrialPlan {
  struct Filter {
    plugin::Instance* plugin;
    bool ignores_pods;             // the verdict does not depend on the pods of the row
    bool sees_requests_only;       // the verdict depends only on the sum of their requests
    const berth_verdict* answers;  // if ignores_pods: the verdicts of this cycle for all live rows, or null
  };
  std::vector<Filter> filters;                // that are not skipped, in their order
  std::vector<plugin::Instance*> pod_change;  // with AddPod and RemovePod, in their order

  // skip: by instance index; not 0 if PreFilter returned SKIP. answers: by position in At(kFilter); can be shorter.
  void Make(const Profile& profile, const std::vector<uint8_t>& skip, const std::vector<const berth_verdict*>& answers);
};

// The attempt that trials belong to. Everything that it refers to outlives the trials.
struct TrialGround {
  berth_cycle* cycle = nullptr;
  const berth_pod* pod = nullptr;
  const TrialPlan* plan = nullptr;
  const NominatedPods* nominated = nullptr;
  bool check_kept = false;      // call plugins again for known results, and compare
  bool notes_left_out = false;  // the attempt is recorded: note the pods that trials leave out
};

class Trials;

class Trial {
 public:
  Trial(cache::Cache& cache, plugin::ReasonTable& reasons, Trials* owner = nullptr)
      : cache_(cache), reasons_(reasons), first_(cache), owner_(owner) {}

  // ground must not change until End. row must be live.
  void Begin(const TrialGround& ground, uint32_t row);
  bool open() const { return first_.overlay.active(); }
  uint32_t row() const { return at_->overlay.row(); }  // that the functions below are about
  berth_cycle* cycle() { return &branch_.cycle(); }

  // Changes the row, then calls AddPod or RemovePod of the plugins. An error names the plugin.
  plugin::Status Add(const berth_pod& pod);
  plugin::Status Remove(const berth_pod& pod);

  // Runs every Filter plugin that is not skipped until one rejects the row; out gets the rejection.
  plugin::Status RunFilterPlugins(Rejection& out) { return RunFilters(branch_.cycle(), out); }
  // The same with more pods on the row during the call.
  plugin::Status RunFilterPluginsWith(std::span<const api::PodRef> more, Rejection& out);
  // Runs the plugins with the pods that are nominated to the row and, if it passes, without them.
  plugin::Status RunFilterPluginsWithNominatedPods(Rejection& out);

  void End();

  // ---- for a trial that a plugin opened

  // Turns to another row; rows keep their changes until End. ERROR: the row is not live, or it has another trial.
  plugin::Status TurnTo(uint32_t row);
  bool Holds(uint32_t row) { return PartOf(row) != nullptr; }
  void Close();                                  // as Trials::Close; a closed trial stays closed
  std::string& error() { return error_; }        // of the last step that failed
  LeftOutPods& left_out() { return left_out_; }  // empty unless TrialGround::notes_left_out

 private:
  // A Filter plugin that can reject the row, and its last verdict.
  struct Question {
    const TrialPlan::Filter* filter;
    bool known;  // the verdict cannot change during the trial
    berth_verdict verdict;
    uint64_t requested;  // cache::Overlay::requested() of that verdict; 0 if unknown, or if more than requests count
  };
  // What the trial has for each of its rows.
  struct Part {
    explicit Part(cache::Cache& cache) : overlay(cache) {}
    cache::Overlay overlay;
    std::span<const api::PodRef> nominated;  // to the row
    std::vector<Question> questions;
  };
  static constexpr size_t kKeptParts = 16;  // whose memory outlives a trial of many rows

  void BeginPart(Part& part, uint32_t row);
  Part* PartOf(uint32_t row);  // null: the trial has not turned to the row
  Part& Join(uint32_t row);
  plugin::Status NotifyPlugins(plugin::CycleBranch& branch, bool added, const berth_pod& pod);
  plugin::Status NotifyPlugin(plugin::Instance& plugin, plugin::CycleBranch& branch, bool added, const berth_pod& pod);
  plugin::Status RunFilters(berth_cycle& cycle, Rejection& out);
  plugin::Status Answer(Question& question, berth_cycle& cycle, berth_verdict& verdict);
  plugin::Status Ask(plugin::Instance& plugin, berth_cycle& cycle, berth_verdict& verdict);

  cache::Cache& cache_;
  plugin::ReasonTable& reasons_;
  const TrialGround* ground_ = nullptr;
  Part first_;
  std::vector<std::unique_ptr<Part>> more_;  // of more_rows_, and unused ones behind them
  std::vector<uint32_t> more_rows_;
  Part* at_ = &first_;
  plugin::CycleBranch branch_, nominated_branch_;
  std::string error_;
  LeftOutPods left_out_;
  Trials* const owner_;
};

// The trials that the PostFilter plugins of an attempt can open: at most one for each row.
class Trials {
 public:
  Trials(cache::Cache& cache, plugin::ReasonTable& reasons) : cache_(cache), reasons_(reasons) {}

  // Until End, the plugins of the cycle can open trials.
  void Begin(const TrialGround& ground);
  void End();

  Trial* Open(uint32_t row);        // null if the row is not free
  bool IsFree(uint32_t row) const;  // live, and without a trial
  void Close(Trial& trial);
  size_t CloseAll();  // returns the number of open trials
  // Of the closed trials since Begin or ForgetLeftOut.
  const LeftOutByTrial& left_out() const { return left_out_; }
  void ForgetLeftOut() { left_out_.Clear(); }  // before the next plugin

 private:
  cache::Cache& cache_;
  plugin::ReasonTable& reasons_;
  TrialGround ground_;
  std::vector<std::unique_ptr<Trial>> spare_;
  std::vector<std::unique_ptr<Trial>> open_;
  LeftOutByTrial left_out_;
};

}  // namespace berth::framework

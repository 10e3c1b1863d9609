// One row, judged as if pods had come or gone: how nominated pods are reckoned with, and how preemption looks for
// victims. Filters whose answer cannot depend on the pods of a row are asked about it once at most.
// Source of the rules: RunFilterPluginsWithNominatedPods, RunPreFilterExtensionAddPod/RemovePod; core.md 1.7.
//
// Thread: scheduling thread, inside a cycle. Ownership: pods are the caller's until End; memory is kept.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "api/pod.h"
#include "cache/overlay.h"
#include "framework/profile.h"
#include "framework/verdict_check.h"
#include "plugin/cycle.h"

namespace berth::framework {

// Nominated pods that have to be reckoned with, by row: of at least the pod's priority, and not the pod itself.
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

// What an attempt's trials have in common, found out once: a trial is short, and there are many.
struct TrialPlan {
  struct Filter {
    plugin::Instance* plugin;
    bool ignores_pods;             // the same verdict whoever is on the row
    bool sees_requests_only;       // otherwise: the same whoever is on it, if they request the same in sum
    const berth_verdict* answers;  // then: this cycle's by row, good for every live one; nullptr: there are none
  };
  std::vector<Filter> filters;          // that were not skipped, in their order
  std::vector<plugin::Instance*> told;  // of pods that come and go, in their order

  // skip: by instance index, PreFilter answered SKIP. answers: by position in At(kFilter), as above; may be shorter.
  void Make(const Profile& profile, const std::vector<uint8_t>& skip, const std::vector<const berth_verdict*>& answers);
};

// The attempt that trials belong to; all of it outlives them.
struct TrialGround {
  berth_cycle* cycle = nullptr;
  const berth_pod* pod = nullptr;
  const TrialPlan* plan = nullptr;
  const NominatedPods* nominated = nullptr;
  bool check_kept = false;  // ask anew what is known, and compare
};

class Trials;

class Trial {
 public:
  Trial(cache::Cache& cache, plugin::ReasonTable& reasons, Trials* owner = nullptr)
      : cache_(cache), reasons_(reasons), overlay_(cache), owner_(owner) {}

  // ground must stay as it is until End. row: a live one.
  void Begin(const TrialGround& ground, uint32_t row);
  bool open() const { return overlay_.active(); }
  uint32_t row() const { return overlay_.row(); }
  berth_cycle* cycle() { return &branch_.cycle(); }

  // Plugins are told after the row has changed. An error names the plugin.
  plugin::Status Add(const berth_pod& pod);
  plugin::Status Remove(const berth_pod& pod);

  // Every filter that was not skipped, until one rejects; out: who. An error is worded as the attempt's.
  plugin::Status Judge(Rejection& out) { return JudgeFor(branch_.cycle(), out); }
  // As Judge, with more pods on the row while it lasts.
  plugin::Status JudgeWith(std::span<const api::PodRef> more, Rejection& out);
  // Both, as a scheduling cycle judges a row: with the pods nominated to it, and if that is well, without.
  plugin::Status JudgeTwice(Rejection& out);

  void End();

  // ---- for a trial that a plugin opened
  void Close();                            // as Trials::Close; a trial that is closed stays so
  std::string& error() { return error_; }  // why the last step failed

 private:
  // A filter that may reject the row, and what it said last.
  struct Question {
    const TrialPlan::Filter* filter;
    bool known;  // for good
    berth_verdict verdict;
    uint64_t requested;  // of that verdict, by the overlay's number; 0: not asked yet, or more than requests count
  };
  plugin::Status Tell(plugin::CycleBranch& branch, bool added, const berth_pod& pod);
  plugin::Status TellOne(plugin::Instance& plugin, plugin::CycleBranch& branch, bool added, const berth_pod& pod);
  plugin::Status JudgeFor(berth_cycle& cycle, Rejection& out);
  plugin::Status Answer(Question& question, berth_cycle& cycle, berth_verdict& verdict);
  plugin::Status Ask(plugin::Instance& plugin, berth_cycle& cycle, berth_verdict& verdict);

  cache::Cache& cache_;
  plugin::ReasonTable& reasons_;
  const TrialGround* ground_ = nullptr;
  cache::Overlay overlay_;
  plugin::CycleBranch branch_, nominated_branch_;
  std::vector<Question> questions_;
  std::span<const api::PodRef> nominated_;  // to the row
  std::string error_;
  Trials* const owner_;
};

// The trials that an attempt's PostFilter plugins may open: at most one per row.
class Trials {
 public:
  Trials(cache::Cache& cache, plugin::ReasonTable& reasons) : cache_(cache), reasons_(reasons) {}

  // From now until End the cycle's plugins may open trials.
  void Begin(const TrialGround& ground);
  void End();

  Trial* Open(uint32_t row);  // nullptr: the row is not live, or has a trial
  void Close(Trial& trial);
  size_t CloseAll();  // answers how many were open

 private:
  cache::Cache& cache_;
  plugin::ReasonTable& reasons_;
  TrialGround ground_;
  std::vector<std::unique_ptr<Trial>> spare_;
  std::vector<std::unique_ptr<Trial>> open_;
};

}  // namespace berth::framework

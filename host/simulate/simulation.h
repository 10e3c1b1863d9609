// Runs the real engine over a simulated cluster in virtual time until nothing can progress any more.
// Thread: one; binding cycles run inline on it. Ownership: owns the engine; cluster, profiles and sinks are the
// caller's.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/clock.h"
#include "bind/executor.h"
#include "engine/engine.h"
#include "simulate/api_server.h"
#include "simulate/attempt_entry.h"
#include "simulate/cluster.h"

namespace berth::simulate {

struct SimulationOptions {
  engine::EngineOptions engine;
  cycle::RecordNodes record = cycle::RecordNodes::kChosen;
  std::string explain_pod;                                // "namespace/name": recorded in full whatever `record` says
  bool check_consistency = false;                         // after every step; the first difference ends the run
  int64_t start_unix_ns = 1'767'225'600 * base::kSecond;  // 2026-01-01T00:00:00Z: the same story every time
};

class Simulation final : public engine::AttemptObserver {
 public:
  Simulation(api::Vocabulary& words, plugin::Services& services, Cluster& cluster, AttemptSink& sink,
             const SimulationOptions& options);
  ~Simulation() override;

  // Once, before Run. The set must have been built with the same services.
  void SetProfiles(std::shared_ptr<const framework::ProfileSet> profiles);
  // Until the cluster is quiet; then reports pods that are gated or that no profile serves. Call again after changing
  // the cluster. The error names what the consistency checker found.
  base::Result<void> Run();

  engine::Engine& engine() { return engine_; }
  uint64_t attempts() const { return attempts_; }

  // engine::AttemptObserver
  cycle::RecordNodes RecordFor(const api::Pod& pod) override;
  void OnAttempt(const engine::AttemptReport& report) override;

 private:
  bool Settle();
  void Tell();
  bool CanProgress();
  bool GoesInCircles();
  bool TaskToCome();
  bool MayWaitForTasks();  // engine_ has one
  void ReportWaiting();

  Cluster& cluster_;
  ApiServer api_;
  AttemptSink& sink_;
  const SimulationOptions options_;
  base::TickingClock clock_;
  bind::InlineExecutor executor_;
  engine::Engine engine_;
  uint64_t attempts_ = 0;
  uint64_t settled_tasks_ = 0;        // how many had been posted for at once
  std::vector<AttemptEntry> untold_;  // since the last pod was tried: its victims are still leaving
  struct {
    uint64_t version = 0;
    size_t in_flight = 0;
    int64_t at = 0;      // mono ns
    uint64_t tasks = 0;  // that had run
  } last_change_;
  // Attempts of a pod that ended without a node, one after the other, in a cluster of this version.
  struct Failures {
    uint64_t version = 0;
    int attempts = 0;
  };
  std::map<std::string, Failures> failed_;         // by pod
  int most_failures_ = 0;                          // of one pod, since GoesInCircles
  bool circling_ = false;                          // at the last GoesInCircles, but for tasks
  std::map<std::string, std::string> told_gated_;  // pod -> text already reported
  std::set<std::string> told_unserved_, told_unended_;
};

}  // namespace berth::simulate

// Runs the real engine on a simulated cluster in virtual time until no pod can make progress. Thread: one; binding
// cycles run inline on it. Ownership: owns the engine; the caller owns cluster, profiles, and sinks.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "scheduler/bind/executor.h"
#include "scheduler/engine/engine.h"
#include "simulator/results/attempt_entry.h"
#include "simulator/simulation/api_server.h"
#include "simulator/simulation/decision_log.h"
#include "simulator/simulation/virtual_cluster.h"

namespace berth::simulation {

struct SimulationOptions {
  engine::EngineOptions engine;
  cycle::RecordNodes record = cycle::RecordNodes::kChosen;
  std::string explain_pod;                                // "namespace/name": always recorded with all details
  DecisionLog* decision_log = nullptr;                    // the caller's, outlives the simulation
  bool check_consistency = false;                         // after steps; the first difference ends the simulation
  int64_t start_unix_ns = 1'767'225'600 * base::kSecond;  // 2026-01-01T00:00:00Z, so the output is reproducible
};

class Simulation final : public engine::AttemptObserver {
 public:
  Simulation(api::InternTables& intern, Cluster& cluster, results::AttemptSink& sink, const SimulationOptions& options);
  ~Simulation() override;

  // Call it once, before Run. The set must be built with the engine's services.
  void SetProfiles(std::shared_ptr<const framework::ProfileSet> profiles);
  // Runs until the cluster is quiet, then reports pods that are gated or have an unknown profile. Call it again after
  // changing the cluster. The error names what the consistency checker found.
  base::Result<void> Run();

  engine::Engine& engine() { return engine_; }
  uint64_t attempts() const { return attempts_; }
  int64_t now_unix_ns() const { return clock_.WallUnixNs(); }

  // engine::AttemptObserver
  cycle::RecordNodes RecordFor(const api::Pod& pod) override;
  void OnAttempt(const engine::AttemptReport& report) override;

 private:
  bool IsCheckDue();
  bool Settle();
  void ReportAttempts();
  bool CanProgress();
  bool RetriesWithoutProgress();
  bool TaskToCome();
  bool MayWaitForTasks();  // engine_ has one
  void ReportWaiting();

  Cluster& cluster_;
  ApiServer api_;
  results::AttemptSink& sink_;
  const SimulationOptions options_;
  base::TickingClock clock_;
  bind::InlineExecutor executor_;
  engine::Engine engine_;
  uint64_t attempts_ = 0;
  uint64_t settled_tasks_ = 0;                     // the number of tasks posted for immediate execution so far
  std::vector<results::AttemptEntry> unreported_;  // not reported yet: victims of the last attempt may still be deleted
  struct {
    uint64_t version = 0;
    size_t in_flight = 0;
    int64_t at = 0;      // mono ns
    uint64_t tasks = 0;  // that had run
  } last_change_;
  std::pair<uint64_t, uint64_t> checked_;  // the cluster's version and the number of attempts
  int checks_ = 0;                         // of this state
  // A pod's consecutive attempts without a node, in a cluster of this version.
  struct Failures {
    uint64_t version = 0;
    int attempts = 0;
  };
  std::map<std::string, Failures> failed_;  // by pod
  int most_failures_ = 0;                   // of any pod, since the last RetriesWithoutProgress
  bool circling_ = false;                   // the result of the last RetriesWithoutProgress, without regard to tasks
  std::map<std::string, std::string> reported_gated_;  // pod -> message already reported
  std::set<std::string> reported_unserved_, reported_unended_;
};

}  // namespace berth::simulation

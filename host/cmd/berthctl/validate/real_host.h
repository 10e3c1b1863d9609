// The plugin in Berth's own host: in a profile of the real engine, on a simulated cluster in virtual time, with the
// tables of strict_host.h. The profile has no other plugins but those of companions.h. After each step the engine
// recomputes its cache and counts, and compares kept results with new ones. Thread: main of the child. Ownership: the
// engine and its instances.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/thread_annotations.h"
#include "berth/testing/fake_cluster.hpp"
#include "cmd/berthctl/validate/findings.h"
#include "cmd/berthctl/validate/strict_host.h"
#include "cmd/berthctl/validate/subject.h"
#include "simulator/simulation/simulation.h"

namespace berth::validate {

// What goes wrong in the host. Each text names the pod, if there is one. Thread: OnFault any; the rest main.
class Incidents final : public results::AttemptSink, public plugin::FaultObserver {
 public:
  explicit Incidents(Findings& findings) : findings_(findings) {}

  void OnFault(const plugin::Instance& instance, const plugin::Fault& fault) override;
  void OnQuarantine(const plugin::Instance&) override {}
  void Trying(const api::Pod& pod) override;
  void Add(const results::AttemptEntry& entry) override;
  void AddBreach(const std::string& text);

  // The plugin broke a rule. Each text comes once.
  std::vector<std::string> TakeBreaches();
  // The plugin itself reported an error, which a plugin may.
  std::vector<std::string> TakeErrors();

 private:
  Findings& findings_;
  base::Mutex mutex_;
  std::vector<std::string> breaches_ GUARDED_BY(mutex_), errors_ GUARDED_BY(mutex_);
  std::set<std::string> told_
      GUARDED_BY(mutex_);  // pods whose attempt failed by an incident that is in one of the lists
};

class RealHost {
 public:
  // Reports steps to findings. Throws std::exception if the args are refused.
  RealHost(const Subject& subject, std::shared_ptr<const loader::Library> library, Findings& findings,
           HostShape shape = {});
  ~RealHost();
  RealHost(const RealHost&) = delete;

  // Creates and activates the plugin, and shows it the objects of samples.h. The error is the host's.
  base::Result<void> Start();
  // Start that must succeed: otherwise reports a failure and returns false.
  bool Started();
  void Fill(const sdk::testing::FakeCluster& cluster);
  // Adds the pod, and schedules until nothing changes any more.
  void Schedule(const sdk::testing::FakePod& pod);
  // Adds copies of all pods at once, so that they wait in the queue together, and schedules as Schedule does.
  void ScheduleTogether(const std::vector<sdk::testing::FakePod>& pods);
  // Changes and removes nodes, and schedules what waits.
  void ChangeCluster();
  void Stop();

  Incidents& incidents() { return incidents_; }

 private:
  base::Result<std::shared_ptr<framework::Profile>> BuildProfile();
  void SetPod(const json::Value& manifest);
  void Run();

  const Subject& subject_;
  std::shared_ptr<const loader::Library> library_;
  json::Value args_;
  Findings& findings_;
  api::InternTables intern_;
  simulation::Cluster cluster_{intern_};
  std::set<std::string> nodes_;  // names
  Incidents incidents_;
  StrictHosts strict_;
  std::unique_ptr<simulation::Simulation> simulation_;
};

}  // namespace berth::validate

// A cluster, profiles of scripted plugins, and the real engine, for tests of scheduling. Thread: one test.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "api/node.h"
#include "api/pod.h"
#include "scheduler/framework/profile.h"
#include "scripted.h"
#include "simulator/simulation/simulation.h"

namespace berth::fixture {

// The scripted plugins of a profile and their extension points; FIFO is always the QueueSort plugin.
struct ProfilePlan {
  std::string scheduler_name = "default-scheduler";
  std::vector<std::string> plugins{"A"};  // at every point, in this order
  std::vector<int64_t> weights;           // of score; absent weights are 1
  bool scores = true;                     // false: the plugins are at every point but score
  std::string holder;                     // "H" or "S", which reserve
  plugin::FaultPolicy holder_faults;
  int32_t percentage_of_nodes_to_score = 0;
  plugin::FaultPolicy faults;
  bool has_extenders = false;    // whether ProfileSet will have extenders
  bool recreate_faulty = false;  // framework::ProfileSpec::recreate_faulty
};

// The error is that of Profile::Build. before: the set whose unchanged instances are reused.
base::Result<std::shared_ptr<framework::ProfileSet>> BuildSet(const std::vector<ProfilePlan>& plans,
                                                              plugin::Services& services, uint64_t generation = 1,
                                                              const framework::ProfileSet* before = nullptr);

// A node with 4 CPUs, 8 GiB, and 110 pods; `extra` is inserted into spec ("\"unschedulable\":true").
api::NodeRef MakeNode(api::InternTables& intern, const std::string& name, const std::string& spec = "",
                      const std::string& metadata = "");
// A pending pod in the namespace default; `spec` and `metadata` are inserted into the object.
api::PodRef MakePod(api::InternTables& intern, const std::string& name, const std::string& spec = "",
                    const std::string& metadata = "");

// Records the outcomes of the attempts.
class Story final : public results::AttemptSink {
 public:
  void Add(const results::AttemptEntry& entry) override { entries.push_back(entry); }
  // "p1 Scheduled n1", "p2 Unschedulable 0/1 nodes are available: ..." for every attempt, in order.
  std::vector<std::string> Lines() const;
  std::vector<results::AttemptEntry> entries;
};

// Records the faults of plugins.
class FaultLog final : public plugin::FaultObserver {
 public:
  void OnFault(const plugin::Instance& instance, const plugin::Fault& fault) override {
    faults.push_back(instance.name() + "/" + fault.call);
  }
  void OnQuarantine(const plugin::Instance&) override { ++quarantined; }
  std::vector<std::string> faults;  // "plugin/call"
  int quarantined = 0;
};

// A whole simulation. The constructor clears the scripts, lets A bind through the host, and calls `prepare`, which may
// write scripts for activate.
class TestScheduler {
 public:
  explicit TestScheduler(std::vector<ProfilePlan> plans = {{}},
                         simulation::SimulationOptions options = DefaultOptions(),
                         const std::function<void()>& prepare = {});
  ~TestScheduler();
  static simulation::SimulationOptions DefaultOptions();  // records every node, checks consistency after every step
  static simulation::SimulationOptions ObservedBy(plugin::FaultObserver& faults);  // the default, and an observer

  void AddNodes(const std::vector<std::string>& names);
  void AddPod(const std::string& name, const std::string& spec = "", const std::string& metadata = "");
  // Aborts the test program if the consistency checker finds a difference.
  void Run();

  api::InternTables intern;
  simulation::Cluster cluster{intern};
  Story story;
  std::unique_ptr<simulation::Simulation> simulation;
  plugin::Services& services;  // of the engine
};

}  // namespace berth::fixture

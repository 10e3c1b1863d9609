// A cluster, profiles of scripted plugins and the real engine, for tests of what happens to pods.
// Thread: one test.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "api/node.h"
#include "api/pod.h"
#include "framework/profile.h"
#include "scripted.h"
#include "simulate/simulation.h"

namespace berth::fixture {

// Which scripted plugins a profile has and where; FIFO sorts always.
struct ProfilePlan {
  std::string scheduler_name = "default-scheduler";
  std::vector<std::string> plugins{"A"};  // at every point, in this order
  std::vector<int64_t> weights;           // of score; what it lacks is 1
  std::string holder;                     // "H" or "S", which reserve
  plugin::FaultPolicy holder_faults;
  int32_t percentage_of_nodes_to_score = 0;
  plugin::FaultPolicy faults;
  bool has_extenders = false;  // the set will
  bool anew = false;           // framework::ProfileSpec::anew
};

// The error is Profile::Build's. before: its instances that would be the same go on.
base::Result<std::shared_ptr<framework::ProfileSet>> BuildSet(const std::vector<ProfilePlan>& plans,
                                                              plugin::Services& services, uint64_t generation = 1,
                                                              const framework::ProfileSet* before = nullptr);

// A node of 4 CPUs, 8 GiB and 110 pods; extra is spliced into spec ("\"unschedulable\":true").
api::NodeRef MakeNode(api::Vocabulary& words, const std::string& name, const std::string& spec = "",
                      const std::string& metadata = "");
// A pending pod of namespace default; spec and metadata are spliced in.
api::PodRef MakePod(api::Vocabulary& words, const std::string& name, const std::string& spec = "",
                    const std::string& metadata = "");

// Keeps the story.
class Story final : public simulate::AttemptSink {
 public:
  void Add(const simulate::AttemptEntry& entry) override { entries.push_back(entry); }
  // "p1 Scheduled n1", "p2 Unschedulable 0/1 nodes are available: ..." of every attempt, in order.
  std::vector<std::string> Lines() const;
  std::vector<simulate::AttemptEntry> entries;
};

// A whole simulation; scripts are cleared first, A binds through the host, then prepare may write scripts for activate.
class Rig {
 public:
  explicit Rig(std::vector<ProfilePlan> plans = {{}}, simulate::SimulationOptions options = DefaultOptions(),
               const std::function<void()>& prepare = {});
  ~Rig();
  static simulate::SimulationOptions DefaultOptions();  // every node recorded, consistency checked after every step

  void AddNodes(const std::vector<std::string>& names);
  void AddPod(const std::string& name, const std::string& spec = "", const std::string& metadata = "");
  // Aborts the test program when the consistency checker finds something.
  void Run();

  api::Vocabulary words;
  plugin::Services services{words};
  simulate::Cluster cluster{words};
  Story story;
  std::unique_ptr<simulate::Simulation> simulation;
};

}  // namespace berth::fixture

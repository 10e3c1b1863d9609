#include "test_scheduler.h"

#include <cstdlib>
#include <iostream>

namespace berth::fixture {
namespace {

plugin::InstanceSpec InstanceOf(const std::string& name, const ProfilePlan& plan) {
  plugin::InstanceSpec spec;
  spec.library = ScriptedLibrary();
  spec.library_plugin = name;
  spec.name = name;
  spec.profile = plan.scheduler_name;
  spec.faults = plan.faults;
  return spec;
}

template <class T>
T OrDie(base::Result<T> result) {
  if (!result) {
    std::cerr << result.error().message << "\n";
    std::abort();
  }
  return std::move(*result);
}

std::string After(const std::string& more) { return more.empty() ? "" : "," + more; }

}  // namespace

base::Result<std::shared_ptr<framework::ProfileSet>> BuildSet(const std::vector<ProfilePlan>& plans,
                                                              plugin::Services& services, uint64_t generation,
                                                              const framework::ProfileSet* before) {
  auto set = std::make_shared<framework::ProfileSet>();
  set->generation = generation;
  for (const ProfilePlan& plan : plans) {
    framework::ProfileSpec spec;
    spec.scheduler_name = plan.scheduler_name;
    spec.percentage_of_nodes_to_score = plan.percentage_of_nodes_to_score;
    spec.has_extenders = plan.has_extenders;
    spec.recreate_faulty = plan.recreate_faulty;
    spec.plugins.push_back(InstanceOf("FIFO", plan));
    spec.points[static_cast<size_t>(plugin::Point::kQueueSort)] = {{"FIFO", 0}};
    for (size_t i = 0; i < plan.plugins.size(); ++i) {
      spec.plugins.push_back(InstanceOf(plan.plugins[i], plan));
      const int64_t weight = i < plan.weights.size() ? plan.weights[i] : 1;
      for (size_t p = 0; p < plugin::kPoints; ++p) {
        if (p == static_cast<size_t>(plugin::Point::kQueueSort)) continue;
        if (p == static_cast<size_t>(plugin::Point::kScore) && !plan.scores) continue;
        spec.points[p].push_back({plan.plugins[i], weight});
      }
    }
    if (!plan.holder.empty()) {
      spec.plugins.push_back(InstanceOf(plan.holder, plan));
      spec.plugins.back().faults = plan.holder_faults;
      spec.points[static_cast<size_t>(plugin::Point::kReserve)].push_back({plan.holder, 0});
    }
    const base::OwnedId name(services.intern.ids, spec.scheduler_name);
    const framework::Profile* predecessor = before == nullptr ? nullptr : before->Find(name.get());
    auto built = framework::Profile::Build(std::move(spec), services, predecessor);
    if (!built) return tl::unexpected(built.error());
    set->profiles.push_back(std::move(*built));
  }
  return set;
}

api::NodeRef MakeNode(api::InternTables& intern, const std::string& name, const std::string& spec,
                      const std::string& metadata) {
  return OrDie(api::DecodeNode(intern, R"({"metadata":{"name":")" + name + R"(","uid":"node-)" + name + R"(")" +
                                           After(metadata) + R"(},"spec":{)" + spec +
                                           R"(},"status":{"allocatable":{"cpu":"4","memory":"8Gi","pods":"110"}}})"));
}

api::PodRef MakePod(api::InternTables& intern, const std::string& name, const std::string& spec,
                    const std::string& metadata) {
  return OrDie(api::DecodePod(
      intern, R"({"metadata":{"namespace":"default","name":")" + name + R"(","uid":"pod-)" + name + R"(")" +
                  After(metadata) + R"(},"spec":{"schedulerName":"default-scheduler","containers":[{"name":"c"}])" +
                  After(spec) + R"(}})"));
}

std::vector<std::string> Story::Lines() const {
  std::vector<std::string> lines;
  for (const results::AttemptEntry& e : entries) {
    const std::string name = e.pod.substr(e.pod.find('/') + 1);
    lines.push_back(name + " " + e.result + " " + (e.node.empty() ? e.message : e.node));
  }
  return lines;
}

simulation::SimulationOptions TestScheduler::DefaultOptions() {
  simulation::SimulationOptions options;
  options.record = cycle::RecordNodes::kAll;
  options.check_consistency = true;
  return options;
}

simulation::SimulationOptions TestScheduler::ObservedBy(plugin::FaultObserver& faults) {
  simulation::SimulationOptions options = DefaultOptions();
  options.engine.fault_observer = &faults;
  return options;
}

TestScheduler::TestScheduler(std::vector<ProfilePlan> plans, simulation::SimulationOptions options,
                             const std::function<void()>& prepare)
    : simulation(std::make_unique<simulation::Simulation>(intern, cluster, story, options)),
      services(simulation->engine().services()) {
  ClearScripts();
  BindThroughHost(ScriptOf("A"));
  if (prepare) prepare();
  simulation->SetProfiles(OrDie(BuildSet(plans, services)));
}

TestScheduler::~TestScheduler() = default;

void TestScheduler::AddNodes(const std::vector<std::string>& names) {
  for (const std::string& name : names) cluster.SetNode(MakeNode(intern, name));
}

void TestScheduler::AddPod(const std::string& name, const std::string& spec, const std::string& metadata) {
  cluster.SetPod(MakePod(intern, name, spec, metadata));
}

void TestScheduler::Run() {
  (void)OrDie(simulation->Run().map([] { return 0; }));
}

}  // namespace berth::fixture

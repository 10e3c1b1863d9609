// A scheduling thread that schedules pods on nodes in memory, and the real watcher, canary child, and coordinator that
// swap its policy. For programs that measure swaps. Thread: the caller's thread is the scheduling thread.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "api/decode_pod.h"
#include "api/node.h"
#include "policy/assembly/config_files.h"
#include "policy/assembly/policy.h"
#include "reload/canary/canary.h"
#include "reload/coordinator/coordinator.h"
#include "scheduler/engine/engine.h"
#include "scheduler/framework/host_services.h"
#include "simulator/simulation/virtual_cluster.h"

namespace berth::bench {

using Clock = std::chrono::steady_clock;

[[noreturn]] inline void Die(const std::string& why) {
  std::cerr << why << "\n";
  std::exit(1);
}

inline void Replace(const std::string& path, const std::string& text) {
  std::ofstream(path + ".next") << text;
  std::filesystem::rename(path + ".next", path);
}

// The destructor deletes it with its content.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    path_ = (std::filesystem::temp_directory_path() / "berth_swaps_XXXXXX").string();
    if (mkdtemp(path_.data()) == nullptr) Die("no temporary directory");
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  std::string File(const std::string& name) const { return path_ + "/" + name; }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

class EngineTarget final : public reload::Target {
 public:
  explicit EngineTarget(engine::Engine& engine) : engine_(engine) {}
  plugin::Services& services() override { return engine_.services(); }
  void SubmitCandidate(std::shared_ptr<const framework::ProfileSet> profiles, engine::CandidateEnd end) override {
    engine_.SubmitCandidate(std::move(profiles), std::move(end));
  }
  void WithdrawCandidate() override { engine_.WithdrawCandidate(); }
  // There are no objects of any kind.
  void WatchNeededKinds(const framework::ProfileSet&) override {
    for (const objects::KindId kind : engine_.objects().NeededKinds()) engine_.Post(engine::ObjectsListed{kind, {}});
  }

 private:
  engine::Engine& engine_;
};

// The numbers of swaps by result.
class Count final : public reload::SwapObserver {
 public:
  void OnSwap(const reload::Report& report, const framework::ProfileSet& active,
              const config::Configuration&) override {
    if (report.result == reload::Result::kRejected) Die("a swap was refused: " + report.problems.front());
    if (report.result != reload::Result::kPublished) return;
    std::lock_guard lock(mutex_);
    for (const auto& instance : active.profiles.front()->instances()) {
      libraries_[instance->name()] = instance->library().path();
    }
    published.fetch_add(1, std::memory_order_release);
  }
  // The library of a plugin of the first profile since the last swap.
  std::string LibraryOf(const std::string& plugin) {
    std::lock_guard lock(mutex_);
    return libraries_[plugin];
  }
  std::atomic<int> published{0};

 private:
  std::mutex mutex_;
  std::map<std::string, std::string> libraries_;
};

// The cluster's writes without the series of Events, which would grow with each pod.
class WithoutEvents final : public engine::Writes {
 public:
  explicit WithoutEvents(simulation::Cluster& cluster) : cluster_(cluster) {}
  void Bind(const berth_pod& pod, std::string_view node, berth_op* op) override { cluster_.Bind(pod, node, op); }
  void PatchStatus(const api::PodRef& pod, engine::StatusPatch patch) override {
    cluster_.PatchStatus(pod, std::move(patch));
  }
  void Event(const api::Pod&, std::string_view, std::string_view, std::string_view, std::string) override {}

 private:
  simulation::Cluster& cluster_;
};

inline void Fill(simulation::Cluster& cluster, int nodes) {
  for (int i = 0; i < nodes; ++i) {
    const std::string name = "node-" + std::to_string(i);
    auto node = api::DecodeNode(cluster.intern(),
                                R"({"metadata":{"name":")" + name + R"(","labels":{"kubernetes.io/hostname":")" + name +
                                    R"(","topology.kubernetes.io/zone":"z)" + std::to_string(i % 10) +
                                    R"("}},"status":{"allocatable":{"cpu":"64","memory":"256Gi","pods":"110"},)" +
                                    R"("images":[{"names":["img-)" + std::to_string(i % 50) +
                                    R"(:1"],"sizeBytes":100000000}]}})");
    if (!node) Die(node.error().message);
    cluster.SetNode(*node);
  }
}

inline api::PodRef MakePod(api::InternTables& intern, uint64_t number) {
  auto pod = api::DecodePod(
      intern, R"({"metadata":{"namespace":"d","name":"p)" + std::to_string(number) + R"(","uid":"u)" +
                  std::to_string(number) + R"("},"spec":{"containers":[{"name":"c","image":"img-)" +
                  std::to_string(number % 50) + R"(:1","resources":{"requests":{"cpu":"100m","memory":"128Mi"}}}]}})");
  if (!pod) Die(pod.error().message);
  return *pod;
}

// The scheduling thread's loop: a pod is added, scheduled, bound, and deleted.
class World {
 public:
  World(const std::string& config, const std::string& berth_config, int nodes) {
    cluster_.Attach(&engine_, &clock_);
    Fill(cluster_, nodes);
    engine_.Post(engine::NodesListed{});
    engine_.Post(engine::PodsListed{});
    options.config = config;
    options.berth_config = berth_config;
    options.policy.plugin_directories = {assembly::DefaultPluginDirectory()};
  }

  // before_threads: runs on this thread before the coordinator starts its own threads, which inherit its affinity.
  void Start(const std::function<void()>& before_threads = {}) {
    const reload::Fingerprint seen = reload::Fingerprinter().TakeNow(reload::Coordinator::PathsOf(options));
    const auto sources = assembly::ReadSources(options.config, options.berth_config);
    if (!sources) Die(sources.error().message);
    auto policy =
        std::make_unique<assembly::Policy>(assembly::LoadPolicy(*sources, options.policy, engine_.services()));
    if (!policy->ok()) Die(policy->config.errors.front().Text());
    auto profiles = assembly::BuildProfiles(*policy, engine_.services());
    if (!profiles) Die(profiles.error().message);
    auto first = retirement_.Wrap(std::move(*profiles));
    engine_.SetProfiles(first);
    target_.WatchNeededKinds(*first);
    const auto tried = std::make_shared<canary::TriedLibraries>();
    options.policy.rehearse = [tried](const loader::Rehearsal& library) { return tried->Check(library); };
    canary::CanaryOptions canary;
    canary.program = (std::filesystem::read_symlink("/proc/self/exe").parent_path() / "berth-scheduler").string();
    canary.plugin_directories = options.policy.plugin_directories;
    canary.sample = [this] { return canary::TakeSample(engine_); };
    canary.tried = tried;
    options.canary = canary::MakeCanary(std::move(canary));
    if (before_threads) before_threads();
    coordinator_ =
        std::make_unique<reload::Coordinator>(target_, reports, options, std::move(policy), first, retirement_);
    coordinator_->Start(seen);
  }
  void Stop() {
    coordinator_.reset();
    retirement_.Stop();
  }

  // `took` receives the microseconds of each Step that scheduled a pod.
  void Run(Clock::time_point until, std::vector<double>& took) {
    while (Clock::now() < until) {
      const api::PodRef pod = MakePod(intern_, ++number_);
      cluster_.SetPod(pod);
      const auto began = Clock::now();
      engine_.Step();
      took.push_back(std::chrono::duration<double, std::micro>(Clock::now() - began).count());
      while (executor_.RunPending()) {
      }
      cluster_.RemovePod("d/p" + std::to_string(number_));
    }
  }

  reload::CoordinatorOptions options;
  Count reports;

 private:
  api::InternTables intern_;
  base::RealClock clock_;
  bind::InlineExecutor executor_;
  simulation::Cluster cluster_{intern_};
  WithoutEvents writes_{cluster_};
  engine::Engine engine_{intern_, clock_, executor_, writes_, nullptr, {}};
  EngineTarget target_{engine_};
  reload::Retirement retirement_;
  std::unique_ptr<reload::Coordinator> coordinator_;
  uint64_t number_ = 0;
};

}  // namespace berth::bench

// What a pod feels of a swap: how long Step takes, pod after pod, while the policy is changed once a second and while
// it is not. Ten pairs of windows, in turn, so that whatever else the machine does falls on both. The scheduling thread
// has a core of its own; watcher, coordinator and canary child, all of them real, share what is left.
//
// Each swap replaces the library behind ImageLocality and the args of NodeResourcesFit: two instances are made anew,
// tried in a child process on a sample of the pods, told of all nodes, published. Nothing is written over a network.
//
// Usage: swap_latency [--windows N] [--seconds S] [--nodes N]. Prints each window and the median of the differences.
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <thread>

#include "api/decode_pod.h"
#include "api/node.h"
#include "assembly/policy.h"
#include "assembly/sources.h"
#include "canary/canary.h"
#include "engine/engine.h"
#include "framework/host_services.h"
#include "simulate/cluster.h"
#include "swap/coordinator.h"

namespace berth::bench {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

struct Arguments {
  int pairs = 10, seconds = 5, nodes = 5000;
};

[[noreturn]] void Die(const std::string& why) {
  std::cerr << "swap_latency: " << why << "\n";
  std::exit(1);
}

// The calling thread and those that it starts from now on.
void Pin(const std::vector<int>& cores) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (int core : cores) CPU_SET(core, &set);
  if (sched_setaffinity(0, sizeof set, &set) != 0) Die(std::string("sched_setaffinity: ") + std::strerror(errno));
}

std::vector<int> AllowedCores() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) != 0) Die(std::string("sched_getaffinity: ") + std::strerror(errno));
  std::vector<int> cores;
  for (int i = 0; i < CPU_SETSIZE; ++i) {
    if (CPU_ISSET(i, &set)) cores.push_back(i);
  }
  return cores;
}

void Replace(const std::string& path, const std::string& text) {
  std::ofstream(path + ".next") << text;
  fs::rename(path + ".next", path);
}

// Two policies that the windows with swaps alternate between.
struct Files {
  Files() {
    std::string pattern = (fs::temp_directory_path() / "swap_latency_XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) Die("no temporary directory");
    directory = pattern;
    config = directory + "/config.yaml";
    berth = directory + "/berth.yaml";
    Write(false);
  }
  ~Files() { fs::remove_all(directory); }
  void Write(bool second) const {
    Replace(berth, std::string("apiVersion: berth.dev/v1alpha1\nkind: BerthConfiguration\nplugins:\n") +
                       "- {name: ImageLocality, library: " +
                       (second ? "RunningImageLocality.so, plugin: RunningImageLocality}\n" : "ImageLocality.so}\n"));
    Replace(config,
            std::string("apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n") +
                "leaderElection: {leaderElect: false}\npercentageOfNodesToScore: 100\nprofiles:\n- schedulerName: " +
                "default-scheduler\n  pluginConfig:\n  - name: NodeResourcesFit\n    args: {scoringStrategy: {type: " +
                (second ? "MostAllocated" : "LeastAllocated") + "}}\n");
  }
  std::string directory, config, berth;
};

class EngineTarget final : public swap::Target {
 public:
  EngineTarget(engine::Engine& engine, plugin::Services& services) : engine_(engine), services_(services) {}
  plugin::Services& services() override { return services_; }
  void OfferProfiles(std::shared_ptr<const framework::ProfileSet> profiles, engine::OfferEnd end) override {
    engine_.OfferProfiles(std::move(profiles), std::move(end));
  }
  void WithdrawOffer() override { engine_.WithdrawOffer(); }
  void WatchNeededKinds(const framework::ProfileSet&) override {}
  void Configure(const config::Configuration&, const config::BerthConfiguration&) override {}

 private:
  engine::Engine& engine_;
  plugin::Services& services_;
};

class Count final : public swap::SwapObserver {
 public:
  void OnSwap(const swap::Report& report, const framework::ProfileSet&, const config::Configuration&) override {
    if (report.result == swap::Result::kPublished) published.fetch_add(1);
    if (report.result == swap::Result::kRefused) Die("a swap was refused: " + report.problems.front());
  }
  std::atomic<int> published{0};
};

void Fill(simulate::Cluster& cluster, int nodes) {
  for (int i = 0; i < nodes; ++i) {
    const std::string name = "node-" + std::to_string(i);
    auto node = api::DecodeNode(cluster.words(),
                                R"({"metadata":{"name":")" + name + R"(","labels":{"kubernetes.io/hostname":")" + name +
                                    R"(","topology.kubernetes.io/zone":"z)" + std::to_string(i % 10) +
                                    R"("}},"status":{"allocatable":{"cpu":"64","memory":"256Gi","pods":"110"},)" +
                                    R"("images":[{"names":["img-)" + std::to_string(i % 50) +
                                    R"(:1"],"sizeBytes":100000000}]}})");
    if (!node) Die(node.error().message);
    cluster.SetNode(*node);
  }
}

api::PodRef MakePod(api::Vocabulary& words, uint64_t number) {
  auto pod = api::DecodePod(
      words, R"({"metadata":{"namespace":"d","name":"p)" + std::to_string(number) + R"(","uid":"u)" +
                 std::to_string(number) + R"("},"spec":{"containers":[{"name":"c","image":"img-)" +
                 std::to_string(number % 50) + R"(:1","resources":{"requests":{"cpu":"100m","memory":"128Mi"}}}]}})");
  if (!pod) Die(pod.error().message);
  return *pod;
}

// The scheduling thread's loop: a pod comes, is decided and bound, and goes.
class World {
 public:
  explicit World(const Files& files, int nodes) {
    cluster_.Attach(&engine_);
    Fill(cluster_, nodes);
    engine_.Post(engine::NodesListed{});
    engine_.Post(engine::PodsListed{});
    options.config = files.config;
    options.berth_config = files.berth;
    options.policy.plugin_directories = {assembly::DefaultPluginDirectory()};
  }

  void Start(std::vector<int> other_cores) {
    const swap::Fingerprint seen = swap::Fingerprinter().TakeNow(swap::Coordinator::PathsOf(options));
    const auto sources = assembly::ReadSources(options.config, options.berth_config);
    if (!sources) Die(sources.error().message);
    auto policy = std::make_unique<assembly::Policy>(assembly::LoadPolicy(*sources, options.policy, services_));
    if (!policy->ok()) Die(policy->config.errors.front().Text());
    auto profiles = assembly::BuildProfiles(*policy, services_);
    if (!profiles) Die(profiles.error().message);
    auto first = retirement_.Wrap(std::move(*profiles));
    engine_.SetProfiles(first);
    const auto tried = std::make_shared<canary::TriedLibraries>();
    options.policy.rehearse = [tried](const loader::Rehearsal& library) { return tried->Judge(library); };
    canary::CanaryOptions canary;
    canary.program = (fs::read_symlink("/proc/self/exe").parent_path() / "berth-scheduler").string();
    canary.plugin_directories = options.policy.plugin_directories;
    canary.sample = [this] { return canary::TakeSample(engine_); };
    canary.tried = tried;
    options.canary = canary::MakeCanary(std::move(canary));
    Pin(other_cores);  // the coordinator's threads inherit it
    coordinator_ =
        std::make_unique<swap::Coordinator>(target_, reports, options, std::move(policy), first, retirement_);
    if (auto started = coordinator_->Start(seen); !started) Die(started.error().message);
  }
  void Stop() {
    coordinator_.reset();
    retirement_.Stop();
  }

  // Microseconds of each Step that decided a pod.
  void Run(Clock::time_point until, std::vector<double>& took) {
    while (Clock::now() < until) {
      const api::PodRef pod = MakePod(words_, ++number_);
      cluster_.SetPod(pod);
      const auto began = Clock::now();
      engine_.Step();
      took.push_back(std::chrono::duration<double, std::micro>(Clock::now() - began).count());
      while (executor_.RunPending()) {
      }
      cluster_.RemovePod("d/p" + std::to_string(number_));
    }
  }

  swap::CoordinatorOptions options;
  Count reports;

 private:
  api::Vocabulary words_;
  plugin::Services services_{words_};
  base::RealClock clock_;
  bind::InlineExecutor executor_;
  simulate::Cluster cluster_{words_};
  engine::Engine engine_{words_, services_, clock_, executor_, cluster_, nullptr, {}};
  EngineTarget target_{engine_, services_};
  swap::Retirement retirement_;
  std::unique_ptr<swap::Coordinator> coordinator_;
  uint64_t number_ = 0;
};

double At(std::vector<double>& sorted, double share) {
  return sorted[static_cast<size_t>(share * static_cast<double>(sorted.size() - 1))];
}

struct Window {
  size_t pods;
  double p50, p99, p999, most;
};

Window Summary(std::vector<double>& took) {
  std::sort(took.begin(), took.end());
  return {took.size(), At(took, 0.5), At(took, 0.99), At(took, 0.999), took.back()};
}

Window RunWindow(World& world, const Files& files, int seconds, bool swaps) {
  std::vector<double> took;
  const auto until = Clock::now() + std::chrono::seconds(seconds);
  static bool second = false;
  for (auto next = Clock::now(); Clock::now() < until; next += std::chrono::seconds(1)) {
    if (swaps) files.Write(second = !second);
    world.Run(std::min(until, next + std::chrono::seconds(1)), took);
  }
  return Summary(took);
}

void Print(const char* what, const Window& w, int swaps) {
  std::printf("%-8s %8zu pods  p50 %7.1f  p99 %7.1f  p99.9 %8.1f  most %9.1f us  %d swaps\n", what, w.pods, w.p50,
              w.p99, w.p999, w.most, swaps);
  std::fflush(stdout);
}

int Main(const Arguments& arguments) {
  std::vector<int> cores = AllowedCores();
  if (cores.size() < 2) Die("needs two cores");
  const int own = cores.back();
  cores.pop_back();
  const Files files;
  World world(files, arguments.nodes);
  world.Start(cores);
  Pin({own});
  RunWindow(world, files, 2, true);  // warm: both policies have been in force
  std::vector<double> differences;
  for (int i = 0; i < arguments.pairs; ++i) {
    const Window quiet = RunWindow(world, files, arguments.seconds, false);
    const int before = world.reports.published;
    Print("without", quiet, 0);
    const Window swapped = RunWindow(world, files, arguments.seconds, true);
    Print("with", swapped, world.reports.published - before);
    differences.push_back(swapped.p999 - quiet.p999);
  }
  std::sort(differences.begin(), differences.end());
  std::printf("difference of p99.9, median of %zu pairs: %.1f us (least %.1f, most %.1f); %d swaps in all\n",
              differences.size(), At(differences, 0.5), differences.front(), differences.back(),
              world.reports.published.load());
  world.Stop();
  return 0;
}

}  // namespace
}  // namespace berth::bench

int main(int argc, char** argv) {
  berth::bench::Arguments arguments;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string_view flag = argv[i];
    int* at = flag == "--windows"   ? &arguments.pairs
              : flag == "--seconds" ? &arguments.seconds
              : flag == "--nodes"   ? &arguments.nodes
                                    : nullptr;
    if (at == nullptr || (*at = std::atoi(argv[i + 1])) <= 0) berth::bench::Die("see the head of swap_latency.cc");
  }
  return berth::bench::Main(arguments);
}

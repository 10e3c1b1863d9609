// The effect of a swap on pods: how long Step takes for each pod, with and without a change of the policy per second.
// It measures ten pairs of windows in turn, so that other load on the machine affects both. Each of the two policies
// has half of every window, because one takes three times as long as the other. The scheduling thread has a core of its
// own. The real watcher, coordinator, and canary child share the other cores.
//
// Each swap replaces the library behind ImageLocality and the args of NodeResourcesFit. Two instances are created,
// tried in a child process on a sample of the pods, informed of all nodes, and published. Nothing is sent over a
// network.
//
// Usage: swap_latency [--windows N] [--seconds S] [--nodes N]. Prints each window and the median of the differences.
#include <sched.h>

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "swap_world.h"

namespace berth::bench {
namespace {

struct Arguments {
  int pairs = 10, seconds = 5, nodes = 5000;
};

// Restricts the calling thread, and threads that it starts later, to these cores.
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

// Two alternating policies.
struct Files {
  Files() { Write(false); }
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
  TemporaryFolder folder;
  std::string config = folder.File("config.yaml"), berth = folder.File("berth.yaml");
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

// Switches to the other policy.
void Swap(const Files& files) {
  static bool second = false;
  files.Write(second = !second);
}

Window RunSwapped(World& world, const Files& files, int seconds) {
  std::vector<double> took;
  const auto until = Clock::now() + std::chrono::seconds(seconds);
  for (auto next = Clock::now(); Clock::now() < until; next += std::chrono::seconds(1)) {
    Swap(files);
    world.Run(std::min(until, next + std::chrono::seconds(1)), took);
  }
  return Summary(took);
}

// The swap between the halves has one second, in which nothing is measured, until it is published.
Window RunQuiet(World& world, const Files& files, int seconds) {
  std::vector<double> took, unmeasured;
  for (int half = 0; half < 2; ++half) {
    world.Run(Clock::now() + std::chrono::milliseconds(seconds * 500), took);
    Swap(files);
    world.Run(Clock::now() + std::chrono::seconds(1), unmeasured);
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
  World world(files.config, files.berth, arguments.nodes);
  world.Start([&] { Pin(cores); });
  Pin({own});
  RunSwapped(world, files, 2);  // warm-up: both policies have been published
  std::vector<double> differences;
  for (int i = 0; i < arguments.pairs; ++i) {
    const Window quiet = RunQuiet(world, files, arguments.seconds);
    const int before = world.reports.published;
    Print("without", quiet, 0);
    const Window swapped = RunSwapped(world, files, arguments.seconds);
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

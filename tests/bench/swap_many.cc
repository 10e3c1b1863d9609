// Swaps the library behind one plugin name a thousand times while pods are scheduled: plugins in C, C++, and Rust,
// built outside of this tree. Each swap creates the plugin again. After each one, the published library must be the
// requested one. Reports memory and descriptors before and after.
//
// Usage: swap_many SWAPS FILE.so=PLUGIN...
#include <cstdio>
#include <cstring>

#include "swap_world.h"

namespace berth::bench {
namespace {

constexpr const char* kName = "swapped";
constexpr auto kTimeout = std::chrono::seconds(30);
constexpr int kWarm = 30;  // swaps until each library has been published and memory is steady

struct Library {
  std::string file, plugin;
};

struct Files {
  explicit Files(const std::vector<Library>& libraries) {
    std::filesystem::create_directory(plugins);
    for (const Library& one : libraries) {
      std::filesystem::copy_file(one.file, plugins + "/" + std::filesystem::path(one.file).filename().string());
    }
    Replace(config, std::string("apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n") +
                        "leaderElection: {leaderElect: false}\nprofiles:\n- schedulerName: default-scheduler\n" +
                        "  plugins: {multiPoint: {enabled: [{name: " + kName + "}]}}\n");
    Choose(libraries.front());
  }
  void Choose(const Library& one) const {
    Replace(berth, std::string("apiVersion: berth.dev/v1alpha1\nkind: BerthConfiguration\nplugins:\n- {name: ") +
                       kName + ", library: " + std::filesystem::path(one.file).filename().string() +
                       ", plugin: " + one.plugin + "}\n");
  }
  TemporaryFolder folder;
  std::string plugins = folder.File("plugins"), config = folder.File("config.yaml"), berth = folder.File("berth.yaml");
};

struct Usage {
  double rss_mib = 0;
  size_t descriptors = 0;
  static Usage Now() {
    Usage usage;
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);) {
      if (line.starts_with("VmRSS:")) usage.rss_mib = std::atof(line.c_str() + 6) / 1024;
    }
    const std::filesystem::directory_iterator open("/proc/self/fd");
    usage.descriptors = static_cast<size_t>(std::distance(begin(open), end(open)));
    return usage;
  }
};

// Schedules pods until the library is published.
void Swap(World& world, const Files& files, const Library& to, std::vector<double>& took) {
  const int before = world.reports.published;
  files.Choose(to);
  const auto until = Clock::now() + kTimeout;
  while (world.reports.published.load(std::memory_order_acquire) == before) {
    if (Clock::now() > until) Die("not active after 30 s: " + to.file);
    world.Run(Clock::now() + std::chrono::milliseconds(5), took);
  }
  const std::string active = world.reports.LibraryOf(kName);
  if (std::filesystem::path(active).filename() != std::filesystem::path(to.file).filename()) {
    Die("active is " + active + ", wanted is " + to.file);
  }
}

int Main(int swaps, const std::vector<Library>& libraries) {
  const Files files(libraries);
  World world(files.config, files.berth, 500);
  world.options.policy.plugin_directories.push_back(files.plugins);
  world.options.watcher.times.quiet = std::chrono::milliseconds(20);
  world.Start();
  std::vector<double> took;
  Usage before;
  const auto began = Clock::now();
  size_t pods = 0;
  for (int i = 1; i <= swaps; ++i) {
    Swap(world, files, libraries[static_cast<size_t>(i) % libraries.size()], took);
    pods += took.size();
    took.clear();
    if (i == kWarm) before = Usage::Now();
  }
  const double seconds = std::chrono::duration<double>(Clock::now() - began).count();
  world.Stop();
  const Usage after = Usage::Now();
  std::printf("%d swaps of %zu libraries in %.0f s, %zu pods decided meanwhile\n", swaps, libraries.size(), seconds,
              pods);
  std::printf("RSS after %d swaps %.1f MiB, after all %.1f MiB; descriptors %zu, %zu\n", kWarm, before.rss_mib,
              after.rss_mib, before.descriptors, after.descriptors);
  return 0;
}

}  // namespace
}  // namespace berth::bench

int main(int argc, char** argv) {
  std::vector<berth::bench::Library> libraries;
  for (int i = 2; i < argc; ++i) {
    const char* equals = std::strchr(argv[i], '=');
    if (equals == nullptr) berth::bench::Die("see the head of swap_many.cc");
    libraries.push_back({std::string(argv[i], static_cast<size_t>(equals - argv[i])), equals + 1});
  }
  const int swaps = argc > 1 ? std::atoi(argv[1]) : 0;
  if (swaps <= 0 || libraries.size() < 2) berth::bench::Die("see the head of swap_many.cc");
  return berth::bench::Main(swaps, libraries);
}

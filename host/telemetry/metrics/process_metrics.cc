#include "telemetry/metrics/process_metrics.h"

#include <dirent.h>
#include <sys/resource.h>
#include <unistd.h>

#include <fstream>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "base/thread_annotations.h"
#include "telemetry/metrics/follower.h"

namespace berth::metrics {
namespace {

constexpr const char* kCpu = "process_cpu_seconds_total";
constexpr const char* kOpenFds = "process_open_fds";
constexpr const char* kMaxFds = "process_max_fds";
constexpr const char* kVirtual = "process_virtual_memory_bytes";
constexpr const char* kMaxVirtual = "process_virtual_memory_max_bytes";
constexpr const char* kResident = "process_resident_memory_bytes";
constexpr const char* kStart = "process_start_time_seconds";
constexpr const char* kReceived = "process_network_receive_bytes_total";
constexpr const char* kSent = "process_network_transmit_bytes_total";
constexpr const char* kGoroutines = "go_goroutines";
constexpr const char* kGoThreads = "go_threads";

Family Plain(const char* name, Kind kind, const char* help) { return {name, kind, Stability::kNone, {}, help, {}}; }

const std::vector<Family>& ProcessFamilies() {
  static const std::vector<Family> all{
      Plain(kCpu, Kind::kCounter, "Total user and system CPU time spent in seconds."),
      Plain(kOpenFds, Kind::kGauge, "Number of open file descriptors."),
      Plain(kMaxFds, Kind::kGauge, "Maximum number of open file descriptors."),
      Plain(kVirtual, Kind::kGauge, "Virtual memory size in bytes."),
      Plain(kMaxVirtual, Kind::kGauge, "Maximum amount of virtual memory available in bytes."),
      Plain(kResident, Kind::kGauge, "Resident memory size in bytes."),
      Plain(kReceived, Kind::kCounter, "Number of bytes received by the process over the network."),
      Plain(kSent, Kind::kCounter, "Number of bytes sent by the process over the network."),
      // Dashboards for kube-scheduler show them; a thread is the nearest that this process has to a goroutine.
      Plain(kGoroutines, Kind::kGauge, "Number of goroutines that currently exist."),
      Plain(kGoThreads, Kind::kGauge, "Number of OS threads created."),
  };
  return all;
}

// Of proc(5): /proc/self/stat, from its 14th field on.
struct Stat {
  double cpu_ticks = 0, threads = 0, start_ticks = 0, virtual_bytes = 0, resident_pages = 0;
};

std::optional<Stat> ReadStat() {
  std::ifstream file("/proc/self/stat");
  std::string line;
  if (!std::getline(file, line)) return std::nullopt;
  const size_t name_end = line.rfind(')');  // the name of the program may contain anything
  if (name_end == std::string::npos) return std::nullopt;
  std::istringstream rest(line.substr(name_end + 1));
  std::vector<std::string> fields;  // fields[0] is the third field
  for (std::string field; rest >> field;) fields.push_back(field);
  if (fields.size() < 22) return std::nullopt;
  const auto number = [&](size_t field) { return std::stod(fields[field - 3]); };
  return Stat{number(14) + number(15), number(20), number(22), number(23), number(24)};
}

std::optional<double> BootTime() {
  std::ifstream file("/proc/stat");
  for (std::string word; file >> word;) {
    double seconds = 0;
    if (word == "btime" && file >> seconds) return seconds;
  }
  return std::nullopt;
}

// The named number of the row IpExt of /proc/self/net/netstat, whose names are in the row before.
struct Octets {
  double received = 0, sent = 0;
};
std::optional<Octets> ReadOctets() {
  std::ifstream file("/proc/self/net/netstat");
  for (std::string names, values; std::getline(file, names) && std::getline(file, values);) {
    if (!names.starts_with("IpExt:")) continue;
    std::istringstream name_list(names), value_list(values);
    Octets octets;
    for (std::string name, value; name_list >> name && value_list >> value;) {
      if (name == "InOctets") octets.received = std::stod(value);
      if (name == "OutOctets") octets.sent = std::stod(value);
    }
    return octets;
  }
  return std::nullopt;
}

size_t OpenFds() {
  const std::unique_ptr<DIR, int (*)(DIR*)> directory(opendir("/proc/self/fd"), closedir);
  if (directory == nullptr) return 0;
  size_t n = 0;
  while (const dirent* entry = readdir(directory.get())) n += entry->d_name[0] != '.' ? 1 : 0;
  return n;
}

double Limit(__rlimit_resource what) {
  rlimit limit{};
  getrlimit(what, &limit);
  return static_cast<double>(limit.rlim_cur);
}

class ProcessCollector {
 public:
  explicit ProcessCollector(Registry& registry)
      : cpu_(registry.CounterOf(kCpu)),
        received_(registry.CounterOf(kReceived)),
        sent_(registry.CounterOf(kSent)),
        open_fds_(registry.GaugeOf(kOpenFds)),
        virtual_(registry.GaugeOf(kVirtual)),
        resident_(registry.GaugeOf(kResident)),
        goroutines_(registry.GaugeOf(kGoroutines)),
        threads_(registry.GaugeOf(kGoThreads)) {
    registry.GaugeOf(kMaxFds).Set(Limit(RLIMIT_NOFILE));
    registry.GaugeOf(kMaxVirtual).Set(Limit(RLIMIT_AS));
  }

  void Update() {
    base::MutexLock lock(mutex_);
    open_fds_.Set(static_cast<double>(OpenFds()));
    if (const auto octets = ReadOctets()) {
      received_.Follow(octets->received);
      sent_.Follow(octets->sent);
    }
    const auto stat = ReadStat();
    if (!stat) return;
    cpu_.Follow(stat->cpu_ticks / static_cast<double>(sysconf(_SC_CLK_TCK)));
    goroutines_.Set(stat->threads);
    threads_.Set(stat->threads);
    virtual_.Set(stat->virtual_bytes);
    resident_.Set(stat->resident_pages * static_cast<double>(sysconf(_SC_PAGESIZE)));
  }

 private:
  base::Mutex mutex_;
  Follower cpu_ GUARDED_BY(mutex_), received_ GUARDED_BY(mutex_), sent_ GUARDED_BY(mutex_);
  Gauge open_fds_, virtual_, resident_, goroutines_, threads_;
};

}  // namespace

void AddProcessMetrics(Registry& registry) {
  registry.Declare(ProcessFamilies());
  auto collector = std::make_shared<ProcessCollector>(registry);
  registry.AddCollector([collector] { collector->Update(); });
  AddProcessStartTime(registry);
}

void AddProcessStartTime(Registry& registry, Stability stability) {
  Family family = Plain(kStart, Kind::kGauge, "Start time of the process since unix epoch in seconds.");
  family.stability = stability;
  registry.Declare({&family, 1});
  const auto stat = ReadStat();
  const auto boot = BootTime();
  if (!stat || !boot) return;
  registry.GaugeOf(kStart).Set(*boot + stat->start_ticks / static_cast<double>(sysconf(_SC_CLK_TCK)));
}

}  // namespace berth::metrics

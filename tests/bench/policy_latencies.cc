// The duration of each attempt of a simulation: policy_latencies CONFIG MANIFEST... runs the same as `berthctl simulate
// -o json --nodes none` and records when each attempt is reported. The time between two reports contains the decision,
// the binding or the deletion of the victims, and the output itself. The first one, which includes reading the
// manifests, does not count. If pods preempt, only attempts with preemption count. Prints JSON for scripts/bench
// policies.
#include <algorithm>
#include <chrono>
#include <iostream>
#include <numeric>
#include <streambuf>
#include <string_view>
#include <vector>

#include "simulator/simulation/run.h"

namespace berth::bench {
namespace {

// Receives the simulator's output, one attempt per write, and stores only times.
class Stopwatch final : public std::streambuf {
 public:
  std::vector<double> Microseconds() const { return preempting_.empty() ? others_ : preempting_; }

 protected:
  std::streamsize xsputn(const char* text, std::streamsize size) override {
    const std::string_view line(text, static_cast<size_t>(size));
    if (line.find("\n{\"pod\":") < 2) Note(line.find("\"victims\":[\"") != std::string_view::npos);
    return size;
  }
  int_type overflow(int_type c) override { return traits_type::not_eof(c); }

 private:
  void Note(bool preempted) {
    const auto now = std::chrono::steady_clock::now();
    const double us = std::chrono::duration<double, std::micro>(now - last_).count();
    if (told_) (preempted ? preempting_ : others_).push_back(us);
    told_ = true;
    last_ = now;
  }

  bool told_ = false;
  std::chrono::steady_clock::time_point last_;
  std::vector<double> preempting_, others_;
};

double At(const std::vector<double>& sorted, double share) {
  return sorted[static_cast<size_t>(share * static_cast<double>(sorted.size() - 1))];
}

int Run(const simulation::RunOptions& options) {
  Stopwatch stopwatch;
  std::ostream out(&stopwatch);
  if (const int code = simulation::RunSimulation(options, out, std::cerr); code != 0) return code;
  std::vector<double> us = stopwatch.Microseconds();
  if (us.empty()) {
    std::cerr << "there were fewer than two attempts\n";
    return 1;
  }
  std::sort(us.begin(), us.end());
  const double mean = std::accumulate(us.begin(), us.end(), 0.0) / static_cast<double>(us.size());
  std::cout << "{\"decisions\":" << us.size() << ",\"mean_us\":" << mean << ",\"p50_us\":" << At(us, 0.5)
            << ",\"p99_us\":" << At(us, 0.99) << "}\n";
  return 0;
}

}  // namespace
}  // namespace berth::bench

int main(int argc, char** argv) {
  if (argc < 3) {
    std::cerr << "Usage: policy_latencies CONFIG MANIFEST...\n";
    return 1;
  }
  berth::simulation::RunOptions options;
  options.config = argv[1];
  options.manifests.assign(argv + 2, argv + argc);
  options.json = true;
  options.json_nodes = false;
  return berth::bench::Run(options);
}

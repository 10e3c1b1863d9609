// How long each attempt of a simulation takes: policy_latencies CONFIG MANIFEST... runs what `berthctl simulate -o json
// --nodes none` runs and notes when each attempt is told. What lies between two of them is the whole of it: the
// decision, the binding or the victims' leaving, and the line itself. The first, in which the manifests are read, does
// not count; where pods preempt, only attempts that do count. Prints JSON; scripts/bench policies asks.
#include <algorithm>
#include <chrono>
#include <iostream>
#include <streambuf>
#include <string_view>
#include <vector>

#include "simulate/run.h"

namespace berth::bench {
namespace {

// Takes what the simulator prints, an attempt a write, and keeps times only.
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

int Run(const simulate::RunOptions& options) {
  Stopwatch stopwatch;
  std::ostream out(&stopwatch);
  if (const int code = simulate::RunSimulation(options, out, std::cerr); code != 0) return code;
  std::vector<double> us = stopwatch.Microseconds();
  if (us.empty()) {
    std::cerr << "there were fewer than two attempts\n";
    return 1;
  }
  std::sort(us.begin(), us.end());
  std::cout << "{\"decisions\":" << us.size() << ",\"p50_us\":" << At(us, 0.5) << ",\"p99_us\":" << At(us, 0.99)
            << "}\n";
  return 0;
}

}  // namespace
}  // namespace berth::bench

int main(int argc, char** argv) {
  if (argc < 3) {
    std::cerr << "Usage: policy_latencies CONFIG MANIFEST...\n";
    return 1;
  }
  berth::simulate::RunOptions options;
  options.config = argv[1];
  options.manifests.assign(argv + 2, argv + argc);
  options.json = true;
  options.json_nodes = false;
  return berth::bench::Run(options);
}

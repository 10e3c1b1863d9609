#include "telemetry/profile/cpu_profile.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <map>
#include <vector>

#include "base/pause.h"
#include "base/thread_annotations.h"
#include "telemetry/profile/memory_map.h"
#include "telemetry/profile/sample_pipe.h"
#include "telemetry/profile/thread_timers.h"

namespace berth::profile {
namespace {

constexpr std::chrono::milliseconds kPeriod(10);
constexpr std::chrono::milliseconds kBetweenReads(20);
constexpr std::chrono::milliseconds kBetweenUpdates(100);  // of the list of threads
constexpr size_t kMostStacks = 50'000;                     // different ones in a profile

using Stacks = std::map<std::vector<uint64_t>, uint64_t>;  // with their weights

void Collect(uint32_t session, Stacks& stacks) {
  Sample sample;
  while (Next(Purpose::kCpuTime, session, sample)) {
    std::vector<uint64_t> stack(sample.stack().begin(), sample.stack().end());
    if (stack.empty()) continue;
    // A stack that finds no place counts for its innermost frame.
    if (stacks.size() >= kMostStacks && stacks.count(stack) == 0) stack.resize(1);
    stacks[std::move(stack)] += sample.weight;
  }
}

void AppendWords(std::string& out, const std::vector<uint64_t>& words) {
  out.append(reinterpret_cast<const char*>(words.data()), words.size() * sizeof(uint64_t));
}

std::string LegacyProfile(const Stacks& stacks) {
  const auto period = std::chrono::microseconds(kPeriod).count();
  std::string out;
  AppendWords(out, {0, 3, 0, static_cast<uint64_t>(period), 0});
  for (const auto& [stack, weight] : stacks) {
    AppendWords(out, {weight, stack.size()});
    AppendWords(out, stack);
  }
  AppendWords(out, {0, 1, 0});
  return out + MemoryMap();
}

}  // namespace

base::Result<std::string> TakeCpuProfile(std::chrono::nanoseconds duration, const std::stop_token& stop) {
  static base::Mutex under_way;
  static std::atomic<uint32_t> sessions{0};
  if (!under_way.try_lock()) return base::Fail("cpu profiling already in use");
  base::MutexLock lock(under_way, std::adopt_lock);
  if (!PrepareSampling()) return base::Fail(std::strerror(errno));
  const uint32_t session = ++sessions;
  SetSession(Purpose::kCpuTime, session);
  Stacks stacks;
  {
    ThreadTimers timers(kPeriod);
    using std::chrono::steady_clock;
    const auto end = steady_clock::now() + duration;
    auto update_at = steady_clock::now();
    for (auto now = update_at; now < end; now = steady_clock::now()) {
      if (now >= update_at) {
        timers.Update();
        update_at = now + kBetweenUpdates;
      }
      const bool goes_on = base::PauseFor(std::min<std::chrono::nanoseconds>(kBetweenReads, end - now), stop);
      Collect(session, stacks);
      if (!goes_on) break;
    }
  }
  SetSession(Purpose::kCpuTime, 0);
  Collect(session, stacks);
  return LegacyProfile(stacks);
}

}  // namespace berth::profile

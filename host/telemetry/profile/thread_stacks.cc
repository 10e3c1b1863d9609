#include "telemetry/profile/thread_stacks.h"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <map>
#include <thread>

#include "base/text.h"
#include "base/thread_annotations.h"
#include "telemetry/profile/code_symbols.h"
#include "telemetry/profile/memory_map.h"
#include "telemetry/profile/process_threads.h"
#include "telemetry/profile/sample_pipe.h"

namespace berth::profile {
namespace {

std::string HexAddress(uint64_t address) {
  char text[24];
  std::snprintf(text, sizeof text, "%#llx", static_cast<unsigned long long>(address));
  return text;
}

// Asks a few threads at a time: the pipe has room for as many samples as it has pages.
void AskSome(std::vector<ThreadStack>& stacks, size_t begin, size_t end, uint32_t session,
             std::chrono::milliseconds patience) {
  size_t missing = 0;
  for (size_t i = begin; i < end; ++i) missing += tgkill(getpid(), stacks[i].thread, SIGPROF) == 0 ? 1 : 0;
  const auto until = std::chrono::steady_clock::now() + patience;
  for (Sample sample; missing > 0 && std::chrono::steady_clock::now() < until;) {
    if (!Next(Purpose::kOneStack, session, sample)) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      continue;
    }
    for (size_t i = begin; i < end; ++i) {
      if (stacks[i].thread != sample.thread || !stacks[i].frames.empty()) continue;
      stacks[i].frames.assign(sample.stack().begin(), sample.stack().end());
      --missing;
    }
  }
}

}  // namespace

base::Result<std::vector<ThreadStack>> TakeThreadStacks(std::chrono::milliseconds patience) {
  constexpr size_t kAtATime = 8;
  static base::Mutex mutex;
  static uint32_t session GUARDED_BY(mutex) = 0;
  base::MutexLock lock(mutex);
  if (!PrepareSampling()) return base::Fail(std::strerror(errno));
  std::vector<ThreadStack> stacks;
  for (const pid_t thread : ThreadIds()) stacks.push_back({thread, ThreadName(thread), {}});
  SetSession(Purpose::kOneStack, ++session);
  for (size_t i = 0; i < stacks.size(); i += kAtATime) {
    AskSome(stacks, i, std::min(i + kAtATime, stacks.size()), session, patience);
  }
  SetSession(Purpose::kOneStack, 0);
  return stacks;
}

std::string CountedText(const std::vector<ThreadStack>& stacks) {
  std::map<std::pair<std::string, std::vector<uint64_t>>, size_t> counts;
  size_t total = 0;
  for (const ThreadStack& stack : stacks) {
    if (stack.frames.empty()) continue;
    ++counts[{stack.name, stack.frames}];
    ++total;
  }
  Symbols symbols;
  std::string out = "goroutine profile: total " + std::to_string(total) + "\n";
  for (const auto& [key, count] : counts) {
    out += std::to_string(count) + " @";
    for (const uint64_t frame : key.second) out += " " + HexAddress(frame);
    out += "\n# labels: {\"thread\":" + base::Quoted(key.first) + "}\n";
    for (const uint64_t frame : key.second) out += "#\t" + HexAddress(frame) + "\t" + symbols.PlaceOf(frame) + "\n";
    out += "\n";
  }
  return out + "--- Memory map: ---\n" + MemoryMap();
}

std::string FullText(const std::vector<ThreadStack>& stacks) {
  Symbols symbols;
  std::string out;
  for (const ThreadStack& stack : stacks) {
    out += "thread " + std::to_string(stack.thread) + " [" + stack.name + "]:\n";
    if (stack.frames.empty()) out += "\tit does not answer\n";
    for (const uint64_t frame : stack.frames) out += symbols.PlaceOf(frame) + "\n\t" + HexAddress(frame) + "\n";
    out += "\n";
  }
  return out;
}

}  // namespace berth::profile

// The stacks that signal handlers take, on their way to the thread that collects them. A handler writes one record to a
// pipe, which is async-signal-safe, takes no lock, and never waits: a record that finds the pipe full is lost.
//
// Two purposes have a pipe each: timers that sample the CPU time, and requests for the stack of one thread. Both use
// SIGPROF. Its handler has SA_RESTART and stays installed; without a timer or a request, no thread gets the signal.
// Thread: any; one reader at a time for each purpose. Ownership: the pipes stay open until the process ends, because a
// late handler may still write to them.
#pragma once

#include <cstdint>
#include <span>

namespace berth::profile {

// The deepest stack that is recorded.
inline constexpr uint32_t kMostFrames = 128;

struct Sample {
  int32_t thread = 0;   // as gettid
  uint32_t weight = 0;  // how many times the timer has fired
  uint32_t session = 0;
  uint32_t n_frames = 0;
  uint64_t frames[kMostFrames] = {};  // where the thread is; then where each call returns to
  std::span<const uint64_t> stack() const { return {frames, n_frames}; }
};

enum class Purpose : uint8_t { kCpuTime, kOneStack };

// Installs the handler and opens the pipes, at the first call. False: the system refuses; errno says why.
bool PrepareSampling();
// From now on, handlers record samples for that purpose, with this number. 0: none.
void SetSession(Purpose purpose, uint32_t session);
// The next sample of that session; false: there is none now. Samples of other sessions are dropped.
bool Next(Purpose purpose, uint32_t session, Sample& out);

}  // namespace berth::profile

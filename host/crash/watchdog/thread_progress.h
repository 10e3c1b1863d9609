// The progress of a thread of this process: its CPU time, and the time in which it was runnable without a CPU (CFS
// throttling, a busy machine). The watchdog reads it at each check for threads in a call. Thread: any. Ownership: a
// value.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>

namespace berth::crash {

struct Progress {
  int64_t cpu_ns = 0;     // since the thread began
  int64_t queued_ns = 0;  // since the thread began, runnable without a CPU; 0 when the kernel does not report it
  bool runnable = false;  // it runs or waits for a CPU; false: it waits for something else
};

// A thread that has ended, or without /proc, counts as waiting, so that its time counts.
Progress ProgressOf(pid_t thread);

using ReadProgress = std::function<Progress(pid_t thread)>;

// The part of the time between two checks that counts for a call: the time in which its thread ran or waited
// voluntarily. ran_ns: the time in which the process as a whole ran.
int64_t TimeOfItsOwn(const Progress& before, const Progress& now, int64_t ran_ns);

}  // namespace berth::crash

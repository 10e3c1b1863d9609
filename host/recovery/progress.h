// How far a thread of this process has come: what it has had of the CPU, and for how long it could have run and was not
// given one (CFS throttling, a busy machine). Read at each look of the watchdog for threads that are in a call.
// Thread: any. Ownership: a value.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>

namespace berth::recovery {

struct Progress {
  int64_t cpu_ns = 0;     // since the thread began
  int64_t queued_ns = 0;  // likewise, able to run and without a CPU; 0 where the kernel does not say
  bool runnable = false;  // it runs now, or could if it were given a CPU; false: it waits for something
};

// Of a thread that is gone, and where /proc is not there: as if it waited, so that time counts.
Progress ProgressOf(pid_t thread);

using ReadProgress = std::function<Progress(pid_t thread)>;

// What counts of the time between two looks at a call: the time in which its thread ran or waited of its own accord.
// ran_ns: in which the process as a whole was running.
int64_t TimeOfItsOwn(const Progress& before, const Progress& now, int64_t ran_ns);

}  // namespace berth::recovery

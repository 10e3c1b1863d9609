// The stacks of all threads at one moment. A signal asks each thread for its stack, so that a system call of a thread
// may end early with EINTR where SA_RESTART does not apply (poll, nanosleep). Thread: any; one caller at a time, others
// wait.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"

namespace berth::profile {

struct ThreadStack {
  pid_t thread = 0;
  std::string name;
  std::vector<uint64_t> frames;  // empty: the thread has not answered
};

// By thread. A thread that blocks the signal, or is stuck in the kernel, does not answer within `patience`.
base::Result<std::vector<ThreadStack>> TakeThreadStacks(
    std::chrono::milliseconds patience = std::chrono::milliseconds(500));

// The legacy text of a goroutine profile, which go tool pprof reads: threads with the same name and stack are counted
// together; then the memory map.
std::string CountedText(const std::vector<ThreadStack>& stacks);
// One paragraph for each thread: its id and name, and a line for each frame.
std::string FullText(const std::vector<ThreadStack>& stacks);

}  // namespace berth::profile

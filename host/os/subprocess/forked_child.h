// A function of this program that runs in a child process, forked without exec: a crash, an exit or a hang of the
// function does not reach this process. Only for a program that has no other threads at that time. Thread: the only
// one.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace berth::os {

// kDone: the parent's listener returned true. kDied: the child ended before. kLate: the time limit passed.
enum class ForkEnd : uint8_t { kDone, kDied, kLate };

struct ForkResult {
  ForkEnd end = ForkEnd::kDied;
  std::string how;     // how the process ended, as ChildEnd::Text says; after kDone and kLate the parent has killed it
  std::string output;  // the first bytes of its standard output and error
  std::chrono::milliseconds took{0};
};

struct ForkOptions {
  std::chrono::milliseconds limit;
  size_t output_bytes = 2000;  // of the child's output that are kept; the rest is discarded
};

// Runs work in a child, which the kernel kills when its parent ends, and blocks until the child is done, has ended, or
// the limit has passed. work: runs in the child and writes messages to the descriptor; when it returns, the child exits
// with code 0. The child writes no core file. listener: runs in the parent for each piece of the messages; true: done.
// Fails when no child process could be made: "no pipe: ...", "no child process: ...".
base::Result<ForkResult> RunForked(const ForkOptions& options, const std::function<void(int messages)>& work,
                                   const std::function<bool(std::string_view)>& listener);

}  // namespace berth::os

// The beginning and the end of a program that works with an API server. Thread: main.
#pragma once

#include <functional>
#include <string>

#include "cluster/process/shutdown_signals.h"

namespace berth::process {

// What exists before any other thread.
struct Start {
  Signals& signals;
  std::string leader_identity;  // election::TakeIdentity
};

// Calls run, and ends the process with the exit code that it returns. By then, run has destroyed every object that has
// threads. Output and log lines are flushed; static objects are not destroyed.
[[noreturn]] void RunProgram(const std::function<int(const Start&)>& run);

}  // namespace berth::process

// Runs a rule in its own process, so that the validator continues after a crash of the plugin. Forks the child without
// exec: the program must have no other threads. Thread: main.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "cmd/berthctl/validate/findings.h"
#include "os/subprocess/forked_child.h"

namespace berth::validate {

using End = os::ForkEnd;

// how: after kDied, such as "was ended by signal 11 (Segmentation fault)". output: of standard output and error.
struct ChildResult : os::ForkResult {
  std::vector<Word> words;  // without kDone
};

// work runs in the child. An exception that it throws is a failure.
ChildResult RunInChild(const std::function<void(Findings&)>& work, std::chrono::milliseconds limit);

}  // namespace berth::validate

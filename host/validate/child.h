// A rule in a process of its own: whatever a plugin does there, the validator goes on. The child is forked without
// exec: for programs that have no other threads. Thread: main.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "validate/findings.h"

namespace berth::validate {

enum class End : uint8_t { kDone, kDied, kLate };

struct ChildResult {
  End end = End::kDied;
  std::vector<Word> words;  // without kDone
  std::string how;          // it died: "was ended by signal 11 (Segmentation fault)"
  std::string output;       // what it wrote to its standard output and error, the first part
  std::chrono::milliseconds took{0};
};

// work runs in the child. What it throws is a failure there.
ChildResult RunInChild(const std::function<void(Findings&)>& work, std::chrono::milliseconds limit);

}  // namespace berth::validate

// The output of log lines: standard error, directly or through a queue (WriteInBackground), and listeners. Thread: any.
// A child process after fork() writes directly; its parent's queue stays with the parent.
#pragma once

#include <string_view>

namespace berth::log {

// Receives lines one at a time, under a lock, so it must not log.
class Listener {
 public:
  virtual ~Listener() = default;
  virtual void OnLine(std::string_view line) = 0;
};

// Without its newline.
void WriteLine(std::string_view line);

void AddListener(Listener& listener);
void RemoveListener(Listener& listener);

}  // namespace berth::log

// Where finished lines go: to standard error, at once or by way of a queue (WriteInBackground), and to listeners.
// Thread: any. A child process that fork() makes writes at once; what waits in its parent's queue is its parent's.
#pragma once

#include <string_view>

namespace berth::log {

// Hears lines one at a time, under a lock: it must not log.
class Listener {
 public:
  virtual ~Listener() = default;
  virtual void Hear(std::string_view line) = 0;
};

// Without the line break.
void WriteLine(std::string_view line);

void AddListener(Listener& listener);
void RemoveListener(Listener& listener);

}  // namespace berth::log

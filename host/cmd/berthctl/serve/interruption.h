// Notices that the user interrupts the program: SIGINT or SIGTERM. A second signal ends the program at once.
// Thread: one; at most one object at a time.
#pragma once

namespace berth::ctl {

class Interruption {
 public:
  Interruption();
  ~Interruption();
  Interruption(const Interruption&) = delete;

  // Waits until a signal has come, at most so many milliseconds; -1: without a limit. Whether one has come.
  bool WaitFor(int milliseconds);

 private:
  int pipe_[2] = {-1, -1};
};

}  // namespace berth::ctl

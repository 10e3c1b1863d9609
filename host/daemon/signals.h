// Signals as calls on a thread of their own: SIGTERM and SIGINT ask for an orderly end, a second one ends the process
// at once with exit code 1, SIGUSR2 asks for the state in the log, SIGHUP for a look at the configuration. Source:
// apiserver/pkg/server/signal.go; core.md 4.4. Thread: made by main before any other thread, so that all inherit the
// blocked signals.
#pragma once

#include <functional>
#include <thread>

namespace berth::daemon {

class Signals {
 public:
  Signals();
  ~Signals() { Stop(); }
  // Once. The functions run on the thread of the signals.
  void Start(std::function<void()> on_end, std::function<void()> on_dump, std::function<void()> on_reload);
  // From now on nothing is called any more.
  void Stop();

 private:
  std::jthread thread_;
};

}  // namespace berth::daemon

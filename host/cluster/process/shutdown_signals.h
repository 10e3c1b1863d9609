// Calls functions on its own thread when signals arrive. SIGTERM and SIGINT request a graceful shutdown; a second one
// ends the process at once with exit code 1. SIGUSR2 requests the state in the log. SIGHUP requests a check of the
// configuration files. Source: k8s.io/apiserver/pkg/server/signal.go. Thread: main creates it before any other thread,
// so all threads inherit the blocked signals.
#pragma once

#include <functional>
#include <thread>

namespace berth::process {

class Signals {
 public:
  Signals();
  ~Signals() { Stop(); }
  // Call it once. The functions run on the object's own thread.
  void Start(std::function<void()> on_end, std::function<void()> on_dump, std::function<void()> on_reload);
  // No function runs after this.
  void Stop();

 private:
  std::jthread thread_;
};

}  // namespace berth::process

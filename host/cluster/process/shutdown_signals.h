// Calls functions on the thread of the housekeeper when signals arrive. SIGTERM and SIGINT request a graceful shutdown;
// a second one ends the process at once with exit code 1. SIGUSR2 requests the state in the log. SIGHUP requests a
// check of the configuration files. Source: k8s.io/apiserver/pkg/server/signal.go. Thread: main creates it before any
// other thread, so all threads inherit the blocked signals.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "base/housekeeper.h"
#include "os/fd/file_descriptor.h"

namespace berth::process {

class Signals {
 public:
  Signals();
  ~Signals() { Stop(); }
  // Call it once. The functions run on the thread of the housekeeper, and must not block.
  void Start(std::function<void()> on_end, std::function<void()> on_dump, std::function<void()> on_reload);
  // No function runs after this.
  void Stop();

 private:
  struct Calls {
    std::function<void()> end, dump, reload;
  };
  void Take();
  void AwaitMore();

  Calls calls_;
  bool ending_ = false;    // of the thread
  os::FileDescriptor fd_;  // a signalfd, which only shows that a signal has arrived; none: the housekeeper looks
  uint64_t number_ = 0;    // of Take
  std::shared_ptr<base::Housekeeper> keeper_;  // null: not between Start and Stop
};

}  // namespace berth::process

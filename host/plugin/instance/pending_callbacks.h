// The callbacks that the host has to run for an instance. Each runs exactly once: when its event happens, or as an
// abandoned callback when the instance ends first. A caller with a ticket of an ended instance learns so from Take, and
// uses neither the instance nor the library.
// Thread: any; End on the thread that destroys the instance, which must not be inside a callback. Ownership: the
// instance and all callers that have a ticket share it.
#pragma once

#include <cstdint>
#include <functional>
#include <unordered_map>

#include "base/thread_annotations.h"

namespace berth::plugin {

class PendingCallbacks {
 public:
  using Abandon = std::function<void()>;  // runs the callback as abandoned

  // Returns a ticket, or 0 when the instance has ended; abandon is then not kept.
  uint64_t Add(Abandon abandon);
  // True: the caller must run the callback and then call Done. False: the callback has run.
  bool Take(uint64_t ticket);
  void Done();
  // Abandons the callbacks that no caller took, and waits until the others are done. Add then returns 0.
  void End();

 private:
  base::Mutex mutex_;
  base::Condition quiet_;
  std::unordered_map<uint64_t, Abandon> waiting_ GUARDED_BY(mutex_);
  uint64_t last_ticket_ GUARDED_BY(mutex_) = 0;
  uint32_t running_ GUARDED_BY(mutex_) = 0;  // taken, and not done
  bool ended_ GUARDED_BY(mutex_) = false;
};

}  // namespace berth::plugin

// Destroys profile sets that nothing uses any more, on its own thread: the last holder may be the scheduling thread,
// which must not wait until plugins are deactivated and destroyed. Thread: Wrap and the pointers it returns, any.
// Ownership: create it before the first profile set; call Stop before you destroy the services that plugins may still
// call; after Stop the thread of the last holder destroys a set.
#pragma once

#include <deque>
#include <memory>
#include <thread>

#include "base/thread_annotations.h"
#include "scheduler/framework/profile.h"

namespace berth::reload {

class Retirement {
 public:
  Retirement();
  ~Retirement() { Stop(); }
  Retirement(const Retirement&) = delete;

  // The same set; the retirement thread destroys it.
  std::shared_ptr<const framework::ProfileSet> Wrap(std::shared_ptr<framework::ProfileSet> set);
  // Destroys the sets that it has received; idempotent.
  void Stop();

 private:
  using Retired = std::shared_ptr<framework::ProfileSet>;
  // Outlives the retirement as long as there are sets that it wrapped.
  struct Bin {
    base::Mutex mutex;
    base::Condition filled;
    std::deque<Retired> retired GUARDED_BY(mutex);
    bool stopped GUARDED_BY(mutex) = false;
    void Take(Retired set);
    void Work();
  };

  const std::shared_ptr<Bin> bin_ = std::make_shared<Bin>();
  std::thread thread_;
};

}  // namespace berth::reload

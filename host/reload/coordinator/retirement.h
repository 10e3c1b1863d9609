// Destroys profile sets that nothing uses any more, on a thread for them: the last holder may be the scheduling thread,
// which must not wait until plugins are deactivated and destroyed. Thread: Wrap and the pointers it returns, any.
// Ownership: create it before the first profile set; call Stop before you destroy the services that plugins may still
// call; after Stop the thread of the last holder destroys a set.
#pragma once

#include <memory>

#include "base/task_threads.h"
#include "scheduler/framework/profile.h"

namespace berth::reload {

class Retirement {
 public:
  Retirement() = default;
  ~Retirement() { Stop(); }
  Retirement(const Retirement&) = delete;

  // The same set; the retirement thread destroys it.
  std::shared_ptr<const framework::ProfileSet> Wrap(std::shared_ptr<framework::ProfileSet> set);
  // Destroys the sets that it has received; idempotent.
  void Stop() { bin_->thread.Stop(); }

 private:
  using Retired = std::shared_ptr<framework::ProfileSet>;
  // Outlives the retirement as long as there are sets that it wrapped.
  struct Bin {
    base::TaskThreads thread{{.name = "retirement", .most = 1}};
    void Take(Retired set);
  };

  const std::shared_ptr<Bin> bin_ = std::make_shared<Bin>();
};

}  // namespace berth::reload

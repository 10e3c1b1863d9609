// Where generations go that nobody needs any more: their last holder may be the scheduling thread, which must not wait
// for plugins to deactivate and destroy themselves.
// Thread: Wrap and the pointers it gives, any. Ownership: made before the first generation; Stop before the services go
// that the plugins may still call; from then on generations end where their last holder lets go of them.
#pragma once

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>

#include "framework/profile.h"

namespace berth::swap {

class Retirement {
 public:
  Retirement();
  ~Retirement() { Stop(); }
  Retirement(const Retirement&) = delete;

  // The same set, which will end on the retirement's thread.
  std::shared_ptr<const framework::ProfileSet> Wrap(std::shared_ptr<framework::ProfileSet> set);
  // Ends what has come; idempotent.
  void Stop();

 private:
  using Retired = std::shared_ptr<framework::ProfileSet>;
  // Outlives the retirement as long as there are sets that it wrapped.
  struct Bin {
    std::mutex mutex;
    std::condition_variable filled;
    std::deque<Retired> retired;  // under mutex
    bool stopped = false;         // under mutex
    void Take(Retired set);
    void Work();
  };

  const std::shared_ptr<Bin> bin_ = std::make_shared<Bin>();
  std::thread thread_;
};

}  // namespace berth::swap

// A reflector that runs, until this object is destroyed. Thread: the owner's; not the I/O thread. Ownership: the
// reflector outlives it.
#pragma once

#include <memory>
#include <stop_token>

#include "base/async.h"
#include "cluster/reflector/reflector.h"

namespace berth::reflector {

class Running {
 public:
  explicit Running(Reflector& reflector) {
    reflector.Start(stop_.get_token(), [ended = ended_] { ended->Ring(); });
  }
  ~Running() {
    RequestStop();
    ended_->Wait({});
  }
  Running(const Running&) = delete;
  // Does not wait.
  void RequestStop() { stop_.request_stop(); }

 private:
  std::stop_source stop_;
  const std::shared_ptr<base::Bell> ended_ = std::make_shared<base::Bell>();
};

}  // namespace berth::reflector

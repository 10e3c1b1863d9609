// Waits for the end of back-offs in the quarantine: it notes the end in the file, whose change may change the policy,
// and calls `ended`. It reads the clock at least once a minute, because the clock may be set. Thread: its own, which
// calls `ended`. Ownership: everything that ended uses outlives it.
#pragma once

#include <functional>
#include <thread>

#include "policy/quarantine/quarantine.h"

namespace berth::quarantine {

class BackOffEnd {
 public:
  BackOffEnd(Quarantine quarantine, std::function<void()> ended);

 private:
  void Run(const std::stop_token& stop) const;

  const Quarantine quarantine_;
  const std::function<void()> ended_;
  std::jthread thread_;  // destroyed first
};

}  // namespace berth::quarantine

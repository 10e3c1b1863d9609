// Waits for the end of backoffs in the quarantine: it notes the end in the file, whose change may change the policy,
// and calls `ended`. It reads the clock at least once a minute, because the clock may be set. Thread: the housekeeping
// thread waits, and a thread for it writes the file and calls `ended`. Ownership: everything that ended uses outlives
// it.
#pragma once

#include <chrono>
#include <functional>

#include "base/chore.h"
#include "policy/quarantine/quarantine.h"

namespace berth::quarantine {

class BackOffEnd {
 public:
  BackOffEnd(Quarantine quarantine, std::function<void()> ended);

 private:
  bool IsOver();
  void End() const;

  const Quarantine quarantine_;
  const std::function<void()> ended_;
  std::chrono::steady_clock::time_point next_look_;
  base::Chore looks_;  // destroyed first
};

}  // namespace berth::quarantine

// Waits for the end of back-offs in the quarantine: notes it in the file, whose change means another policy, and tells.
// Looks at the clock once a minute at least, for it may be set. Thread: one of its own, which calls `ended`. Ownership:
// what ended needs outlives it.
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
  std::jthread thread_;  // goes first
};

}  // namespace berth::quarantine

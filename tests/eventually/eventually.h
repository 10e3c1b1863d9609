// Waits for what another thread or process does. Do not wait for an absence: cause a later event that is visible, wait
// for that one, and then check what came before it. Thread: any.
#pragma once

#include <chrono>
#include <thread>

namespace berth {

// Asks every few milliseconds until the condition holds. False: it does not hold after that time.
template <class Condition>
bool Eventually(Condition&& condition, std::chrono::milliseconds within = std::chrono::seconds(30)) {
  const auto end = std::chrono::steady_clock::now() + within;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return true;
}

}  // namespace berth

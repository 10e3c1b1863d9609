// Asks the scheduling thread for a value between two of its steps. Thread: any but the scheduling thread.
#pragma once

#include <algorithm>
#include <chrono>
#include <exception>
#include <future>
#include <memory>
#include <optional>
#include <stop_token>
#include <utility>

#include "scheduler/engine/engine.h"

namespace berth::engine {

inline constexpr std::chrono::milliseconds kLongestAnswer{5000}, kLookAtStop{50};

using Deadline = std::chrono::steady_clock::time_point;

inline Deadline LatestAnswer() { return std::chrono::steady_clock::now() + kLongestAnswer; }

// fn() runs on the scheduling thread and must not take longer than an attempt. nullopt: it has failed, it has not run
// by the deadline, stop was requested, or the engine ended before. It may still run later, so it owns what it uses, or
// refers to what outlives the engine.
template <class Fn>
auto Ask(Engine& engine, Fn fn, const std::stop_token& stop = {}, Deadline deadline = LatestAnswer())
    -> std::optional<decltype(fn())> {
  auto promise = std::make_shared<std::promise<decltype(fn())>>();
  auto answer = promise->get_future();
  engine.Post(Task([promise, fn = std::move(fn)]() mutable {
    try {
      promise->set_value(fn());
    } catch (...) {
      promise->set_exception(std::current_exception());
    }
  }));
  promise.reset();  // now only the task keeps it
  const std::chrono::milliseconds pause = stop.stop_possible() ? kLookAtStop : kLongestAnswer;
  while (answer.wait_until(std::min(deadline, std::chrono::steady_clock::now() + pause)) != std::future_status::ready) {
    if (stop.stop_requested() || std::chrono::steady_clock::now() >= deadline) return std::nullopt;
  }
  try {
    return answer.get();
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

}  // namespace berth::engine

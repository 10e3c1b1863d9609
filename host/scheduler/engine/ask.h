// Asks the scheduling thread for a value between two of its steps. Thread: any but the scheduling thread.
#pragma once

#include <chrono>
#include <exception>
#include <future>
#include <memory>
#include <optional>
#include <utility>

#include "scheduler/engine/engine.h"

namespace berth::engine {

inline constexpr std::chrono::seconds kLongestAnswer{5};

// fn() runs on the scheduling thread and must not take longer than an attempt. nullopt: it has failed, it has not run
// within five seconds, or the engine ended before. It may still run later, so it owns what it uses, or refers to what
// outlives the engine.
template <class Fn>
auto Ask(Engine& engine, Fn fn) -> std::optional<decltype(fn())> {
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
  if (answer.wait_for(kLongestAnswer) != std::future_status::ready) return std::nullopt;
  try {
    return answer.get();
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

}  // namespace berth::engine

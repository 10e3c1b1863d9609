// Asks the scheduling thread for a value between two of its steps. Thread: any but the scheduling thread.
#pragma once

#include <chrono>
#include <future>
#include <memory>
#include <optional>
#include <utility>

#include "scheduler/engine/engine.h"

namespace berth::engine {

inline constexpr std::chrono::seconds kLongestAnswer{5};

// fn() runs on the scheduling thread and must not take longer than an attempt. nullopt: it has not run within five
// seconds; it may still run later, so it owns what it uses, or refers to what outlives the engine.
template <class Fn>
auto Ask(Engine& engine, Fn fn) -> std::optional<decltype(fn())> {
  auto promise = std::make_shared<std::promise<decltype(fn())>>();
  auto answer = promise->get_future();
  engine.Post(Task([promise, fn = std::move(fn)]() mutable { promise->set_value(fn()); }));
  if (answer.wait_for(kLongestAnswer) != std::future_status::ready) return std::nullopt;
  return answer.get();
}

}  // namespace berth::engine

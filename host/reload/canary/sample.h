// A small part of the running cluster, with which the canary tries a candidate. Ownership: a value.
#pragma once

#include <chrono>

#include "codec/json/value.h"
#include "scheduler/engine/engine.h"

namespace berth::canary {

struct Sample {
  json::Array nodes, pods;  // manifests, see manifest.h
};

inline constexpr size_t kMostNodes = 8, kMostPods = 32;

// Up to kMostNodes nodes from all over the cluster and kMostPods pods: pending ones and the newest of those nodes. Any
// thread but the scheduling thread, which only collects references; the caller does the rest. timeout: an engine that
// does not answer within it, as before the first Step, gives an empty sample.
Sample TakeSample(engine::Engine& engine, std::chrono::milliseconds timeout = std::chrono::milliseconds(200));

}  // namespace berth::canary

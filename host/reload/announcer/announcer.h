// Says how each policy change ended: one log line, one Event, and the metrics berth_swap_total,
// berth_swap_duration_seconds and berth_policy_generation. Thread: any, one call at a time. Ownership: the registry
// outlives it.
#pragma once

#include <functional>

#include "cluster/events/event_body.h"
#include "reload/coordinator/coordinator.h"
#include "telemetry/metrics/registry.h"

namespace berth::announcer {

class Announcer {
 public:
  using RecordEvent = std::function<void(events::EventRecord)>;

  // about: the object that the Events are about.
  Announcer(metrics::Registry& registry, RecordEvent record, events::ObjectReference about)
      : registry_(registry), record_(std::move(record)), about_(std::move(about)) {}

  void Announce(const reload::Report& report);

 private:
  void Measure(const reload::Report& report);

  metrics::Registry& registry_;
  const RecordEvent record_;
  const events::ObjectReference about_;
};

}  // namespace berth::announcer

// The requests to the API server about a victim. Plain texts, any thread.
// Source: k8s.io/kubernetes pkg/scheduler/framework/preemption/executor.go, pkg/scheduler/util/utils.go.
#pragma once

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

#include "berth/json_writer.hpp"

namespace berth::sdk::preemption {

// RFC 3339 in UTC, whole seconds, as Kubernetes writes times.
inline std::string TimeText(int64_t unix_ns) {
  using std::chrono::days;
  using std::chrono::floor;
  const std::chrono::sys_time<std::chrono::nanoseconds> time{std::chrono::nanoseconds(unix_ns)};
  const auto seconds = floor<std::chrono::seconds>(time);
  const auto day = floor<days>(seconds);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(seconds - day);
  char text[40];
  std::snprintf(text, sizeof(text), "%04d-%02u-%02uT%02d:%02d:%02dZ", static_cast<int>(date.year()),
                static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                static_cast<int>(clock.hours().count()), static_cast<int>(clock.minutes().count()),
                static_cast<int>(clock.seconds().count()));
  return text;
}

// A strategic merge patch of the victim's status: it is about to be disrupted. It contains the uid, so that it does not
// change a later pod with the same name. generation: the victim's metadata.generation, not written when 0. scheduler:
// the preemptor's spec.schedulerName.
inline std::string DisruptionPatch(std::string_view uid, int64_t generation, std::string_view scheduler,
                                   int64_t now_unix_ns) {
  JsonWriter out;
  out.BeginObject();
  out.BeginObject("metadata");
  out.Field("uid", uid);
  out.EndObject();
  out.BeginObject("status");
  out.BeginArray("conditions");
  out.BeginObject();
  out.Field("type", "DisruptionTarget");
  if (generation != 0) out.Field("observedGeneration", generation);
  out.Field("status", "True");
  out.Field("lastProbeTime", Value());
  out.Field("lastTransitionTime", TimeText(now_unix_ns));
  out.Field("reason", "PreemptionByScheduler");
  out.Field("message", std::string(scheduler) + ": preempting to accommodate a higher priority pod");
  out.EndObject();
  out.EndArray();
  out.EndObject();
  out.EndObject();
  return out.text();
}

// DeleteOptions: the pod of this uid and no other, gracefully.
inline std::string DeleteOptions(std::string_view uid) {
  JsonWriter out;
  out.BeginObject();
  out.Field("apiVersion", "v1");
  out.Field("kind", "DeleteOptions");
  out.BeginObject("preconditions");
  out.Field("uid", uid);
  out.EndObject();
  out.EndObject();
  return out.text();
}

}  // namespace berth::sdk::preemption

// PodGroup (scheduling.x-k8s.io/v1alpha1), as far as its controller needs it. Source: kubernetes-sigs/scheduler-plugins
// apis/scheduling/v1alpha1/types.go. Thread: any; values.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "controllers/rules/object_meta.h"

namespace berth::rules {

namespace group_phase {
inline constexpr const char* kPending = "Pending";
inline constexpr const char* kScheduling = "Scheduling";
inline constexpr const char* kRunning = "Running";
inline constexpr const char* kFinished = "Finished";
inline constexpr const char* kFailed = "Failed";
}  // namespace group_phase

struct PodGroupStatus {
  std::string phase;        // "" = new
  std::string occupied_by;  // "namespace/owner", joined with commas
  int64_t running = 0, succeeded = 0, failed = 0;
  bool operator==(const PodGroupStatus&) const = default;
};

struct PodGroup {
  ObjectMeta meta;
  int64_t min_member = 0;
  PodGroupStatus status;
  int64_t schedule_start_unix_ns = text::kNoTime;  // status.scheduleStartTime
};

// Error: names the object and the field.
base::Result<PodGroup> ReadPodGroup(std::string_view json);

}  // namespace berth::rules

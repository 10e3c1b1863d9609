// The faults of one plugin instance: how many there were, the last one, and whether the instance is quarantined.
// docs/faults.md says what counts as a fault.
// Thread: any. Ownership: one per instance; the instance and the services outlive it.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

#include "base/clock.h"
#include "base/thread_annotations.h"
#include "plugin/instance/status.h"

namespace berth::plugin {

class Instance;
class Services;
struct Fault;

struct FaultPolicy {
  int64_t call_deadline_ns = base::kSecond;  // a call that takes longer fails its attempt
  int quarantine_after = 0;                  // faults after which the host stops calling the plugin; 0 = never
  // A call that has a deadline, or runs on the scheduling thread, hangs after this time.
  int64_t hang_after_ns = 2 * base::kSecond;
  bool optional = false;       // the profile runs without the plugin rather than fail
  int64_t op_deadline_ns = 0;  // from LATER to the end of the operation; 0 = none
  bool operator==(const FaultPolicy&) const = default;
};

class FaultRecord {
 public:
  FaultRecord(const Instance& instance, const Services& services) : instance_(instance), services_(services) {}
  FaultRecord(const FaultRecord&) = delete;

  uint64_t count() const { return count_.load(std::memory_order_relaxed); }
  bool quarantined() const { return quarantined_.load(std::memory_order_relaxed); }

  // Logs and counts a fault. Quarantines an active instance that reaches the limit.
  void Add(const Fault& fault);
  // Add, then text as the error of the instance. told: as Fault::told.
  Status Fail(const char* what, std::string text, bool told = false);
  // Fail, for a status code that the extension point does not allow.
  Status FailWithCode(const char* what, berth_status code);
  // The error of a call that the host skips because the instance is quarantined.
  Status Refusal() const;

 private:
  void Log(const char* what, const std::string& text);
  void QuarantineAfter(uint64_t faults, const std::string& text);

  const Instance& instance_;
  const Services& services_;
  std::atomic<uint64_t> count_{0};
  std::atomic<bool> quarantined_{false};

  mutable base::Mutex mutex_;
  std::string last_ GUARDED_BY(mutex_);
  int64_t lines_second_ GUARDED_BY(mutex_) = 0;  // mono seconds: when the lines were logged that lines_ counts
  uint32_t lines_ GUARDED_BY(mutex_) = 0, lines_left_out_ GUARDED_BY(mutex_) = 0;
};

}  // namespace berth::plugin

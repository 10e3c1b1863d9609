// The open operations of plugins: calls of PreBind and Bind that returned LATER. Operations that the host ends, such as
// those of DefaultBinder, and pods that Permit holds are not among them. After the deadline of its plugin the host
// abandons an operation, which is a fault of the plugin. The log reports operations that stay open for a long time.
//
// Thread: Begin and End from any thread; Expire and Report from the scheduling thread, which ends attempts and so keeps
// their plugins alive meanwhile. Ownership: the clock outlives it.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "api/pod.h"
#include "base/clock.h"
#include "base/thread_annotations.h"
#include "plugin/instance/instance.h"
#include "scheduler/bind/pending_op.h"

namespace berth::bind {

struct OpenOperation {
  plugin::Instance* plugin;  // the attempt keeps it alive
  const char* point;         // "PreBind", "Bind"
  api::PodRef pod;
  PendingOp* op;
  uint64_t ticket;
};

class OpenOperations {
 public:
  // When the log first reports an operation, and the time between two reports.
  static constexpr int64_t kFirstReportNs = 300 * base::kSecond, kReportEveryNs = 3600 * base::kSecond;

  explicit OpenOperations(const base::Clock& clock) : clock_(clock) {}

  // Returns the number for End, never 0.
  uint64_t Begin(OpenOperation operation);
  void End(uint64_t number);

  void Expire(int64_t now);                     // mono ns; abandons the operations past their deadline
  std::optional<int64_t> NextDeadline() const;  // mono ns; takes no lock
  // Logs the operations that have been open for a long time, a few in one call.
  void Report(int64_t now);  // mono ns

  struct Count {
    std::string plugin;
    std::string point;
    size_t open = 0;
    int64_t oldest_ns = 0;  // how long the oldest one has been open; 0: none is open
  };
  // By plugin and point; a plugin without open operations stays in the list.
  std::vector<Count> Counts() const;

 private:
  using Times = std::set<std::pair<int64_t, uint64_t>>;  // mono ns, number
  struct Entry {
    OpenOperation operation;
    Times* begun;  // of its plugin and point
    int64_t begun_at, deadline, report_at;
  };
  void NoteNextDeadline() REQUIRES(mutex_);
  std::vector<OpenOperation> TakeOverdue(int64_t now);
  std::vector<std::pair<OpenOperation, int64_t>> TakeToReport(int64_t now);  // and how long they have been open, ns

  const base::Clock& clock_;
  std::atomic<int64_t> next_deadline_{INT64_MAX};  // the first of deadlines_
  mutable base::Mutex mutex_;
  uint64_t last_number_ GUARDED_BY(mutex_) = 0;
  std::unordered_map<uint64_t, Entry> entries_ GUARDED_BY(mutex_);
  std::map<std::pair<std::string, std::string>, Times> begun_ GUARDED_BY(mutex_);  // by plugin and point
  Times deadlines_ GUARDED_BY(mutex_);                                             // of operations that have a deadline
  Times reports_ GUARDED_BY(mutex_);
};

}  // namespace berth::bind

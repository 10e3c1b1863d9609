// Operations that plugins have promised to end: calls of PreBind and Bind that answered LATER. What the host ends
// itself, as DefaultBinder's, is not among them, nor are pods that Permit holds. Past the deadline of its plugin an
// operation is abandoned, which is a fault of the plugin; one that stays open for long is told in the log.
//
// Threads: Begin and End any; Expire and Report the scheduling thread, which is the one that ends attempts and with
// them the life of their plugins. Ownership: the clock outlives it.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "api/pod.h"
#include "base/clock.h"
#include "bind/pending_op.h"
#include "plugin/instance.h"

namespace berth::bind {

struct OpenOperation {
  plugin::Instance* plugin;  // the attempt's
  const char* point;         // "PreBind", "Bind"
  api::PodRef pod;
  PendingOp* op;
  uint64_t ticket;
};

class OpenOperations {
 public:
  // When an operation is told for the first time, and how long until it is told again.
  static constexpr int64_t kFirstReportNs = 300 * base::kSecond, kReportEveryNs = 3600 * base::kSecond;

  explicit OpenOperations(const base::Clock& clock) : clock_(clock) {}

  // The number, never 0, is for End.
  uint64_t Begin(OpenOperation operation);
  void End(uint64_t number);

  void Expire(int64_t now);                     // mono ns
  std::optional<int64_t> NextDeadline() const;  // mono ns; takes no lock
  // Logs those that are open for long, a few at a time.
  void Report(int64_t now);  // mono ns

  struct Count {
    std::string plugin;
    std::string point;
    size_t open = 0;
    int64_t oldest_ns = 0;  // for how long; 0 when none is open
  };
  // By plugin and point; whoever has had an operation stays in the list.
  std::vector<Count> Counts() const;

 private:
  using Times = std::set<std::pair<int64_t, uint64_t>>;  // mono ns, number
  struct Entry {
    OpenOperation operation;
    Times* begun;  // of its plugin and point
    int64_t begun_at, deadline, report_at;
  };
  void NoteNextDeadline();  // mutex_ is held
  std::vector<OpenOperation> TakeOverdue(int64_t now);
  std::vector<std::pair<OpenOperation, int64_t>> TakeToReport(int64_t now);  // with how long they are open, ns

  const base::Clock& clock_;
  std::atomic<int64_t> next_deadline_{INT64_MAX};  // the first of deadlines_
  mutable std::mutex mutex_;                       // guards what follows
  uint64_t last_number_ = 0;
  std::unordered_map<uint64_t, Entry> entries_;
  std::map<std::pair<std::string, std::string>, Times> begun_;  // by plugin and point
  Times deadlines_;                                             // of those that have one
  Times reports_;
};

}  // namespace berth::bind

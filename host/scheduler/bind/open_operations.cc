#include "scheduler/bind/open_operations.h"

#include "codec/text/duration.h"
#include "telemetry/log/log.h"

namespace berth::bind {
namespace {

constexpr size_t kMostReports = 10;  // in one call

std::string OverdueText(const OpenOperation& operation) {
  return "kept an operation for longer than faults.opDeadline (" +
         text::FormatMilliseconds(operation.plugin->spec().faults.op_deadline_ns) + ")";
}

// The outcome of an operation past its deadline.
plugin::Status Overdue(const OpenOperation& operation) {
  const plugin::Instance& plugin = *operation.plugin;
  return {plugin::Code::kError,
          plugin.name_id(),
          {"plugin \"" + plugin.name() + "\" " + OverdueText(operation) + " in " + operation.point}};
}

}  // namespace

uint64_t OpenOperations::Begin(OpenOperation operation) {
  const int64_t now = clock_.MonoNs();
  const int64_t timeout = operation.plugin->spec().faults.op_deadline_ns;
  base::MutexLock lock(mutex_);
  const uint64_t number = ++last_number_;
  Times& begun = begun_[{operation.plugin->name(), operation.point}];
  Entry entry{std::move(operation), &begun, now, timeout > 0 ? now + timeout : INT64_MAX, now + kFirstReportNs};
  begun.emplace(now, number);
  reports_.emplace(entry.report_at, number);
  if (timeout > 0) deadlines_.emplace(entry.deadline, number);
  NoteNextDeadline();
  entries_.emplace(number, std::move(entry));
  return number;
}

void OpenOperations::End(uint64_t number) {
  base::MutexLock lock(mutex_);
  const auto node = entries_.extract(number);
  if (node.empty()) return;
  const Entry& entry = node.mapped();
  entry.begun->erase({entry.begun_at, number});
  reports_.erase({entry.report_at, number});
  deadlines_.erase({entry.deadline, number});
  NoteNextDeadline();
}

void OpenOperations::NoteNextDeadline() {
  next_deadline_.store(deadlines_.empty() ? INT64_MAX : deadlines_.begin()->first, std::memory_order_relaxed);
}

std::optional<int64_t> OpenOperations::NextDeadline() const {
  const int64_t next = next_deadline_.load(std::memory_order_relaxed);
  return next == INT64_MAX ? std::nullopt : std::optional(next);
}

std::vector<OpenOperation> OpenOperations::TakeOverdue(int64_t now) {
  std::vector<OpenOperation> overdue;
  base::MutexLock lock(mutex_);
  while (!deadlines_.empty() && deadlines_.begin()->first <= now) {
    overdue.push_back(entries_.at(deadlines_.begin()->second).operation);
    deadlines_.erase(deadlines_.begin());
  }
  NoteNextDeadline();
  return overdue;
}

void OpenOperations::Expire(int64_t now) {
  for (const OpenOperation& operation : TakeOverdue(now)) {
    if (!operation.op->AbandonUnlessHeld(operation.ticket, Overdue(operation))) continue;
    const plugin::PodScope scope(operation.pod.get());
    operation.plugin->Fault(operation.point, OverdueText(operation));
  }
}

std::vector<std::pair<OpenOperation, int64_t>> OpenOperations::TakeToReport(int64_t now) {
  std::vector<std::pair<OpenOperation, int64_t>> long_open;
  base::MutexLock lock(mutex_);
  while (long_open.size() < kMostReports && !reports_.empty() && reports_.begin()->first <= now) {
    const uint64_t number = reports_.begin()->second;
    reports_.erase(reports_.begin());
    Entry& entry = entries_.at(number);
    entry.report_at = now + kReportEveryNs;
    reports_.emplace(entry.report_at, number);
    long_open.emplace_back(entry.operation, now - entry.begun_at);
  }
  return long_open;
}

void OpenOperations::Report(int64_t now) {
  for (const auto& [operation, open_ns] : TakeToReport(now)) {
    log::Warning("A plugin has not ended its operation", {{"plugin", operation.plugin->name()},
                                                          {"profile", operation.plugin->profile()},
                                                          {"point", operation.point},
                                                          {"pod", log::KObj(operation.pod->key())},
                                                          {"open", text::FormatMilliseconds(open_ns)}});
  }
}

std::vector<OpenOperations::Count> OpenOperations::Counts() const {
  const int64_t now = clock_.MonoNs();
  std::vector<Count> counts;
  base::MutexLock lock(mutex_);
  for (const auto& [key, begun] : begun_) {
    counts.push_back({key.first, key.second, begun.size(), begun.empty() ? 0 : now - begun.begin()->first});
  }
  return counts;
}

}  // namespace berth::bind

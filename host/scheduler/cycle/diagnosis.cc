// Why nodes were rejected: the counts of the FitError message, the unschedulable plugins, and the records for reports.
// Source: FitError and Diagnosis in pkg/scheduler/framework/types.go.
#include <cstring>
#include <map>

#include "scheduler/cycle/scheduling_cycle.h"

namespace berth::cycle {

void SchedulingCycle::Diagnose(Diagnosis& diagnosis, CycleResult& result) {
  framework::FitError& error = diagnosis.fit_error;
  const uint64_t counted = CountReasons(error, result);
  if (counted >= cache_.n_nodes()) return;
  for (const std::string& reason : diagnosis.absent_nodes.reasons) {
    error.histogram[reason] += cache_.n_nodes() - counted;
  }
}

// Source: Diagnosis.AddPluginStatus.
void SchedulingCycle::AddPluginStatus(const framework::Rejection& rejection, CycleResult& result) const {
  result.unschedulable_plugins.Insert(rejection.plugin->name_id());
  if (rejection.verdict.code == BERTH_PENDING) result.pending_plugins.Insert(rejection.plugin->name_id());
}

// Counts nodes by reason list first, because there are few lists and many nodes. The status of an extender replaces
// that of a plugin. Returns the number of nodes that have a status.
uint64_t SchedulingCycle::CountReasons(framework::FitError& error, CycleResult& result) {
  std::map<uint32_t, uint64_t> lists;
  uint64_t counted = 0;
  framework::Rejection last;
  uint64_t* nodes = nullptr;  // the count of the last reason list; null if none is known
  auto count = [&](uint32_t row, const framework::Rejection& rejection) {
    if (rejection.plugin != last.plugin || std::memcmp(&rejection.verdict, &last.verdict, sizeof last.verdict) != 0) {
      AddPluginStatus(rejection, result);
      last = rejection;
      nodes = nullptr;
    }
    if (extenders_ != nullptr && extenders_->RejectionOf(row) != nullptr) return;
    if (nodes == nullptr) nodes = &lists[rejection.verdict.reasons];
    ++*nodes;
    ++counted;
  };
  filter_.ForEachRejection(examined_, count);
  // The nominated node keeps its status if a PreFilter plugin excluded it from the search over the other nodes.
  if (nominated_rejection_.plugin != nullptr && !examined_.Test(nominated_row_)) {
    count(nominated_row_, nominated_rejection_);
  }
  if (extenders_ != nullptr) {
    for (const auto& [row, rejection] : extenders_->rejections()) ++lists[rejection.verdict.reasons];
    for (const auto& [name, reasons] : extenders_->foreign()) ++lists[reasons];
    counted += extenders_->rejections().size() + extenders_->foreign().size();
  }
  for (const auto& [list, n] : lists) {
    for (const std::string& reason : reasons_.Texts(list)) error.histogram[reason] += n;
  }
  return counted;
}

void SchedulingCycle::FillRecords(const framework::CycleContext& ctx, CycleResult& result) {
  const bool scored = result.outcome == Outcome::kChosen && result.feasible_nodes > 1;
  for (uint32_t row : cache_.order()) {
    if (!examined_.Test(row) || (ctx.record == RecordNodes::kChosen && row != result.row)) continue;
    NodeRecord& record = result.nodes.emplace_back();
    record.name = cache_.node(row)->name;
    if (FillRejection(row, record) || !scored) continue;
    for (const framework::ScoreRecord& s : score_.records())
      record.scores.emplace_back(s.plugin->name(), s.weighted[row]);
    if (extenders_ != nullptr) {
      for (const ExtenderScores& s : extenders_->scores()) record.scores.emplace_back(*s.extender, s.weighted[row]);
    }
    record.total = score_.TotalsByRow(filter_.feasible())[row];
  }
}

bool SchedulingCycle::FillRejection(uint32_t row, NodeRecord& record) const {
  if (FillExtenderRejection(row, record)) return true;
  const framework::Rejection rejection = filter_.RejectionOf(row);
  if (rejection.plugin == nullptr) return false;
  record.verdict = static_cast<plugin::Code>(rejection.verdict.code);
  record.plugin = rejection.plugin->name();
  record.reasons = reasons_.Texts(rejection.verdict.reasons);
  return true;
}

bool SchedulingCycle::FillExtenderRejection(uint32_t row, NodeRecord& record) const {
  if (extenders_ == nullptr || filter_.feasible().Test(row)) return false;
  if (const ExtenderRejection* rejection = extenders_->RejectionOf(row)) {
    record.verdict = static_cast<plugin::Code>(rejection->verdict.code);
    record.plugin = *rejection->extender;
    record.reasons = reasons_.Texts(rejection->verdict.reasons);
    return true;
  }
  const std::string* extender = extenders_->DroppedBy(row);
  if (extender == nullptr) return false;
  record.verdict = plugin::Code::kUnresolvable;
  record.plugin = *extender;
  return true;
}

}  // namespace berth::cycle

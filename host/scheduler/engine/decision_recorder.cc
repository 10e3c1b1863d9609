#include "scheduler/engine/decision_recorder.h"

#include "scheduler/decisions/decision.h"

namespace berth::engine {
namespace {

// Enough for some tables of 5,000 nodes, and little enough that a burst of pods is not slowed down.
constexpr int64_t kCreditNs = 100'000;

decisions::Result ResultOf(const cycle::CycleResult& result, bool bound) {
  if (bound) return decisions::Result::kScheduled;
  const bool rejected = result.status.rejected() || result.outcome == cycle::Outcome::kFitError;
  return rejected ? decisions::Result::kUnschedulable : decisions::Result::kError;
}

}  // namespace

DecisionRecorder::DecisionRecorder(const DecisionOptions& options, const base::Clock& clock,
                                   const api::InternTables& intern)
    : clock_(clock),
      intern_(intern),
      enabled_(options.limits.decisions != 0),
      meter_(std::make_shared<decisions::MemoryMeter>()),
      kept_(std::make_shared<decisions::MemoryMeter>()),
      ring_(options.limits, meter_),
      writer_(real_clock_, meter_),
      budget_(options.time_share, kCreditNs, real_clock_) {}

decisions::NodeTableWriter* DecisionRecorder::NextWriter() {
  if (!enabled_) return nullptr;
  ChargeTable();
  return ring_.fits() && budget_.Allows() ? &writer_ : nullptr;
}

void DecisionRecorder::Record(const Attempt& attempt, bool bound) {
  if (!enabled_) return;
  const cycle::CycleResult& result = attempt.result;
  const api::Pod& pod = *attempt.job.pod;
  decisions::DecisionTexts texts{.pod = pod.key(), .uid = pod.uid(), .profile = attempt.job.profile->scheduler_name()};
  if (bound) {
    texts.node = result.node_name;
  } else {
    texts.message = result.message;
    if (result.nominating.node != base::kNoId) texts.nominated_node = intern_.ids.Text(result.nominating.node);
    texts.rejected_by = Rejectors(result);
    if (!result.victims.empty()) {
      victims_ = decisions::VictimLines(result.victims, decisions::Ring::kMaxMessage);
      texts.victims = victims_;
    }
  }
  if (const queue::QueuedPod* queued = attempt.queued.get()) {
    texts.woken_by = queued->wakeup.event;
    texts.woken_for = intern_.ids.Text(queued->wakeup.plugin);
    texts.gate = intern_.ids.Text(queued->last_gate);
  }
  const uint64_t id =
      ring_.Add(NumbersOf(attempt, bound), texts, {result.table, attempt.job.profile->plugin_versions()});
  if (!bound && result.table != nullptr && attempt.queued != nullptr) KeepForPod(*attempt.queued, id);
}

// Pods in the queue keep at most half of the memory, so that no tenant can use up all of it. What equal tables share
// counts each time.
void DecisionRecorder::KeepForPod(queue::QueuedPod& queued, uint64_t id) {
  struct Kept {
    decisions::Metered size;
    std::shared_ptr<const decisions::Decision> decision;
  };
  queued.last_decision.reset();
  std::shared_ptr<const decisions::Decision> decision = ring_.Find(id);
  if (decision == nullptr || decision->nodes == nullptr) return;
  const size_t bytes = decision->TextBytes() + decision->nodes->own_bytes->bytes() + 2 * decision->nodes->n_rows();
  if (kept_->bytes() + bytes > ring_.limits().bytes / 2) return;
  const std::shared_ptr<Kept> kept(new Kept{decisions::Metered(kept_, bytes), std::move(decision)});
  queued.last_decision = {kept, kept->decision.get()};
}

decisions::DecisionNumbers DecisionRecorder::NumbersOf(const Attempt& attempt, bool bound) const {
  const cycle::CycleResult& result = attempt.result;
  const int64_t total_ns = clock_.MonoNs() - attempt.started_mono_ns;
  decisions::DecisionNumbers numbers{.generation = attempt.job.policy->generation,
                                     .started_unix_ns = clock_.WallUnixNs() - total_ns,
                                     .cycle_ns = attempt.chosen_mono_ns - attempt.started_mono_ns,
                                     .total_ns = total_ns,
                                     .permit_wait_ns = attempt.job.permit_wait_ns,
                                     .points = attempt.points,
                                     .ties = bound ? result.ties : 0,
                                     .evaluated_nodes = result.evaluated_nodes,
                                     .feasible_nodes = result.feasible_nodes,
                                     .result = ResultOf(result, bound)};
  numbers.n_victims = result.n_victims;
  for (size_t i = 0; i < numbers.points.size(); ++i) numbers.points[i] += attempt.job.points[i];
  if (const queue::QueuedPod* queued = attempt.queued.get()) {
    numbers.attempt = queued->attempts;
    numbers.gated = queued->gated_count;
    numbers.added_unix_ns = queued->timestamp;
    numbers.woken_unix_ns = queued->wakeup.unix_ns;
  }
  return numbers;
}

std::string_view DecisionRecorder::Rejectors(const cycle::CycleResult& result) {
  rejectors_.clear();
  const auto add = [&](base::Id plugin) {
    if (!rejectors_.empty()) rejectors_ += '\n';
    rejectors_ += intern_.ids.Text(plugin);
  };
  for (base::Id plugin : result.unschedulable_plugins) add(plugin);
  for (base::Id plugin : result.pending_plugins) {
    if (!result.unschedulable_plugins.Contains(plugin)) add(plugin);
  }
  return rejectors_;
}

}  // namespace berth::engine

#include "scheduler/cycle/scheduling_cycle.h"

#include <algorithm>
#include <span>
#include <string>

#include "base/text.h"
#include "telemetry/log/log.h"

namespace berth::cycle {

void SchedulingCycle::set_extenders(const framework::ExtenderList& extenders) {
  extenders_ = extenders.empty() ? nullptr : std::make_unique<ExtenderSteps>(cache_, reasons_, extenders);
  score_.set_total_without_plugins(extenders.empty() ? 1 : 0);
}

void SchedulingCycle::Run(const framework::CycleContext& ctx, CycleResult& result) {
  Diagnosis diagnosis;
  SchedulePod(ctx, result, diagnosis);
  if (result.outcome != Outcome::kFitError) return;
  result.nominating.mode = queue::NominatingMode::kOverride;
  if (!ctx.profile.At(plugin::Point::kPostFilter).empty()) RunPostFilterPlugins(ctx, diagnosis, result);
  result.message = diagnosis.fit_error.Text();
  result.rejected_nodes = std::move(diagnosis.fit_error.histogram);
  result.status = plugin::Status{plugin::Code::kUnschedulable, base::kNoId, {result.message}};
}

void SchedulingCycle::Preview(const framework::CycleContext& ctx, CycleResult& result) {
  std::unique_ptr<ExtenderSteps> extenders = std::move(extenders_);
  Diagnosis diagnosis;
  SchedulePod(ctx, result, diagnosis);
  extenders_ = std::move(extenders);
}

void SchedulingCycle::FailWith(plugin::Status status, CycleResult& result) {
  result.outcome = Outcome::kError;
  result.message = status.Message();
  result.status = std::move(status);
  result.nominating.mode = queue::NominatingMode::kOverride;  // upstream's clearNominatedNode
}

// Source: schedulePod.
void SchedulingCycle::SchedulePod(const framework::CycleContext& ctx, CycleResult& result, Diagnosis& diagnosis) {
  constexpr int64_t kSlowNs = 100 * base::kMillisecond;
  log::StepTrace trace(clock_, "Scheduling");
  FindHost(ctx, result, diagnosis, trace);
  if (!trace.EndsLong(kSlowNs)) return;
  trace.Log(kSlowNs, {{"namespace", cache_.intern().ids.Text(ctx.pod.abi.ns)}, {"name", ctx.pod.name()}});
}

void SchedulingCycle::FindHost(const framework::CycleContext& ctx, CycleResult& result, Diagnosis& diagnosis,
                               log::StepTrace& trace) {
  BeginSearch(ctx);
  if (cache_.n_nodes() == 0) {
    result.outcome = Outcome::kNoNodes;
    result.message = "no nodes available to schedule pods";
    result.status = plugin::Status{plugin::Code::kUnresolvable, base::kNoId, {result.message}};
    result.nominating.mode = queue::NominatingMode::kOverride;
    return;
  }
  ChooseHost(ctx, result, diagnosis, trace);
  if (ctx.record != RecordNodes::kNone) FillRecords(ctx, result);
  // After an error some plugins have not judged the nodes.
  if (ctx.table != nullptr && result.outcome != Outcome::kError) result.table = FillTable(ctx, result, diagnosis);
}

void SchedulingCycle::BeginSearch(const framework::CycleContext& ctx) {
  examined_.Resize(cache_.capacity());
  examined_.Reset();
  nominated_rejection_ = {};
  if (extenders_ != nullptr) extenders_->Begin();
  if (ctx.table != nullptr) ctx.table->Begin(cache_.capacity());
}

void SchedulingCycle::ChooseHost(const framework::CycleContext& ctx, CycleResult& result, Diagnosis& diagnosis,
                                 log::StepTrace& trace) {
  plugin::Status status = FindNodesThatFitPod(ctx, result, diagnosis);
  if (!status.ok()) return FailWith(std::move(status), result);
  trace.Step("Computing predicates done");
  if (result.feasible_nodes == 0) {
    result.outcome = Outcome::kFitError;
    return;
  }
  if (result.feasible_nodes == 1 || ctx.preview) {
    filter_.feasible().ForEach([&](uint32_t row) { result.row = row; });
    result.ties = 1;  // a preview takes any node
  } else {
    status = PrioritizeNodes(ctx);
    if (!status.ok()) return FailWith(std::move(status), result);
    SelectHost(result);
    trace.Step("Prioritizing done");
  }
  result.outcome = Outcome::kChosen;
  result.node_name = cache_.node(result.row)->name;
}

// Source: prioritizeNodes.
plugin::Status SchedulingCycle::PrioritizeNodes(const framework::CycleContext& ctx) {
  const base::Bitmap& feasible = filter_.feasible();
  plugin::Status status = score_.RunPreScorePlugins(ctx, feasible);
  if (!status.ok()) return status;
  status = score_.RunScorePlugins(ctx, feasible);
  if (status.ok() && extenders_ != nullptr) {
    extenders_->Prioritize(ctx.pod, feasible, score_.TotalsByRow(feasible), ctx.keeps_scores());
  }
  return status;
}

// Source: the end of schedulePod, which was the function selectHost in earlier releases.
void SchedulingCycle::SelectHost(CycleResult& result) {
  const base::Bitmap& feasible = filter_.feasible();
  const framework::Best best = score_.FindBest(feasible);
  const uint32_t k = best.ties == 1 ? 0 : static_cast<uint32_t>(random_.Below(best.ties));
  result.ties = best.ties;
  result.row = score_.NthBest(feasible, best.total, k);
}

void SchedulingCycle::RunPostFilterPlugins(const framework::CycleContext& ctx, Diagnosis& diagnosis,
                                           CycleResult& result) {
  FillVerdicts();
  const plugin::Status& absent = diagnosis.absent_nodes;
  const berth_diagnosis view{sizeof view,
                             0,
                             verdicts_.data(),
                             {static_cast<uint8_t>(absent.code), {0, 0, 0}, reasons_.Intern(absent.reasons)}};
  trials_.Begin(filter_.GroundFor(ctx, pre_filter_.skip(), nominated_));
  framework::PostFilterResult done = framework::RunPostFilterPlugins(ctx, view);
  trials_.End();
  constexpr const char* kLine = "Status after running PostFilter plugins for pod";
  if (done.status.code == plugin::Code::kError) {
    log::Error(kLine, {{"pod", log::KObj(ctx.pod.key())}, {"status", done.status.Message()}});
  } else if (log::LogEnabled(5)) {
    log::V(5, kLine, {{"pod", log::KObj(ctx.pod.key())}, {"status", done.status.Message()}});
  }
  diagnosis.fit_error.post_filter_message = done.status.Message();
  result.nominating.mode = done.nominates ? queue::NominatingMode::kOverride : queue::NominatingMode::kNoop;
  result.nominating.node = done.node;
  if (ctx.table != nullptr && done.nominates && extenders_ == nullptr) NoteVictims(done.node, result);
}

void SchedulingCycle::NoteVictims(base::Id node, CycleResult& result) const {
  const std::span<const framework::LeftOut> victims = trials_.left_out().Of(cache_.RowOf(node));
  result.n_victims = static_cast<uint32_t>(victims.size());
  const base::InternTable& ids = cache_.intern().ids;
  for (const auto& [pod, row, rejection] : victims.first(std::min(victims.size(), decisions::kMaxVictims))) {
    decisions::Victim& victim = result.victims.emplace_back();
    victim.pod = std::string(ids.Text(pod->ns)) + "/" + std::string(pod->name.ptr, pod->name.len);
    victim.priority = pod->priority;
    if (rejection.plugin == nullptr) continue;
    victim.plugin = rejection.plugin->name();
    victim.reason = base::Join(reasons_.Texts(rejection.verdict.reasons), ", ");
  }
}

// The status of every examined node, by row. The status of an extender replaces that of a plugin.
void SchedulingCycle::FillVerdicts() {
  verdicts_.assign(cache_.capacity(), berth_verdict{});
  filter_.ForEachRejection(
      examined_, [&](uint32_t row, const framework::Rejection& rejection) { verdicts_[row] = rejection.verdict; });
  if (nominated_rejection_.plugin != nullptr && !examined_.Test(nominated_row_)) {
    verdicts_[nominated_row_] = nominated_rejection_.verdict;
  }
  if (extenders_ == nullptr) return;
  for (const auto& [row, rejection] : extenders_->rejections()) verdicts_[row] = rejection.verdict;
}

bool SchedulingCycle::Assume(const api::PodRef& pod, CycleResult& result) {
  if (auto assumed = cache_.Assume(pod); !assumed) {
    log::Error("Scheduler cache AssumePod failed", {{"err", assumed.error().message}});
    FailWith(plugin::ErrorStatus(assumed.error().message), result);
    return false;
  }
  queue_.DeleteNominatedPodIfExists(pod->uid());
  return true;
}

void SchedulingCycle::ReserveAndPermit(const framework::CycleContext& ctx, base::Id node, CycleResult& result,
                                       std::vector<std::pair<plugin::Instance*, int64_t>>& waits) {
  plugin::Status status = framework::RunReservePlugins(ctx, node);
  if (status.ok()) {
    framework::PermitResult permit = framework::RunPermitPlugins(ctx, node);
    waits = std::move(permit.waits);
    if (permit.status.ok() || permit.status.code == plugin::Code::kWait) return;
    status = std::move(permit.status);
  }
  framework::RunUnreservePlugins(ctx, node);
  FailAfterAssume(std::move(status), result);
}

void SchedulingCycle::FailAfterAssume(plugin::Status status, CycleResult& result) {
  if (!status.rejected()) return FailWith(std::move(status), result);
  result.outcome = Outcome::kFitError;
  result.unschedulable_plugins.Clear();  // PreFilter plugins that limited the nodes did not reject the pod
  result.pending_plugins.Clear();
  result.unschedulable_plugins.Insert(status.plugin);
  if (status.code == plugin::Code::kPending) result.pending_plugins.Insert(status.plugin);
  result.message = OneNodeFitError(status);
  result.status = plugin::Status{status.code, status.plugin, {result.message}};
  result.nominating.mode = queue::NominatingMode::kOverride;
}

}  // namespace berth::cycle

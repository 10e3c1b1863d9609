#include "cycle/scheduling_cycle.h"

#include <algorithm>
#include <cstring>

#include "framework/score_math.h"
#include "log/log.h"

namespace berth::cycle {

void CycleResult::Reset() {
  outcome = Outcome::kError;
  status = {};
  message.clear();
  row = cache::kNoRow;
  node_name.clear();
  ties = evaluated_nodes = feasible_nodes = 0;
  unschedulable_plugins.Clear();
  pending_plugins.Clear();
  nominating = {};
  nodes.clear();
}

uint32_t NumFeasibleNodesToFind(int32_t percentage, uint32_t n) {
  constexpr uint32_t kMinFeasible = 100;
  if (percentage <= 0 || percentage >= 100 || n < kMinFeasible) return n;
  const uint32_t found = static_cast<uint32_t>(uint64_t{n} * static_cast<uint32_t>(percentage) / 100);
  return std::max(found, kMinFeasible);
}

std::string OneNodeFitError(const plugin::Status& status) {
  framework::FitError error;
  error.num_all_nodes = 1;
  for (const std::string& reason : status.reasons) ++error.histogram[reason];
  return error.Text();
}

void SchedulingCycle::set_extenders(const framework::ExtenderList& extenders) {
  extenders_ = extenders.empty() ? nullptr : std::make_unique<ExtenderSteps>(cache_, reasons_, extenders);
  score_.set_total_without_plugins(extenders.empty() ? 1 : 0);
}

void SchedulingCycle::Choose(framework::Profile& profile, berth_cycle& cycle, const api::Pod& pod, RecordNodes record,
                             CycleResult& result) {
  examined_.Resize(cache_.capacity());
  examined_.Reset();
  nominated_rejection_ = {};
  if (extenders_ != nullptr) extenders_->Begin();
  if (cache_.n_nodes() == 0) {
    result.outcome = Outcome::kNoNodes;
    result.message = "no nodes available to schedule pods";
    result.status = plugin::Status{plugin::Code::kUnresolvable, base::kNoId, {result.message}};
    result.nominating.mode = queue::NominatingMode::kOverride;
    return;
  }
  FindNodes(profile, cycle, pod, result);
  if (result.outcome == Outcome::kChosen) Pick(profile, cycle, pod, record, result);
  if (record != RecordNodes::kNone) FillRecords(record, result);
}

void SchedulingCycle::FailWith(plugin::Status status, CycleResult& result) {
  result.outcome = Outcome::kError;
  result.message = status.Message();
  result.status = std::move(status);
  result.nominating.mode = queue::NominatingMode::kOverride;  // to no node: the nomination is cleared
}

void SchedulingCycle::FindNodes(framework::Profile& profile, berth_cycle& cycle, const api::Pod& pod,
                                CycleResult& result) {
  framework::FitError error;
  error.num_all_nodes = cache_.n_nodes();
  plugin::Status absent{plugin::Code::kUnresolvable, base::kNoId, {}};

  plugin::Status status = pre_filter_.Run(profile, cycle, pod.abi);
  // A plugin that says that no node will ever do is alone to blame, whoever narrowed the choice before.
  const bool one_to_blame = status.code == plugin::Code::kUnresolvable && status.plugin != base::kNoId;
  if (!one_to_blame) {
    for (const plugin::Instance* plugin : pre_filter_.narrowed_by())
      result.unschedulable_plugins.Insert(plugin->name_id());
  }
  if (!status.ok() && !status.rejected()) return FailWith(std::move(status), result);
  GatherNominated(pod);
  if (status.rejected()) {
    error.pre_filter_message = status.Message();
    if (status.plugin != base::kNoId) result.unschedulable_plugins.Insert(status.plugin);
    filter_.Clear();
    return PostFilter(profile, cycle, pod, status, error, result);
  }
  if (TryNominatedNode(profile, cycle, pod)) {
    result.outcome = Outcome::kChosen;
    result.evaluated_nodes = result.feasible_nodes = 1;
    return;
  }
  if (pre_filter_.narrowed()) absent.reasons = {pre_filter_.AbsentReason(nominated_rejection_.plugin)};
  status = Filter(profile, cycle, pod, pre_filter_.candidates());
  if (!status.ok()) return FailWith(std::move(status), result);
  Sample(profile, pre_filter_.candidates());
  if (extenders_ != nullptr) {
    if (status = AskExtenders(profile, pod, result); !status.ok()) return FailWith(std::move(status), result);
  }
  result.feasible_nodes = static_cast<uint32_t>(filter_.feasible().Count());
  result.evaluated_nodes = static_cast<uint32_t>(examined_.Count());
  if (result.feasible_nodes > 0) {
    result.outcome = Outcome::kChosen;
    return;
  }
  const uint64_t recorded = Diagnose(error, result);
  if (recorded < cache_.n_nodes()) {
    for (const std::string& reason : absent.reasons) error.histogram[reason] += cache_.n_nodes() - recorded;
  }
  PostFilter(profile, cycle, pod, absent, error, result);
}

// The node that an earlier preemption made room on is tried alone first. A fault on it is not the pod's end: the search
// over all nodes follows.
bool SchedulingCycle::TryNominatedNode(framework::Profile& profile, berth_cycle& cycle, const api::Pod& pod) {
  if (pod.abi.nominated_node == base::kNoId) return false;
  const std::string_view node = cache_.words().ids.Text(pod.abi.nominated_node);
  const auto failed = [&](std::string why) {
    log::Error("Evaluation failed on nominated node",
               {{"err", std::move(why)}, {"pod", pod.key()}, {"node", std::string(node)}});
    return false;
  };
  const uint32_t row = cache_.RowOf(pod.abi.nominated_node);
  if (row == cache::kNoRow) return failed("nodeinfo not found for node name \"" + std::string(node) + "\"");
  base::Bitmap only(cache_.capacity());
  only.Set(row);
  if (const plugin::Status status = Filter(profile, cycle, pod, only); !status.ok()) return failed(status.Message());
  if (extenders_ != nullptr) {
    if (const plugin::Status status = extenders_->Filter(pod, filter_.feasible()); !status.ok()) {
      return failed(status.Message());
    }
  }
  if (filter_.feasible().Any()) return true;
  nominated_rejection_ = filter_.RejectionOf(row);
  nominated_row_ = row;
  return false;
}

plugin::Status SchedulingCycle::Filter(framework::Profile& profile, berth_cycle& cycle, const api::Pod& pod,
                                       const base::Bitmap& candidates) {
  plugin::Status status = filter_.Run(profile, cycle, pod.abi, pre_filter_.skip(), candidates, nominated_);
  examined_ = candidates;
  return status;
}

// Whom extenders have cost a node, any event of the cluster may help: they tell nothing of what would.
plugin::Status SchedulingCycle::AskExtenders(framework::Profile& profile, const api::Pod& pod, CycleResult& result) {
  const size_t before = filter_.feasible().Count();
  plugin::Status status = extenders_->Filter(pod, filter_.feasible());
  if (filter_.feasible().Count() != before) result.unschedulable_plugins.Insert(profile.extender_name_id());
  return status;
}

void SchedulingCycle::GatherNominated(const api::Pod& pod) {
  nominated_.Clear();
  queue_.nominator().ForEachNode([&](base::Id node) {
    const uint32_t row = cache_.RowOf(node);
    if (row == cache::kNoRow) return;
    queue_.NominatedPodsForNode(node, nominated_pods_);
    std::erase_if(nominated_pods_,
                  [&](const api::PodRef& n) { return n->abi.priority < pod.abi.priority || n->uid == pod.uid; });
    if (!nominated_pods_.empty()) nominated_.Add(row, nominated_pods_);
  });
  nominated_.Sort();
}

// With percentageOfNodesToScore: the search begins where the last one ended and stops at enough feasible nodes.
void SchedulingCycle::Sample(const framework::Profile& profile, const base::Bitmap& candidates) {
  const uint32_t n = static_cast<uint32_t>(candidates.Count());
  uint32_t wanted = NumFeasibleNodesToFind(profile.percentage_of_nodes_to_score(), n);
  const bool extenders_care = extenders_ != nullptr && (extenders_->may_filter() || extenders_->may_score());
  if (profile.At(plugin::Point::kScore).empty() && !extenders_care) wanted = 1;  // nothing could tell two of them apart
  if (filter_.feasible().Count() > wanted) {
    const std::vector<uint32_t>& order = cache_.order();
    base::Bitmap kept(cache_.capacity()), seen(cache_.capacity());
    uint32_t found = 0;
    for (size_t i = 0; i < order.size() && found < wanted; ++i) {
      const uint32_t row = order[(next_start_ + i) % order.size()];
      if (!candidates.Test(row)) continue;
      seen.Set(row);
      if (!filter_.feasible().Test(row)) continue;
      kept.Set(row);
      ++found;
    }
    filter_.feasible() = kept;
    examined_ = seen;
  }
  next_start_ = static_cast<uint32_t>((next_start_ + examined_.Count()) % cache_.n_nodes());
}

void SchedulingCycle::Pick(framework::Profile& profile, berth_cycle& cycle, const api::Pod& pod, RecordNodes record,
                           CycleResult& result) {
  const base::Bitmap& feasible = filter_.feasible();
  if (result.feasible_nodes == 0) result.feasible_nodes = static_cast<uint32_t>(feasible.Count());
  if (result.feasible_nodes == 1) {
    feasible.ForEach([&](uint32_t row) { result.row = row; });
    result.ties = 1;
  } else {
    plugin::Status status = score_.Run(profile, cycle, pod.abi, feasible, record != RecordNodes::kNone);
    if (!status.ok()) return FailWith(std::move(status), result);
    if (extenders_ != nullptr) {
      extenders_->Prioritize(pod, feasible, score_.totals(), record != RecordNodes::kNone);
    }
    const framework::Best best = framework::FindBest(score_.totals().data(), feasible);
    result.ties = best.ties;
    const uint32_t k = best.ties == 1 ? 0 : static_cast<uint32_t>(random_.Below(best.ties));
    result.row = framework::NthBest(score_.totals().data(), feasible, best.total, k);
  }
  result.node_name = cache_.node(result.row)->name;
}

void SchedulingCycle::NoteRejection(const framework::Rejection& rejection, CycleResult& result) const {
  result.unschedulable_plugins.Insert(rejection.plugin->name_id());
  if (rejection.verdict.code == BERTH_PENDING) result.pending_plugins.Insert(rejection.plugin->name_id());
}

// Counts by reason list first: lists are few, nodes are many. Answers how many nodes have a verdict of their own. What
// an extender says of a node replaces what a plugin has said.
uint64_t SchedulingCycle::Diagnose(framework::FitError& error, CycleResult& result) {
  std::map<uint32_t, uint64_t> lists;
  uint64_t recorded = 0;
  framework::Rejection last;
  uint64_t* nodes = nullptr;  // of its list, as soon as one counts
  auto count = [&](uint32_t row, const framework::Rejection& rejection) {
    if (rejection.plugin != last.plugin || std::memcmp(&rejection.verdict, &last.verdict, sizeof last.verdict) != 0) {
      NoteRejection(rejection, result);
      last = rejection;
      nodes = nullptr;
    }
    if (extenders_ != nullptr && extenders_->RefusalOf(row) != nullptr) return;
    if (nodes == nullptr) nodes = &lists[rejection.verdict.reasons];
    ++*nodes;
    ++recorded;
  };
  filter_.ForEachRejection(examined_, count);
  // The nominated node keeps its verdict when PreFilter's narrowing left it out of the search that followed.
  if (nominated_rejection_.plugin != nullptr && !examined_.Test(nominated_row_)) {
    count(nominated_row_, nominated_rejection_);
  }
  if (extenders_ != nullptr) {
    for (const auto& [row, refusal] : extenders_->refusals()) ++lists[refusal.verdict.reasons];
    for (const auto& [name, reasons] : extenders_->foreign()) ++lists[reasons];
    recorded += extenders_->refusals().size() + extenders_->foreign().size();
  }
  for (const auto& [list, nodes] : lists) {
    for (const std::string& reason : reasons_.Texts(list)) error.histogram[reason] += nodes;
  }
  return recorded;
}

void SchedulingCycle::PostFilter(framework::Profile& profile, berth_cycle& cycle, const api::Pod& pod,
                                 const plugin::Status& absent, framework::FitError& error, CycleResult& result) {
  result.outcome = Outcome::kFitError;
  result.nominating.mode = queue::NominatingMode::kOverride;
  if (!profile.At(plugin::Point::kPostFilter).empty()) {
    verdicts_.assign(cache_.capacity(), berth_verdict{});
    filter_.ForEachRejection(
        examined_, [&](uint32_t row, const framework::Rejection& rejection) { verdicts_[row] = rejection.verdict; });
    if (nominated_rejection_.plugin != nullptr && !examined_.Test(nominated_row_)) {
      verdicts_[nominated_row_] = nominated_rejection_.verdict;
    }
    if (extenders_ != nullptr) {
      for (const auto& [row, refusal] : extenders_->refusals()) verdicts_[row] = refusal.verdict;
    }
    const berth_diagnosis diagnosis{sizeof diagnosis,
                                    0,
                                    verdicts_.data(),
                                    {static_cast<uint8_t>(absent.code), {0, 0, 0}, reasons_.Intern(absent.reasons)}};
    trials_.Begin(filter_.GroundFor(profile, cycle, pod.abi, pre_filter_.skip(), nominated_));
    framework::PostFilterResult done = framework::RunPostFilter(profile, cycle, pod.abi, diagnosis);
    trials_.End();
    constexpr const char* kLine = "Status after running PostFilter plugins for pod";
    if (done.status.code == plugin::Code::kError) {
      log::Error(kLine, {{"pod", pod.key()}, {"status", done.status.Message()}});
    } else if (log::LogEnabled(5)) {
      log::V(5, kLine, {{"pod", pod.key()}, {"status", done.status.Message()}});
    }
    error.post_filter_message = done.status.Message();
    result.nominating.mode = done.nominates ? queue::NominatingMode::kOverride : queue::NominatingMode::kNoop;
    result.nominating.node = done.node;
  }
  result.message = error.Text();
  result.status = plugin::Status{plugin::Code::kUnschedulable, base::kNoId, {result.message}};
}

void SchedulingCycle::FillRecords(RecordNodes record_nodes, CycleResult& result) {
  const bool scored = result.outcome == Outcome::kChosen && result.feasible_nodes > 1;
  for (uint32_t row : cache_.order()) {
    if (!examined_.Test(row) || (record_nodes == RecordNodes::kChosen && row != result.row)) continue;
    NodeRecord& record = result.nodes.emplace_back();
    record.name = cache_.node(row)->name;
    if (FillRejection(row, record) || !scored) continue;
    for (const framework::ScoreRecord& s : score_.records())
      record.scores.emplace_back(s.plugin->name(), s.weighted[row]);
    if (extenders_ != nullptr) {
      for (const ExtenderScores& s : extenders_->scores()) record.scores.emplace_back(*s.extender, s.weighted[row]);
    }
    record.total = score_.totals()[row];
  }
}

bool SchedulingCycle::FillRejection(uint32_t row, NodeRecord& record) const {
  if (extenders_ != nullptr && !filter_.feasible().Test(row)) {
    const ExtenderRefusal* refusal = extenders_->RefusalOf(row);
    if (refusal != nullptr) {
      record.verdict = static_cast<plugin::Code>(refusal->verdict.code);
      record.plugin = *refusal->extender;
      record.reasons = reasons_.Texts(refusal->verdict.reasons);
      return true;
    }
    if (const std::string* extender = extenders_->DroppedBy(row)) {
      record.verdict = plugin::Code::kUnresolvable;
      record.plugin = *extender;
      return true;
    }
  }
  const framework::Rejection rejection = filter_.RejectionOf(row);
  if (rejection.plugin == nullptr) return false;
  record.verdict = static_cast<plugin::Code>(rejection.verdict.code);
  record.plugin = rejection.plugin->name();
  record.reasons = reasons_.Texts(rejection.verdict.reasons);
  return true;
}

void SchedulingCycle::ReserveAndPermit(framework::Profile& profile, berth_cycle& cycle, const api::Pod& assumed,
                                       base::Id node, CycleResult& result,
                                       std::vector<std::pair<plugin::Instance*, int64_t>>& waits) {
  plugin::Status status = framework::RunReserve(profile, cycle, assumed.abi, node);
  if (status.ok()) {
    framework::PermitResult permit = framework::RunPermit(profile, cycle, assumed.abi, node);
    waits = std::move(permit.waits);
    if (permit.status.ok() || permit.status.code == plugin::Code::kWait) return;
    status = std::move(permit.status);
  }
  framework::RunUnreserve(profile, cycle, assumed.abi, node);
  if (!status.rejected()) return FailWith(std::move(status), result);
  result.outcome = Outcome::kFitError;
  result.unschedulable_plugins.Clear();  // those who narrowed the choice are not to blame
  result.pending_plugins.Clear();
  result.unschedulable_plugins.Insert(status.plugin);
  if (status.code == plugin::Code::kPending) result.pending_plugins.Insert(status.plugin);
  result.message = OneNodeFitError(status);
  result.status = plugin::Status{status.code, status.plugin, {result.message}};
  result.nominating.mode = queue::NominatingMode::kOverride;
}

}  // namespace berth::cycle

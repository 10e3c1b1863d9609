// The search for feasible nodes. Source: findNodesThatFitPod and the functions that it calls in
// pkg/scheduler/schedule_one.go.
#include <algorithm>

#include "scheduler/cycle/scheduling_cycle.h"
#include "telemetry/log/log.h"

namespace berth::cycle {

uint32_t NumFeasibleNodesToFind(int32_t percentage, uint32_t n) {
  constexpr uint32_t kMinFeasible = 100;  // minFeasibleNodesToFind
  if (percentage <= 0 || percentage >= 100 || n < kMinFeasible) return n;
  const uint32_t found = static_cast<uint32_t>(uint64_t{n} * static_cast<uint32_t>(percentage) / 100);
  return std::max(found, kMinFeasible);
}

// Leaves the feasible nodes in filter_. A rejection of all nodes is Success with result.feasible_nodes 0.
plugin::Status SchedulingCycle::FindNodesThatFitPod(const framework::CycleContext& ctx, CycleResult& result,
                                                    Diagnosis& diagnosis) {
  diagnosis.fit_error.num_all_nodes = cache_.n_nodes();
  plugin::Status status = RunPreFilterPlugins(ctx, result);
  if (!status.ok() && !status.rejected()) return status;
  CollectNominatedPods(ctx.pod);
  if (status.rejected()) {
    diagnosis.fit_error.pre_filter_message = status.Message();
    if (status.plugin != base::kNoId) result.unschedulable_plugins.Insert(status.plugin);
    filter_.Clear();
    diagnosis.absent_nodes = std::move(status);
    return {};
  }
  ctx.profile.times().AddCycleWithoutHint();
  if (!ctx.preview && EvaluateNominatedNode(ctx)) {
    result.evaluated_nodes = result.feasible_nodes = 1;
    return {};
  }
  if (pre_filter_.narrowed()) {
    diagnosis.absent_nodes.reasons = {pre_filter_.AbsentReason(nominated_rejection_.plugin)};
  }
  status = FindNodesThatPassFilters(ctx, pre_filter_.candidates());
  if (!status.ok()) return status;
  if (!ctx.preview) LimitFeasibleNodes(ctx, pre_filter_.candidates());
  if (extenders_ != nullptr) status = FindNodesThatPassExtenders(ctx, result);
  if (!status.ok()) return status;
  result.feasible_nodes = static_cast<uint32_t>(filter_.feasible().Count());
  result.evaluated_nodes = static_cast<uint32_t>(examined_.Count());
  if (result.feasible_nodes == 0) Diagnose(diagnosis, result);
  return {};
}

// Plugins that limited the nodes count as unschedulable plugins, unless one plugin rejects the pod on every node.
plugin::Status SchedulingCycle::RunPreFilterPlugins(const framework::CycleContext& ctx, CycleResult& result) {
  plugin::Status status = pre_filter_.RunPreFilterPlugins(ctx);
  if (status.code == plugin::Code::kUnresolvable && status.plugin != base::kNoId) return status;
  for (const plugin::Instance* plugin : pre_filter_.narrowed_by()) {
    result.unschedulable_plugins.Insert(plugin->name_id());
  }
  return status;
}

// The nominated node comes first, alone: an earlier preemption made room on it. After a failure the search continues
// with all nodes. Source: evaluateNominatedNode.
bool SchedulingCycle::EvaluateNominatedNode(const framework::CycleContext& ctx) {
  if (ctx.pod.abi.nominated_node == base::kNoId) return false;
  const std::string_view node = cache_.intern().ids.Text(ctx.pod.abi.nominated_node);
  const auto failed = [&](const std::string& why) {
    log::Error("Evaluation failed on nominated node",
               {{"err", why}, {"pod", log::KObj(ctx.pod.key())}, {"node", std::string(node)}});
    return false;
  };
  const uint32_t row = cache_.RowOf(ctx.pod.abi.nominated_node);
  if (row == cache::kNoRow) return failed("nodeinfo not found for node name \"" + std::string(node) + "\"");
  base::Bitmap only(cache_.capacity());
  only.Set(row);
  plugin::Status status = FindNodesThatPassFilters(ctx, only);
  if (status.ok() && extenders_ != nullptr) status = extenders_->Filter(ctx.pod, filter_.feasible());
  if (!status.ok()) return failed(status.Message());
  if (filter_.feasible().Any()) return true;
  nominated_rejection_ = filter_.RejectionOf(row);
  nominated_row_ = row;
  return false;
}

plugin::Status SchedulingCycle::FindNodesThatPassFilters(const framework::CycleContext& ctx,
                                                         const base::Bitmap& candidates) {
  plugin::Status status = filter_.RunFilterPlugins(ctx, pre_filter_.skip(), candidates, nominated_);
  examined_ = candidates;
  return status;
}

// An extender has no event hints: after it removed a node, every event of the cluster may make the pod schedulable.
plugin::Status SchedulingCycle::FindNodesThatPassExtenders(const framework::CycleContext& ctx, CycleResult& result) {
  const size_t before = filter_.feasible().Count();
  plugin::Status status = extenders_->Filter(ctx.pod, filter_.feasible());
  if (filter_.feasible().Count() != before) result.unschedulable_plugins.Insert(ctx.profile.extender_name_id());
  return status;
}

// Source: addNominatedPods in pkg/scheduler/framework/runtime/framework.go.
void SchedulingCycle::CollectNominatedPods(const api::Pod& pod) {
  nominated_.Clear();
  queue_.nominator().ForEachNode([&](base::Id node) {
    const uint32_t row = cache_.RowOf(node);
    if (row == cache::kNoRow) return;
    queue_.NominatedPodsForNode(node, nominated_pods_);
    std::erase_if(nominated_pods_,
                  [&](const api::PodRef& n) { return n->abi.priority < pod.abi.priority || n->uid() == pod.uid(); });
    if (!nominated_pods_.empty()) nominated_.Add(row, nominated_pods_);
  });
  nominated_.Sort();
}

// Keeps as many feasible nodes as percentageOfNodesToScore asks for, from next_start_ on in snapshot order. Source:
// the end of findNodesThatPassFilters and the update of nextStartNodeIndex.
void SchedulingCycle::LimitFeasibleNodes(const framework::CycleContext& ctx, const base::Bitmap& candidates) {
  const uint32_t n = static_cast<uint32_t>(candidates.Count());
  uint32_t wanted = NumFeasibleNodesToFind(ctx.profile.percentage_of_nodes_to_score(), n);
  const bool extenders_decide = extenders_ != nullptr && (extenders_->may_filter() || extenders_->may_score());
  if (ctx.profile.At(plugin::Point::kScore).empty() && !extenders_decide) wanted = 1;  // no score can differ
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

}  // namespace berth::cycle

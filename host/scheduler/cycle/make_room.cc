// Which pods would have to leave a node so that a pod that fits nowhere fits there: the algorithm of
// SelectVictimsOnNode (pkg/scheduler/framework/plugins/defaultpreemption), but for pods of every priority and without
// budgets, because the answer is for a person.
#include <algorithm>
#include <limits>

#include "scheduler/cycle/scheduling_cycle.h"

namespace berth::cycle {
namespace {

// The order in which pods come back: by priority, then by age.
bool MoreImportant(const berth_pod* a, const berth_pod* b) {
  const auto start = [](const berth_pod* pod) {
    return pod->start_unix_ns == BERTH_NO_TIME ? std::numeric_limits<int64_t>::max() : pod->start_unix_ns;
  };
  return a->priority != b->priority ? a->priority > b->priority : start(a) < start(b);
}

// At most n of the rows, from all parts of the list.
std::vector<uint32_t> SpreadSample(const std::vector<uint32_t>& rows, size_t n) {
  if (rows.size() <= n) return rows;
  std::vector<uint32_t> sample;
  for (size_t i = 0; i < n; ++i) sample.push_back(rows[i * rows.size() / n]);
  return sample;
}

bool Fits(framework::Trial& trial) {
  framework::Rejection rejection;
  return trial.RunFilterPluginsWithNominatedPods(rejection).ok() && rejection.plugin == nullptr;
}

bool RemoveAll(framework::Trial& trial, const std::vector<const berth_pod*>& pods) {
  return std::all_of(pods.begin(), pods.end(), [&](const berth_pod* pod) { return trial.Remove(*pod).ok(); });
}

}  // namespace

std::vector<uint32_t> SchedulingCycle::RowsForRoom(size_t most) {
  std::vector<uint32_t> rows;
  filter_.ForEachRejection(examined_, [&](uint32_t row, const framework::Rejection& rejection) {
    if (rejection.verdict.code == BERTH_UNSCHEDULABLE && !cache_.pods(row).empty()) rows.push_back(row);
  });
  return SpreadSample(rows, most);
}

// A pod of a DaemonSet, or a static pod, comes back to its node. A pod that is terminating leaves anyway.
std::vector<const berth_pod*> SchedulingCycle::PodsToLeave(const framework::CycleContext& ctx, uint32_t row) {
  const base::InternTable& ids = cache_.intern().ids;
  std::vector<const berth_pod*> leaving, movable, chosen;
  for (const berth_pod* pod : cache_.pod_views(row)) {
    const std::string_view owner = ids.Text(pod->controller->kind);
    if (pod->deletion_unix_ns != BERTH_NO_TIME) {
      leaving.push_back(pod);
    } else if (owner != "DaemonSet" && owner != "Node") {
      movable.push_back(pod);
    }
  }
  trials_.Begin(filter_.GroundFor(ctx, pre_filter_.skip(), nominated_));
  framework::Trial* trial = trials_.Open(row);
  bool works = trial != nullptr && RemoveAll(*trial, leaving) && RemoveAll(*trial, movable);
  if (works && Fits(*trial)) {
    std::stable_sort(movable.begin(), movable.end(), MoreImportant);
    for (const berth_pod* pod : movable) {
      works = works && trial->Add(*pod).ok();
      if (Fits(*trial)) continue;
      works = works && trial->Remove(*pod).ok();
      chosen.push_back(pod);
    }
  }
  trials_.End();
  if (!works) chosen.clear();
  return chosen;
}

}  // namespace berth::cycle

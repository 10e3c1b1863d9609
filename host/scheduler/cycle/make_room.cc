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

}  // namespace

Room SchedulingCycle::FindRoom(const framework::CycleContext& ctx, size_t most_rows) {
  std::vector<uint32_t> rows;
  filter_.ForEachRejection(examined_, [&](uint32_t row, const framework::Rejection& rejection) {
    if (rejection.verdict.code == BERTH_UNSCHEDULABLE && !cache_.pods(row).empty()) rows.push_back(row);
  });
  Room best;
  trials_.Begin(filter_.GroundFor(ctx, pre_filter_.skip(), nominated_));
  for (const uint32_t row : SpreadSample(rows, most_rows)) {
    std::vector<const berth_pod*> leave = PodsToLeave(row);
    if (leave.empty() || (!best.pods.empty() && leave.size() >= best.pods.size())) continue;
    best = {row, std::move(leave)};
  }
  trials_.End();
  return best;
}

// Empty: the pod does not fit even without all of them, or a plugin failed.
std::vector<const berth_pod*> SchedulingCycle::PodsToLeave(uint32_t row) {
  std::vector<const berth_pod*> pods = cache_.pod_views(row), leave;
  framework::Trial* trial = trials_.Open(row);
  if (trial == nullptr) return leave;
  bool works = std::all_of(pods.begin(), pods.end(), [&](const berth_pod* pod) { return trial->Remove(*pod).ok(); });
  if (works && Fits(*trial)) {
    std::stable_sort(pods.begin(), pods.end(), MoreImportant);
    for (const berth_pod* pod : pods) {
      works = works && trial->Add(*pod).ok();
      if (Fits(*trial)) continue;
      works = works && trial->Remove(*pod).ok();
      leave.push_back(pod);
    }
    if (!works) leave.clear();
  }
  trials_.Close(*trial);
  return leave;
}

}  // namespace berth::cycle

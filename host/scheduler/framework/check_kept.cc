// Calls a plugin again for a kept entry and compares the results. This finds plugins whose reuse declares too little
// (berthctl simulate --check). It costs one call for each plugin and pod, so it is off by default. The sums of kept
// scores are compared too.
#include "scheduler/framework/filter.h"
#include "scheduler/framework/score.h"
#include "scheduler/framework/score_math.h"

namespace berth::framework {
plugin::Status FilterRun::CheckKept(const CycleContext& ctx, plugin::Instance& plugin, const VerdictEntry& entry) {
  const uint32_t n = cache_.capacity();
  std::vector<berth_verdict> now(n + kGuardCells, berth_verdict{});
  RowCost cost;
  const berth_rows rows{sizeof rows, n, 0, 0, nullptr, cache_.live().words()};
  plugin::Status status = AskRows(
      plugin, "Filter", rows, now.data(), cost, nullptr, nullptr, [&](const berth_rows& part, berth_verdict* out) {
        return plugin.tables().filter->filter(plugin.raw(), &ctx.cycle, &ctx.pod.abi, &part, out);
      });
  cache_.live().ForEach([&](uint32_t row) {
    if (!status.ok() || SameVerdict(entry.verdicts[row], now[row], reasons_)) return;
    status = DiffersFromKept(plugin, "Filter", *cache_.node(row));
  });
  return status;
}

plugin::Status ScoreRun::CheckKept(const CycleContext& ctx, plugin::Instance& plugin, const ScoreEntry& entry) {
  const uint32_t n = cache_.capacity();
  std::vector<int64_t> now(n + kGuardCells, 0);
  RowCost cost;
  berth_status code = BERTH_SUCCESS;
  const berth_rows rows{sizeof rows, n, 0, 0, nullptr, cache_.live().words()};
  plugin::Status status =
      AskRows(plugin, "Score", rows, now.data(), cost, nullptr, &code, [&](const berth_rows& part, int64_t* out) {
        return plugin.tables().score->score(plugin.raw(), &ctx.cycle, &ctx.pod.abi, &part, out);
      });
  cache_.live().ForEach([&](uint32_t row) {
    if (!status.ok()) return;
    const int64_t kept = entry.uniform ? entry.uniform_score : entry.scores[row];
    if (kept != now[code == BERTH_UNIFORM ? 0 : row]) {
      status = DiffersFromKept(plugin, "Score", *cache_.node(row));
    };
  });
  return status;
}

plugin::Status ScoreRun::CheckTotals(const BlockTotals& totals, const base::Bitmap& feasible) const {
  std::vector<int64_t> plain(cache_.capacity(), 0);
  for (const TotalsPart& part : parts_) {
    const int64_t* const scores = part.entry->scores.data();
    if (part.scales) {
      AddNormalized(plain.data(), scores, MaxScore(scores, feasible), part.reverse, part.weight, feasible);
    } else {
      AddWeighted(plain.data(), scores, part.weight, feasible);
    }
  }
  const Best best = framework::FindBest(plain.data(), feasible), kept = totals.FindBest();
  bool equal = best.total == kept.total && best.ties == kept.ties;
  feasible.ForEach([&](uint32_t row) { equal = equal && plain[row] == totals.by_row()[row]; });
  return equal ? plugin::Status{} : plugin::ErrorStatus("the kept sums of scores differ from new ones");
}

}  // namespace berth::framework

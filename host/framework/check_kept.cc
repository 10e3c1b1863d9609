// Asks anew what a kept entry has answered and compares: a plugin that declares too little in its reuse gives itself
// away here (berthctl simulate --check). Costs a question per plugin and pod, so it is off otherwise.
#include "framework/filter.h"
#include "framework/score.h"

namespace berth::framework {
plugin::Status FilterRun::CheckKept(plugin::Instance& plugin, berth_cycle& cycle, const berth_pod& pod,
                                    const VerdictEntry& entry) {
  const uint32_t n = cache_.capacity();
  std::vector<berth_verdict> anew(n + kGuardCells, berth_verdict{});
  RowCost cost;
  const berth_rows rows{sizeof rows, n, 0, 0, nullptr, cache_.live().words()};
  plugin::Status status = AskRows(plugin, "Filter", rows, anew.data(), cost, nullptr, nullptr,
                                  [&](const berth_rows& part, berth_verdict* out) {
                                    return plugin.tables().filter->filter(plugin.raw(), &cycle, &pod, &part, out);
                                  });
  cache_.live().ForEach([&](uint32_t row) {
    if (!status.ok() || SameVerdict(entry.verdicts[row], anew[row], reasons_)) return;
    status = DiffersFromKept(plugin, "Filter", *cache_.node(row));
  });
  return status;
}

plugin::Status ScoreRun::CheckKept(plugin::Instance& plugin, berth_cycle& cycle, const berth_pod& pod,
                                   const ScoreEntry& entry) {
  const uint32_t n = cache_.capacity();
  std::vector<int64_t> anew(n + kGuardCells, 0);
  RowCost cost;
  berth_status code = BERTH_SUCCESS;
  const berth_rows rows{sizeof rows, n, 0, 0, nullptr, cache_.live().words()};
  plugin::Status status =
      AskRows(plugin, "Score", rows, anew.data(), cost, nullptr, &code, [&](const berth_rows& part, int64_t* out) {
        return plugin.tables().score->score(plugin.raw(), &cycle, &pod, &part, out);
      });
  cache_.live().ForEach([&](uint32_t row) {
    if (!status.ok()) return;
    const int64_t kept = entry.uniform ? entry.uniform_score : entry.scores[row];
    if (kept != anew[code == BERTH_UNIFORM ? 0 : row]) {
      status = DiffersFromKept(plugin, "Score", *cache_.node(row));
    };
  });
  return status;
}

}  // namespace berth::framework

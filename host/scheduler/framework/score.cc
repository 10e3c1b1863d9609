#include "scheduler/framework/score.h"

#include <algorithm>

#include "scheduler/framework/score_math.h"

namespace berth::framework {
namespace {

plugin::Status ScoreError(const plugin::Instance& plugin, const std::string& text) {
  return plugin::Status{plugin::Code::kError,
                        plugin.name_id(),
                        {"running Score plugins: plugin \"" + plugin.name() + "\" failed with: " + text}};
}

}  // namespace

plugin::Status ScoreRun::RunScorePlugins(const CycleContext& ctx, const base::Bitmap& feasible) {
  return TimedRun(ctx.profile.times(), ctx.trace, TimedPoint::kScore, [&] { return AskScore(ctx, feasible); });
}

plugin::Status ScoreRun::RunPreScorePlugins(const CycleContext& ctx, const base::Bitmap& feasible) {
  return TimedRun(ctx.profile.times(), ctx.trace, TimedPoint::kPreScore, [&] { return AskPreScore(ctx, feasible); });
}

plugin::Status ScoreRun::AskScore(const CycleContext& ctx, const base::Bitmap& feasible) {
  const auto& plugins = ctx.profile.At(plugin::Point::kScore);
  costs_.resize(std::max(costs_.size(), plugins.size()));
  BeginTotals();
  plugin::Status status;
  const size_t n_feasible = plugins.empty() ? 0 : feasible.Count();
  for (size_t i = 0; i < plugins.size() && status.ok(); ++i) {
    if (skip_[plugins[i]->index()] != 0) continue;
    ctx.profile.times().AddEvaluations(TimedPoint::kScore, i, n_feasible);
    status = RunPlugin(ctx, i, feasible);
  }
  if (plugins.empty()) for_all_ = total_without_plugins_;
  return status.ok() ? SumUp(ctx.profile, feasible) : status;
}

plugin::Status ScoreRun::AskPreScore(const CycleContext& ctx, const base::Bitmap& feasible) {
  records_.clear();
  skip_.assign(ctx.profile.slots(), 0);
  const berth_rows rows{sizeof rows, cache_.capacity(), 0, 0, nullptr, feasible.words()};
  ProfileTimes& times = ctx.profile.times();
  const auto& plugins = ctx.profile.At(plugin::Point::kPreScore);
  PluginLaps laps(times, TimedPoint::kPreScore, ctx.sampled);
  for (size_t i = 0; i < plugins.size(); ++i) {
    plugin::Instance* const plugin = plugins[i];
    const plugin::Status status = laps.Run(i, [&] {
      return plugin->Call("PreScore", [&] {
        return plugin->tables().pre_score->pre_score(plugin->raw(), &ctx.cycle, &ctx.pod.abi, &rows);
      });
    });
    if (status.code == plugin::Code::kSkip) {
      skip_[plugin->index()] = 1;
      continue;
    }
    times.AddEvaluations(TimedPoint::kPreScore, i, 1);
    if (!status.ok()) {
      return plugin::Status{plugin::Code::kError,
                            plugin->name_id(),
                            {"running PreScore plugin \"" + plugin->name() + "\": " + status.Message()}};
    }
  }
  return {};
}

plugin::Status ScoreRun::RunPlugin(const CycleContext& ctx, size_t i, const base::Bitmap& feasible) {
  plugin::Instance& plugin = *ctx.profile.At(plugin::Point::kScore)[i];
  const berth_score& table = *plugin.tables().score;
  Raw raw;
  ProfileTimes& times = ctx.profile.times();
  plugin::Status status = TimedCall(times, ctx.sampled, TimedPoint::kScore, i, [&] {
    return MayKeep(table.reuse) ? AskKept(ctx, i, raw) : AskFeasible(ctx, plugin, i, feasible, raw);
  });
  if (!status.ok()) return ScoreError(plugin, status.Message());
  if (table.normalize_kind == BERTH_NORMALIZE_CALL) {
    status = TimedCall(times, ctx.sampled, TimedPoint::kNormalizeScore, i,
                       [&] { return Normalize(ctx, plugin, feasible, raw); });
    if (!status.ok()) {
      return plugin::Status{
          plugin::Code::kError,
          plugin.name_id(),
          {"running Normalize on Score plugins: plugin \"" + plugin.name() + "\" failed with: " + status.Message()}};
    }
  }
  const int64_t weight = ctx.profile.ScoreWeight(i);
  if (!AddScores(plugin, raw, weight, feasible)) return OutOfRange(plugin, ByRow(raw), feasible);
  if (ctx.record != RecordNodes::kNone) Record(plugin, ByRow(raw), weight, feasible);
  if (ctx.table != nullptr) RecordInTable(*ctx.table, plugin, ByRow(raw), weight, feasible);
  return {};
}

plugin::Status ScoreRun::AskKept(const CycleContext& ctx, size_t i, Raw& raw) {
  plugin::Instance& plugin = *ctx.profile.At(plugin::Point::kScore)[i];
  if (plugin.quarantined()) return plugin.fault_record().Refusal();
  const berth_score& table = *plugin.tables().score;
  ScoreEntry& entry = ctx.profile.kept_scores(i).Get(ctx.pod.abi, table.reuse.pod_aspects);
  const Stale stale = stale_.Find(cache_, plugin.own_changes(), table.reuse, entry, stale_rows_);
  const uint32_t capacity = cache_.capacity();
  auto ask = [&](const berth_rows& part, int64_t* out) {
    return table.score(plugin.raw(), &ctx.cycle, &ctx.pod.abi, &part, out);
  };
  plugin::Status status;
  if (stale == Stale::kEverything) {
    entry.scores.resize(capacity + kGuardCells);
    const berth_rows rows{sizeof rows, EndOfRows(cache_.live()), 0, 0, nullptr, cache_.live().words()};
    berth_status code = BERTH_SUCCESS;
    status = AskRows(plugin, "Score", rows, entry.scores.data(), costs_[i], workers_, &code, ask);
    std::fill_n(entry.scores.data() + rows.n, kGuardCells, 0);  // reports read the cells of later rows too
    KeepAll(entry, code == BERTH_UNIFORM, cache_.live());
    first_use_ = first_use_ || !entry.uniform;
  } else if (stale == Stale::kSomeRows) {
    const uint32_t n = static_cast<uint32_t>(stale_rows_.size());
    ReserveDense();
    std::fill_n(dense_.begin(), n, 0);
    const berth_rows rows{sizeof rows, n, 0, 0, stale_rows_.data(), cache_.live().words()};
    berth_status code = BERTH_SUCCESS;
    status = AskRows(plugin, "Score", rows, dense_.data(), costs_[i], workers_, &code, ask);
    if (code == BERTH_UNIFORM) std::fill(dense_.begin(), dense_.begin() + n, int64_t{dense_[0]});
    KeepSome(entry);
  }
  if (status.ok() && check_kept_ && stale != Stale::kEverything) status = CheckKept(ctx, plugin, entry);
  if (!status.ok()) entry.fresh = true;
  raw = {entry.uniform, entry.uniform_score, entry.scores.data(), nullptr, &entry};
  return status;
}

// The scores of all live rows are new.
void ScoreRun::KeepAll(ScoreEntry& entry, bool uniform, const base::Bitmap& live) {
  entry.bounds = uniform ? ScoreBounds{entry.scores[0], entry.scores[0]} : BoundsOf(entry.scores.data(), live);
  entry.uniform = entry.bounds.least == entry.bounds.greatest;
  entry.uniform_score = entry.bounds.least;
  entry.changes.NoteAll();
}

void ScoreRun::KeepSome(ScoreEntry& entry) {
  const size_t n = stale_rows_.size();
  if (entry.uniform) {
    const auto same = [&](int64_t score) { return score == entry.uniform_score; };
    if (std::all_of(dense_.begin(), dense_.begin() + static_cast<ptrdiff_t>(n), same)) return;
    std::fill(entry.scores.begin(), entry.scores.begin() + entry.capacity, entry.uniform_score);
    entry.uniform = false;
    entry.changes.NoteAll();
  }
  for (size_t r = 0; r < n; ++r) {
    int64_t& score = entry.scores[stale_rows_[r]];
    if (score == dense_[r]) continue;
    score = dense_[r];
    entry.bounds.Add(score);
    entry.changes.Note(stale_rows_[r]);
  }
}

plugin::Status ScoreRun::AskFeasible(const CycleContext& ctx, plugin::Instance& plugin, size_t i,
                                     const base::Bitmap& feasible, Raw& raw) {
  const std::vector<uint32_t>& rows = listed_.Of(feasible);
  const uint32_t n = static_cast<uint32_t>(rows.size());
  ReserveDense();
  std::fill_n(dense_.begin(), n, 0);
  const berth_rows asked{sizeof asked, n, 0, 0, rows.data(), cache_.live().words()};
  berth_status code = BERTH_SUCCESS;
  plugin::Status status = AskRows(
      plugin, "Score", asked, dense_.data(), costs_[i], workers_, &code, [&](const berth_rows& part, int64_t* out) {
        return plugin.tables().score->score(plugin.raw(), &ctx.cycle, &ctx.pod.abi, &part, out);
      });
  raw = Listed();
  raw.uniform = code == BERTH_UNIFORM;
  raw.value = dense_[0];
  return status;
}

void ScoreRun::ReserveDense() {
  const size_t cells = cache_.capacity() + kGuardCells;
  if (dense_.size() < cells) dense_.resize(cells);
}

ScoreRun::Raw ScoreRun::Listed() {
  const std::vector<uint32_t>& rows = listed_.rows();
  const bool first_ones = rows.back() + 1 == rows.size();
  return {false, 0, first_ones ? dense_.data() : nullptr, dense_.data()};
}

plugin::Status ScoreRun::Normalize(const CycleContext& ctx, plugin::Instance& plugin, const base::Bitmap& feasible,
                                   Raw& raw) {
  const std::vector<uint32_t>& rows = listed_.Of(feasible);
  const uint32_t n = static_cast<uint32_t>(rows.size());
  if (raw.uniform || raw.listed == nullptr) {
    ReserveDense();
    for (uint32_t r = 0; r < n; ++r) dense_[r] = raw.uniform ? raw.value : raw.by_row[rows[r]];
  }
  SetGuard(dense_.data() + n);
  const berth_rows asked{sizeof asked, n, 0, 0, rows.data(), cache_.live().words()};
  plugin::Status status = plugin.Call("NormalizeScore", [&] {
    return plugin.tables().score->normalize(plugin.raw(), &ctx.cycle, &ctx.pod.abi, &asked, dense_.data());
  });
  if (!GuardIntact(dense_.data() + n)) return plugin.Fault("NormalizeScore", "wrote past the end of its answers");
  raw = Listed();
  // Often a plugin does not distinguish the feasible nodes, and then no sum depends on it.
  if (status.ok() && AllEqual(dense_.data(), n)) raw = {true, dense_[0]};
  return status;
}

}  // namespace berth::framework

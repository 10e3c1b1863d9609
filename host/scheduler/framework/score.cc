#include "scheduler/framework/score.h"

#include "scheduler/decisions/node_table_writer.h"
#include "scheduler/framework/score_math.h"

namespace berth::framework {
namespace {

plugin::Status ScoreError(const plugin::Instance& plugin, const std::string& text) {
  return plugin::Status{plugin::Code::kError,
                        plugin.name_id(),
                        {"running Score plugins: plugin \"" + plugin.name() + "\" failed with: " + text}};
}

// Whether the host normalizes the scores to 0..100.
bool Scales(const berth_score& table) {
  return table.normalize_kind == BERTH_NORMALIZE_DEFAULT || table.normalize_kind == BERTH_NORMALIZE_REVERSE;
}

// The lowest row of a set that is not empty.
uint32_t FirstOf(const base::Bitmap& rows) {
  size_t w = 0;
  while (rows.words()[w] == 0) ++w;
  return static_cast<uint32_t>(w * 64 + static_cast<size_t>(std::countr_zero(rows.words()[w])));
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
  totals_.resize(cache_.capacity());
  std::fill_n(totals_.begin(), EndOfRows(feasible), 0);
  for_all_ = 0;
  feasible_rows_known_ = false;
  plugin::Status status;
  const size_t n_feasible = plugins.empty() ? 0 : feasible.Count();
  for (size_t i = 0; i < plugins.size() && status.ok(); ++i) {
    if (skip_[plugins[i]->index()] != 0) continue;
    ctx.profile.times().AddEvaluations(TimedPoint::kScore, i, n_feasible);
    status = RunPlugin(ctx, i, feasible);
  }
  if (plugins.empty()) for_all_ = total_without_plugins_;
  if (status.ok() && for_all_ != 0) AddConstant(totals_.data(), for_all_, feasible);
  return status;
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
  const bool in_range =
      raw.uniform ? AddForAll(table, raw.value, weight, for_all_) : Add(table, raw, weight, feasible, totals_.data());
  if (!in_range) return OutOfRange(plugin, raw, feasible);
  if (ctx.record != RecordNodes::kNone) Record(plugin, raw, weight, feasible);
  if (ctx.table != nullptr) RecordInTable(*ctx.table, plugin, raw, weight, feasible);
  return {};
}

// Scores that need no arithmetic are written as they are. Those of rows that are not feasible do not matter.
void ScoreRun::RecordInTable(decisions::NodeTableWriter& writer, const plugin::Instance& plugin, const Raw& raw,
                             int64_t weight, const base::Bitmap& feasible) {
  const decisions::NodeTableWriter::Timed timed(writer);
  const berth_score& table = *plugin.tables().score;
  if (raw.uniform) {
    int64_t for_all = 0;
    AddForAll(table, raw.value, weight, for_all);
    return writer.AddUniformScores(plugin.name(), for_all, weight);
  }
  if (weight == 1 && !Scales(table)) return writer.AddScores(plugin.name(), {raw.by_row, EndOfRows(feasible)}, weight);
  weighted_.assign(cache_.capacity(), 0);
  Add(table, raw, weight, feasible, weighted_.data());
  writer.AddScores(plugin.name(), weighted_, weight);
}

void ScoreRun::Record(const plugin::Instance& plugin, const Raw& raw, int64_t weight, const base::Bitmap& feasible) {
  const berth_score& table = *plugin.tables().score;
  ScoreRecord& record = records_.emplace_back(ScoreRecord{&plugin, {}});
  record.weighted.assign(cache_.capacity(), 0);
  if (!raw.uniform) {
    Add(table, raw, weight, feasible, record.weighted.data());
    return;
  }
  int64_t for_all = 0;
  AddForAll(table, raw.value, weight, for_all);
  AddConstant(record.weighted.data(), for_all, feasible);
}

plugin::Status ScoreRun::AskKept(const CycleContext& ctx, size_t i, Raw& raw) {
  plugin::Instance& plugin = *ctx.profile.At(plugin::Point::kScore)[i];
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
    entry.uniform = code == BERTH_UNIFORM;
    entry.uniform_score = entry.scores[entry.uniform ? 0 : FirstOf(cache_.live())];
    entry.uniform = entry.uniform || AllEqual(entry.scores.data(), entry.uniform_score, cache_.live());
  } else if (stale == Stale::kSomeRows) {
    const uint32_t n = static_cast<uint32_t>(stale_rows_.size());
    dense_.assign(n + kGuardCells, 0);
    const berth_rows rows{sizeof rows, n, 0, 0, stale_rows_.data(), cache_.live().words()};
    berth_status code = BERTH_SUCCESS;
    status = AskRows(plugin, "Score", rows, dense_.data(), costs_[i], workers_, &code, ask);
    if (code == BERTH_UNIFORM) std::fill(dense_.begin(), dense_.begin() + n, int64_t{dense_[0]});
    const bool still_uniform = entry.uniform && std::all_of(dense_.begin(), dense_.begin() + n,
                                                            [&](int64_t s) { return s == entry.uniform_score; });
    if (!still_uniform) {
      if (entry.uniform) std::fill(entry.scores.begin(), entry.scores.begin() + capacity, entry.uniform_score);
      entry.uniform = false;
      for (uint32_t r = 0; r < n; ++r) entry.scores[stale_rows_[r]] = dense_[r];
    }
  }
  if (status.ok() && check_kept_ && stale != Stale::kEverything) status = CheckKept(ctx, plugin, entry);
  if (!status.ok()) entry.fresh = true;
  raw = {entry.uniform, entry.uniform_score, entry.scores.data()};
  return status;
}

plugin::Status ScoreRun::AskFeasible(const CycleContext& ctx, plugin::Instance& plugin, size_t i,
                                     const base::Bitmap& feasible, Raw& raw) {
  const std::vector<uint32_t>& rows = FeasibleRows(feasible);
  const uint32_t n = static_cast<uint32_t>(rows.size());
  dense_.assign(n + kGuardCells, 0);
  const berth_rows asked{sizeof asked, n, 0, 0, rows.data(), cache_.live().words()};
  berth_status code = BERTH_SUCCESS;
  plugin::Status status = AskRows(
      plugin, "Score", asked, dense_.data(), costs_[i], workers_, &code, [&](const berth_rows& part, int64_t* out) {
        return plugin.tables().score->score(plugin.raw(), &ctx.cycle, &ctx.pod.abi, &part, out);
      });
  if (code == BERTH_UNIFORM) {
    raw = {true, dense_[0], nullptr};
    return status;
  }
  by_row_.resize(cache_.capacity());
  for (uint32_t r = 0; r < n; ++r) by_row_[rows[r]] = dense_[r];
  raw = {false, 0, by_row_.data()};
  return status;
}

plugin::Status ScoreRun::Normalize(const CycleContext& ctx, plugin::Instance& plugin, const base::Bitmap& feasible,
                                   Raw& raw) {
  const std::vector<uint32_t>& rows = FeasibleRows(feasible);
  const uint32_t n = static_cast<uint32_t>(rows.size());
  dense_.resize(n + kGuardCells);
  for (uint32_t r = 0; r < n; ++r) dense_[r] = raw.uniform ? raw.value : raw.by_row[rows[r]];
  SetGuard(dense_.data() + n);
  const berth_rows asked{sizeof asked, n, 0, 0, rows.data(), cache_.live().words()};
  plugin::Status status = plugin.Call("NormalizeScore", [&] {
    return plugin.tables().score->normalize(plugin.raw(), &ctx.cycle, &ctx.pod.abi, &asked, dense_.data());
  });
  if (!GuardIntact(dense_.data() + n)) return plugin.Fault("NormalizeScore", "wrote past the end of its answers");
  by_row_.resize(cache_.capacity());
  for (uint32_t r = 0; r < n; ++r) by_row_[rows[r]] = dense_[r];
  raw = {false, 0, by_row_.data()};
  return status;
}

bool ScoreRun::Add(const berth_score& table, const Raw& raw, int64_t weight, const base::Bitmap& feasible,
                   int64_t* totals) {
  if (!Scales(table)) return AddWeighted(totals, raw.by_row, weight, feasible);
  const bool reverse = table.normalize_kind == BERTH_NORMALIZE_REVERSE;
  return AddNormalized(totals, raw.by_row, MaxScore(raw.by_row, feasible), reverse, weight, feasible);
}

bool ScoreRun::AddForAll(const berth_score& table, int64_t score, int64_t weight, int64_t& for_all) {
  if (Scales(table)) {
    score = NormalizeOne(score, std::max<int64_t>(score, 0), table.normalize_kind == BERTH_NORMALIZE_REVERSE);
  }
  for_all = static_cast<int64_t>(static_cast<uint64_t>(for_all) +
                                 static_cast<uint64_t>(score) * static_cast<uint64_t>(weight));
  return score >= kMinNodeScore && score <= kMaxNodeScore;
}

// Upstream's error about the first score that is out of range.
plugin::Status ScoreRun::OutOfRange(plugin::Instance& plugin, const Raw& raw, const base::Bitmap& feasible) const {
  const uint32_t kind = plugin.tables().score->normalize_kind;
  const bool scales = Scales(*plugin.tables().score);
  const int64_t max = !scales ? 0 : raw.uniform ? std::max<int64_t>(raw.value, 0) : MaxScore(raw.by_row, feasible);
  int64_t bad = raw.value;
  bool found = false;
  feasible.ForEach([&](uint32_t row) {
    if (found) return;
    int64_t score = raw.uniform ? raw.value : raw.by_row[row];
    if (scales) score = NormalizeOne(score, max, kind == BERTH_NORMALIZE_REVERSE);
    found = score < kMinNodeScore || score > kMaxNodeScore;
    bad = score;
  });
  return plugin.fault_record().Fail("Score", "applying score defaultWeights on Score plugins: plugin \"" +
                                                 plugin.name() + "\" returns an invalid score " + std::to_string(bad) +
                                                 ", it should in the range of [0, 100] after normalizing");
}

const std::vector<uint32_t>& ScoreRun::FeasibleRows(const base::Bitmap& feasible) {
  if (!feasible_rows_known_) {
    feasible_rows_.clear();
    feasible.ForEach([&](uint32_t row) { feasible_rows_.push_back(row); });
    feasible_rows_known_ = true;
  }
  return feasible_rows_;
}

}  // namespace berth::framework

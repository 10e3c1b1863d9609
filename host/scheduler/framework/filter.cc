#include "scheduler/framework/filter.h"

#include <algorithm>
#include <cstring>

#include "scheduler/framework/listed_verdicts.h"

namespace berth::framework {
namespace {

// If fewer than one row in kFewCandidates is feasible, calling the plugin for these rows is cheaper than updating the
// kept results of all rows.
constexpr size_t kFewCandidates = 8;

}  // namespace

plugin::Status FilterRun::RunFilterPlugins(const CycleContext& ctx, const std::vector<uint8_t>& skip,
                                           const base::Bitmap& candidates, const NominatedPods& nominated) {
  return TimedRun(ctx.profile.times(), ctx.trace, TimedPoint::kFilter,
                  [&] { return AskPlugins(ctx, skip, candidates, nominated); });
}

plugin::Status FilterRun::AskPlugins(const CycleContext& ctx, const std::vector<uint8_t>& skip,
                                     const base::Bitmap& candidates, const NominatedPods& nominated) {
  const auto& plugins = ctx.profile.At(plugin::Point::kFilter);
  scratch_.resize(std::max(scratch_.size(), plugins.size()));
  costs_.resize(std::max(costs_.size(), plugins.size()));
  Clear();
  answers_.assign(plugins.size(), nullptr);
  feasible_ = candidates;
  n_feasible_ = feasible_.Count();
  PluginLaps laps(ctx.profile.times(), TimedPoint::kFilter, ctx.sampled);
  for (size_t i = 0; i < plugins.size() && n_feasible_ > 0; ++i) {
    if (skip[plugins[i]->index()] != 0) continue;
    ctx.profile.times().AddEvaluations(TimedPoint::kFilter, i, n_feasible_);
    plugin::Status status = RunPlugin(ctx, i);
    // One measurement for all nodes; a plugin that left no node is reported as Unschedulable.
    laps.End(i, status.ok() && n_feasible_ == 0 ? plugin::Code::kUnschedulable : status.code);
    if (!status.ok()) return status;
  }
  if (nominated.rows().empty()) return {};
  const TrialGround ground = GroundFor(ctx, skip, nominated);
  for (const NominatedPods::OnRow& on : nominated.rows()) {
    if (!candidates.Test(on.row)) continue;
    plugin::Status status = RunFilterPluginsWithNominatedPods(ground, on);
    if (!status.ok()) return status;
  }
  return {};
}

void FilterRun::Clear() {
  stages_.clear();
  overrides_.clear();
  answers_.clear();
  feasible_.Reset();
}

TrialGround FilterRun::GroundFor(const CycleContext& ctx, const std::vector<uint8_t>& skip,
                                 const NominatedPods& nominated) {
  plan_.Make(ctx.profile, skip, answers_);
  return {&ctx.cycle, &ctx.pod.abi, &plan_, &nominated, check_kept_, ctx.table != nullptr};
}

plugin::Status FilterRun::RunPlugin(const CycleContext& ctx, size_t i) {
  plugin::Instance& plugin = *ctx.profile.At(plugin::Point::kFilter)[i];
  FilterStage stage{&plugin, nullptr, nullptr};
  const bool keep = MayKeep(plugin.tables().filter->reuse) && n_feasible_ * kFewCandidates >= cache_.n_nodes();
  plugin::Status status = keep ? AskKept(ctx, i, stage) : AskSurvivors(ctx, i, stage);
  if (!status.ok()) return FilterError(plugin, status.Message());
  stages_.push_back(stage);
  return Narrow(stage);
}

// Removes the rows that the plugin rejected.
plugin::Status FilterRun::Narrow(const FilterStage& stage) {
  uint64_t rejected = 0;
  for (size_t w = 0; w < feasible_.n_words(); ++w) rejected |= feasible_.words()[w] & ~stage.pass->words()[w];
  if (rejected == 0) return {};
  if (stage.has_error) {
    plugin::Status error = FirstError(stage);
    if (!error.ok()) return error;
  }
  feasible_.And(*stage.pass);
  n_feasible_ = feasible_.Count();
  return {};
}

plugin::Status FilterRun::AskKept(const CycleContext& ctx, size_t i, FilterStage& stage) {
  plugin::Instance& plugin = *stage.plugin;
  if (plugin.quarantined()) return plugin.fault_record().Refusal();
  const berth_filter& table = *plugin.tables().filter;
  VerdictEntry& entry = ctx.profile.kept_verdicts(i).Get(ctx.pod.abi, table.reuse.pod_aspects);
  if (entry.has_error) entry.fresh = true;
  Stale stale = stale_.Find(cache_, plugin.own_changes(), table.reuse, entry, rows_);
  stage.verdicts = nullptr;
  if (stale == Stale::kEverything) {
    const uint32_t n = EndOfRows(cache_.live());
    entry.has_error = false;
    entry.verdicts.resize(cache_.capacity() + kGuardCells);
    std::memset(entry.verdicts.data(), 0, n * sizeof(berth_verdict));
    entry.pass.Resize(cache_.capacity());
    entry.pass.SetAll();
    const berth_rows rows{sizeof rows, n, 0, 0, nullptr, cache_.live().words()};
    plugin::Status status = AskRows(plugin, "Filter", rows, entry.verdicts.data(), costs_[i], workers_, nullptr,
                                    [&](const berth_rows& part, berth_verdict* out) {
                                      return table.filter(plugin.raw(), &ctx.cycle, &ctx.pod.abi, &part, out);
                                    });
    if (status.ok()) status = ReadAnswers(plugin, entry);
    if (!status.ok()) {
      entry.fresh = true;
      return status;
    }
  } else if (stale == Stale::kSomeRows) {
    plugin::Status status = AskInto(ctx, plugin, rows_, entry.verdicts, entry.pass, entry.has_error, costs_[i]);
    if (!status.ok()) {
      entry.fresh = true;
      return status;
    }
  }
  stage.verdicts = entry.verdicts.data();
  stage.pass = &entry.pass;
  stage.has_error = entry.has_error;
  answers_[i] = entry.verdicts.data();
  return check_kept_ && stale != Stale::kEverything ? CheckKept(ctx, plugin, entry) : plugin::Status();
}

plugin::Status FilterRun::ReadAnswers(plugin::Instance& plugin, VerdictEntry& entry) {
  const base::Bitmap& live = cache_.live();
  uint64_t known = 0;  // the rejection that was checked last
  for (size_t w = 0; w < live.n_words(); ++w) {
    const size_t first = w * 64;
    if (first + 64 <= live.size()) {
      const Rejected64 found = FindRejected64(entry.verdicts.data() + first, known);
      if (!found.other) {
        entry.pass.words()[w] &= ~(found.rows & live.words()[w]);
        continue;
      }
    }
    for (uint64_t bits = live.words()[w]; bits != 0; bits &= bits - 1) {
      const auto row = static_cast<uint32_t>(first + static_cast<size_t>(std::countr_zero(bits)));
      if (entry.verdicts[row].code == BERTH_SUCCESS) continue;
      plugin::Status status = ReadAnswer(plugin, row, entry.verdicts[row], entry.pass, entry.has_error);
      if (!status.ok()) return status;
      known = BytesOf(entry.verdicts[row]);
    }
  }
  return {};
}

plugin::Status FilterRun::AskSurvivors(const CycleContext& ctx, size_t i, FilterStage& stage) {
  plugin::Instance& plugin = *stage.plugin;
  ListedAnswers& answers = scratch_[i];
  const std::vector<uint32_t>& rows = listed_.Of(feasible_);
  const uint32_t n = static_cast<uint32_t>(rows.size());
  if (answers.listed.size() < n + kGuardCells) answers.listed.resize(n + kGuardCells);
  if (answers.by_row.size() < cache_.capacity()) answers.by_row.resize(cache_.capacity());
  std::memset(answers.listed.data(), 0, n * sizeof(berth_verdict));
  answers.asked = feasible_;
  answers.pass.Resize(cache_.capacity());
  answers.pass.SetAll();
  answers.spread = false;
  const berth_rows asked{sizeof asked, n, 0, 0, rows.data(), cache_.live().words()};
  plugin::Status status =
      AskRows(plugin, "Filter", asked, answers.listed.data(), costs_[i], workers_, nullptr,
              [&](const berth_rows& part, berth_verdict* out) {
                return plugin.tables().filter->filter(plugin.raw(), &ctx.cycle, &ctx.pod.abi, &part, out);
              });
  if (status.ok()) {
    status =
        ReadListed(answers.asked, answers.listed.data(), answers.pass, [&](uint32_t row, const berth_verdict& one) {
          stage.has_error = stage.has_error || one.code == BERTH_ERROR;
          return CheckVerdict(plugin, *cache_.node(row), one, reasons_);
        });
  }
  stage.verdicts = answers.by_row.data();
  stage.pass = &answers.pass;
  stage.answers = &answers;
  return status;
}

void ListedAnswers::Spread() {
  if (spread) return;
  spread = true;
  const berth_verdict* verdict = listed.data();
  asked.ForEach([&](uint32_t row) {
    if (!pass.Test(row)) by_row[row] = *verdict;
    ++verdict;
  });
}

plugin::Status FilterRun::AskInto(const CycleContext& ctx, plugin::Instance& plugin, const std::vector<uint32_t>& rows,
                                  std::vector<berth_verdict>& verdicts, base::Bitmap& pass, bool& has_error,
                                  RowCost& cost) {
  const uint32_t n = static_cast<uint32_t>(rows.size());
  if (dense_.size() < n + kGuardCells) dense_.resize(n + kGuardCells);
  std::memset(dense_.data(), 0, n * sizeof(berth_verdict));
  const berth_rows asked{sizeof asked, n, 0, 0, rows.data(), cache_.live().words()};
  plugin::Status status = AskRows(
      plugin, "Filter", asked, dense_.data(), cost, workers_, nullptr, [&](const berth_rows& part, berth_verdict* out) {
        return plugin.tables().filter->filter(plugin.raw(), &ctx.cycle, &ctx.pod.abi, &part, out);
      });
  for (uint32_t i = 0; i < n && status.ok(); ++i) {
    verdicts[rows[i]] = dense_[i];
    pass.Set(rows[i]);
    if (dense_[i].code != BERTH_SUCCESS) status = ReadAnswer(plugin, rows[i], dense_[i], pass, has_error);
  }
  return status;
}

plugin::Status FilterRun::ReadAnswer(plugin::Instance& plugin, uint32_t row, const berth_verdict& verdict,
                                     base::Bitmap& pass, bool& has_error) {
  plugin::Status status = CheckVerdict(plugin, *cache_.node(row), verdict, reasons_);
  if (!status.ok()) return status;
  pass.Clear(row);
  has_error = has_error || verdict.code == BERTH_ERROR;
  return {};
}

// The first ERROR on a row that was feasible before this plugin.
plugin::Status FilterRun::FirstError(const FilterStage& stage) const {
  for (size_t w = 0; w < feasible_.n_words(); ++w) {
    for (uint64_t bits = feasible_.words()[w] & ~stage.pass->words()[w]; bits != 0; bits &= bits - 1) {
      const size_t row = w * 64 + static_cast<size_t>(std::countr_zero(bits));
      const berth_verdict& verdict = stage.VerdictOn(static_cast<uint32_t>(row));
      if (verdict.code != BERTH_ERROR) continue;
      return RowError(*stage.plugin, *cache_.node(static_cast<uint32_t>(row)), verdict, reasons_);
    }
  }
  return {};
}

Rejection FilterRun::RejectionOf(uint32_t row) const {
  const auto at = std::lower_bound(overrides_.begin(), overrides_.end(), row,
                                   [](const auto& one, uint32_t wanted) { return one.first < wanted; });
  if (at != overrides_.end() && at->first == row) return at->second;
  for (const FilterStage& stage : stages_) {
    if (!stage.pass->Test(row)) return {stage.plugin, stage.VerdictOn(row)};
  }
  return {};
}

// ---- nominated pods: the pod must also fit when they run on the row ----

plugin::Status FilterRun::RunFilterPluginsWithNominatedPods(const TrialGround& ground, const NominatedPods::OnRow& on) {
  Rejection rejection;
  trial_.Begin(ground, on.row);
  plugin::Status status = trial_.RunFilterPluginsWith(ground.nominated->Pods(on), rejection);
  trial_.End();
  if (!status.ok() || rejection.plugin == nullptr) return status;
  overrides_.emplace_back(on.row, rejection);
  feasible_.Clear(on.row);
  return {};
}

void FilterRun::MarkReasons(Profile& profile, std::vector<uint8_t>& keep) {
  for (size_t i = 0; i < profile.At(plugin::Point::kFilter).size(); ++i) {
    for (const VerdictEntry& entry : profile.kept_verdicts(i).entries()) {
      for (size_t row = 0; row < entry.pass.size(); ++row) {
        if (!entry.pass.Test(row) && entry.verdicts[row].reasons < keep.size()) keep[entry.verdicts[row].reasons] = 1;
      }
    }
  }
}

}  // namespace berth::framework

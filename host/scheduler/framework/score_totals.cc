// From the scores of each plugin to a total for each row, and to what reports say about both.
#include <algorithm>
#include <string>
#include <utility>

#include "scheduler/decisions/node_table_writer.h"
#include "scheduler/framework/score.h"
#include "scheduler/framework/score_math.h"

namespace berth::framework {
namespace {

int64_t PlusWeighted(int64_t total, int64_t score, int64_t weight) {
  return static_cast<int64_t>(static_cast<uint64_t>(total) +
                              static_cast<uint64_t>(score) * static_cast<uint64_t>(weight));
}

}  // namespace

// Whether the host normalizes the scores to 0..100.
bool ScoreRun::Scales(const berth_score& table) {
  return table.normalize_kind == BERTH_NORMALIZE_DEFAULT || table.normalize_kind == BERTH_NORMALIZE_REVERSE;
}

void ScoreRun::BeginTotals() {
  for_all_ = 0;
  loose_ = false;
  aside_.plugin = nullptr;
  parts_.clear();
  first_use_ = false;
  blocks_ = nullptr;
  by_row_changed_ = false;
}

bool ScoreRun::AddScores(plugin::Instance& plugin, const Raw& raw, int64_t weight, const base::Bitmap& feasible) {
  const berth_score& table = *plugin.tables().score;
  if (raw.uniform) return AddForAll(table, raw.value, weight, for_all_);
  const bool scales = Scales(table);
  if (raw.kept != nullptr && FitsPart(*raw.kept, scales)) {
    parts_.push_back({raw.kept, weight, scales, table.normalize_kind == BERTH_NORMALIZE_REVERSE});
    return true;
  }
  if (raw.listed != nullptr && !scales && aside_.plugin == nullptr) {
    SetAside(plugin, raw, weight);
    return true;
  }
  if (!loose_) {
    totals_.resize(cache_.capacity());
    std::fill_n(totals_.begin(), EndOfRows(feasible), 0);
    loose_ = true;
  }
  return raw.by_row != nullptr ? Add(table, raw, weight, feasible, totals_.data()) : AddListed(table, raw, weight);
}

// The answers in dense_ wait in memory of their own, so that the sum needs one loop instead of one for each plugin.
void ScoreRun::SetAside(plugin::Instance& plugin, const Raw& raw, int64_t weight) {
  aside_.plugin = &plugin;
  aside_.weight = weight;
  if (raw.by_row != nullptr) return dense_.swap(aside_.scores);
  if (aside_.scores.size() < dense_.size()) aside_.scores.resize(dense_.size());
  const std::vector<uint32_t>& rows = listed_.rows();
  for (size_t r = 0; r < rows.size(); ++r) aside_.scores[rows[r]] = raw.listed[r];
}

bool ScoreRun::Add(const berth_score& table, const Raw& raw, int64_t weight, const base::Bitmap& feasible,
                   int64_t* totals) {
  if (!Scales(table)) return AddWeighted(totals, raw.by_row, weight, feasible);
  const bool reverse = table.normalize_kind == BERTH_NORMALIZE_REVERSE;
  return AddNormalized(totals, raw.by_row, MaxScore(raw.by_row, feasible), reverse, weight, feasible);
}

bool ScoreRun::AddListed(const berth_score& table, const Raw& raw, int64_t weight) {
  const std::vector<uint32_t>& rows = listed_.rows();
  const size_t n = rows.size();
  const bool scales = Scales(table), reverse = table.normalize_kind == BERTH_NORMALIZE_REVERSE;
  const int64_t max = scales ? std::max<int64_t>(*std::max_element(raw.listed, raw.listed + n), 0) : 0;
  uint64_t highest = 0;  // as unsigned: above 100 for every value out of range
  for (size_t r = 0; r < n; ++r) {
    const int64_t score = scales ? NormalizeOne(raw.listed[r], max, reverse) : raw.listed[r];
    highest = std::max(highest, static_cast<uint64_t>(score));
    int64_t& total = totals_[rows[r]];
    total = PlusWeighted(total, score, weight);
  }
  return highest <= static_cast<uint64_t>(kMaxNodeScore);
}

bool ScoreRun::AddForAll(const berth_score& table, int64_t score, int64_t weight, int64_t& for_all) {
  if (Scales(table)) {
    score = NormalizeOne(score, std::max<int64_t>(score, 0), table.normalize_kind == BERTH_NORMALIZE_REVERSE);
  }
  for_all = PlusWeighted(for_all, score, weight);
  return score >= kMinNodeScore && score <= kMaxNodeScore;
}

plugin::Status ScoreRun::SumUp(Profile& profile, const base::Bitmap& feasible) {
  BlockTotals* kept = nullptr;
  if (!parts_.empty() || (!loose_ && aside_.plugin == nullptr)) {
    kept = &profile.kept_totals().Get(parts_, first_use_);
    kept->Update(parts_, feasible, first_use_);
  }
  const int64_t* const kept_sums = kept != nullptr ? kept->by_row().data() : nullptr;
  plugin::Status status;
  if (aside_.plugin != nullptr) {
    status = SumAside(kept_sums, feasible);
  } else if (loose_) {
    SumBlocks(totals_.data(), kept_sums, feasible, bests_);
  } else {
    blocks_ = kept;
  }
  return status.ok() && check_kept_ && kept != nullptr ? CheckTotals(*kept, feasible) : status;
}

plugin::Status ScoreRun::SumAside(const int64_t* kept, const base::Bitmap& feasible) {
  const int64_t* const scores = aside_.scores.data();
  bool in_range = true;
  if (loose_) {
    in_range = AddWeighted(totals_.data(), scores, aside_.weight, feasible);
    SumBlocks(totals_.data(), kept, feasible, bests_);
  } else {
    totals_.resize(cache_.capacity());
    in_range = bests_.Sum(totals_.data(), scores, aside_.weight, kept, feasible) <= uint64_t{kMaxNodeScore};
  }
  return in_range ? plugin::Status{} : OutOfRange(*aside_.plugin, {false, 0, scores}, feasible);
}

Best ScoreRun::FindBest(const base::Bitmap& feasible) const {
  if (blocks_ != nullptr) return blocks_->FindBest();
  return by_row_changed_ ? framework::FindBest(totals_.data(), feasible) : bests_.FindBest();
}

uint32_t ScoreRun::NthBest(const base::Bitmap& feasible, int64_t best, uint32_t k) const {
  if (blocks_ != nullptr) return blocks_->NthBest(best, k);
  return by_row_changed_ ? framework::NthBest(totals_.data(), feasible, best, k)
                         : bests_.NthBest(totals_.data(), best, k);
}

std::vector<int64_t>& ScoreRun::TotalsByRow(const base::Bitmap& feasible) {
  if (blocks_ != nullptr) {
    totals_.resize(cache_.capacity());
    std::copy_n(blocks_->by_row().begin(), EndOfRows(feasible), totals_.begin());
    blocks_ = nullptr;
  }
  by_row_changed_ = true;
  if (const int64_t constant = std::exchange(for_all_, 0); constant != 0) {
    AddConstant(totals_.data(), constant, feasible);
  }
  return totals_;
}

// ---- reports ----

ScoreRun::Raw ScoreRun::ByRow(const Raw& raw) {
  if (raw.uniform || raw.by_row != nullptr) return raw;
  by_row_.resize(cache_.capacity());
  const std::vector<uint32_t>& rows = listed_.rows();
  for (size_t r = 0; r < rows.size(); ++r) by_row_[rows[r]] = raw.listed[r];
  return {false, 0, by_row_.data()};
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

// Kept scores that need no arithmetic are written as they are. Others may be followed by guard cells or by scores of
// another plugin, which would make the column wide: weighted_ has 0 for every row that is not feasible.
void ScoreRun::RecordInTable(decisions::NodeTableWriter& writer, const plugin::Instance& plugin, const Raw& raw,
                             int64_t weight, const base::Bitmap& feasible) {
  const decisions::NodeTableWriter::Timed timed(writer);
  const berth_score& table = *plugin.tables().score;
  if (raw.uniform) {
    int64_t for_all = 0;
    AddForAll(table, raw.value, weight, for_all);
    return writer.AddUniformScores(plugin.name(), for_all, weight);
  }
  if (raw.kept != nullptr && weight == 1 && !Scales(table)) {
    return writer.AddScores(plugin.name(), {raw.by_row, EndOfRows(feasible)}, weight);
  }
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

}  // namespace berth::framework

// The table of nodes of an attempt, for the recorded decisions.
#include <algorithm>
#include <bit>
#include <cstring>

#include "base/text.h"
#include "scheduler/cycle/scheduling_cycle.h"

namespace berth::cycle {

using decisions::NodeTable;
using decisions::NodeTableWriter;

namespace {

// Word by word: most words are full or empty.
void MarkPassed(const base::Bitmap& rows, std::vector<int16_t>& verdicts) {
  for (size_t w = 0; w < rows.n_words(); ++w) {
    const uint64_t word = rows.words()[w];
    const auto first = verdicts.begin() + static_cast<ptrdiff_t>(w * 64);
    if (word == ~uint64_t{0}) {
      std::fill_n(first, 64, NodeTable::kPassed);
      continue;
    }
    for (uint64_t bits = word; bits != 0; bits &= bits - 1) first[std::countr_zero(bits)] = NodeTable::kPassed;
  }
}

}  // namespace

SchedulingCycle::Table SchedulingCycle::FillTable(const framework::CycleContext& ctx, const CycleResult& result,
                                                  const Diagnosis& diagnosis) {
  NodeTableWriter& writer = *ctx.table;
  const NodeTableWriter::Timed timed(writer);
  writer.UpdateNames(cache_.log(cache::kArrivals), cache_.capacity(), [&](uint32_t row) -> std::string_view {
    const api::Node* node = cache_.node(row);
    return node == nullptr ? std::string_view() : node->name;
  });
  FillTableVerdicts(writer);
  FillTableAbsent(writer, diagnosis);
  if (extenders_ != nullptr) FillTableExtenders(writer);
  if (result.outcome == Outcome::kChosen && result.feasible_nodes > 1 && !ctx.preview) FillTableScores(ctx);
  return writer.Finish();
}

void SchedulingCycle::FillTableVerdicts(NodeTableWriter& writer) {
  std::vector<int16_t>& verdicts = writer.verdicts();
  framework::Rejection last;
  int16_t number = 0;
  MarkPassed(examined_, verdicts);
  if (filter_.feasible().Count() == examined_.Count()) return;
  filter_.ForEachRejection(examined_, [&](uint32_t row, const framework::Rejection& rejection) {
    if (rejection.plugin != last.plugin || std::memcmp(&rejection.verdict, &last.verdict, sizeof last.verdict) != 0) {
      last = rejection;
      number = writer.NumberOf(rejection.plugin->name(), static_cast<plugin::Code>(rejection.verdict.code),
                               reasons_.Texts(rejection.verdict.reasons));
    }
    verdicts[row] = number;
  });
}

// The nodes that PreFilter left out: all of them if it rejected the pod.
void SchedulingCycle::FillTableAbsent(NodeTableWriter& writer, const Diagnosis& diagnosis) {
  const plugin::Status& absent = diagnosis.absent_nodes;
  const bool rejected = !diagnosis.fit_error.pre_filter_message.empty();
  if (!rejected && !pre_filter_.narrowed()) return;
  std::vector<std::string> by;
  if (rejected) {
    by.emplace_back(cache_.intern().ids.Text(absent.plugin));
  } else {
    for (const plugin::Instance* plugin : pre_filter_.narrowed_by()) by.push_back(plugin->name());
  }
  base::Bitmap rows = cache_.live();
  if (!rejected) rows.AndNot(pre_filter_.candidates());
  rows.AndNot(examined_);  // the nominated node may not be a candidate
  const int16_t number = writer.NumberOf(base::Join(by, ","), absent.code, absent.reasons);
  rows.ForEach([&](uint32_t row) { writer.verdicts()[row] = number; });
}

void SchedulingCycle::FillTableExtenders(NodeTableWriter& writer) {
  examined_.ForEach([&](uint32_t row) {
    NodeRecord record;
    if (!FillExtenderRejection(row, record)) return;
    writer.verdicts()[row] = writer.NumberOf(record.plugin, record.verdict, record.reasons);
  });
}

// The scores of plugins are in the table already.
void SchedulingCycle::FillTableScores(const framework::CycleContext& ctx) {
  if (extenders_ != nullptr) {
    for (const ExtenderScores& one : extenders_->scores()) ctx.table->AddScores(*one.extender, one.weighted);
  }
  const bool no_plugins = ctx.profile.At(plugin::Point::kScore).empty();
  ctx.table->SetScored(no_plugins && extenders_ == nullptr ? 1 : 0);  // ScoreRun::set_total_without_plugins
}

}  // namespace berth::cycle

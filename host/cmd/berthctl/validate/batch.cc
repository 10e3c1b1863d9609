#include "cmd/berthctl/validate/batch.h"

#include <algorithm>
#include <cstring>
#include <sstream>

namespace berth::validate {
namespace {

using sdk::testing::CallScope;
using sdk::testing::kParallel;
using sdk::testing::Outcome;

std::string Shown(const RowAnswer& answer) {
  std::ostringstream out;
  out << answer.value;
  for (const std::string& reason : answer.reasons) out << " \"" << reason << '"';
  return out.str();
}

bool GoesOn(const Outcome& outcome) { return outcome.code == BERTH_SUCCESS; }

// The status of PreFilter; SUCCESS if there is none.
Outcome PreFilterOf(TestHost& rig, sdk::testing::Attempt& attempt) {
  if (!rig.Offers(BERTH_POINT_PRE_FILTER)) return {};
  return attempt.PreFilter();
}

}  // namespace

const char* NameOf(Batch batch) { return batch == Batch::kFilter ? "Filter" : "Score"; }

std::optional<Ready> Ready::Come(TestHost& rig, Batch batch, const sdk::testing::FakePod& pod) {
  Ready ready(rig, batch);
  ready.filter_ = rig.TableOf<berth_filter>(BERTH_POINT_FILTER);
  ready.score_ = rig.TableOf<berth_score>(BERTH_POINT_SCORE);
  if (batch == Batch::kFilter ? ready.filter_ == nullptr : ready.score_ == nullptr) return std::nullopt;
  ready.attempt_ = rig.plugin().Try(pod);
  const Outcome filtered = PreFilterOf(rig, *ready.attempt_);
  if (batch == Batch::kFilter) return GoesOn(filtered) ? std::optional(std::move(ready)) : std::nullopt;
  if (!GoesOn(filtered) && filtered.code != BERTH_SKIP) return std::nullopt;
  if (rig.Offers(BERTH_POINT_PRE_SCORE) && !GoesOn(ready.attempt_->PreScore())) return std::nullopt;
  return ready;
}

const berth_reuse& Ready::reuse() const { return batch_ == Batch::kFilter ? filter_->reuse : score_->reuse; }

Answer Ready::Ask(const RowNumbers& numbers, Guarded::Side side) const {
  Guarded asked(numbers.size() * sizeof(uint32_t));
  if (!numbers.empty()) std::memcpy(asked.data(), numbers.data(), numbers.size() * sizeof(uint32_t));
  asked.Seal();
  const auto* live = attempt_->cycle().snap->live();
  Guarded shown(sizeof(berth_rows));
  auto& rows = *shown.as<berth_rows>();
  rows = {sizeof(berth_rows), static_cast<uint32_t>(numbers.size()), 0, 0, asked.as<uint32_t>(), live};
  shown.Seal();
  return batch_ == Batch::kFilter ? AskFilter(rows, side) : AskScore(rows, side);
}

Answer Ready::AskFilter(const berth_rows& rows, Guarded::Side side) const {
  const Guarded out(rows.n * sizeof(berth_verdict), side);
  Answer answer;
  {
    CallScope scope(rig_->host().checker(), "Filter", kParallel, attempt_->cycle().raw());
    answer.call.code =
        filter_->filter(rig_->raw(), attempt_->cycle().raw(), attempt_->pod(), &rows, out.as<berth_verdict>());
    answer.call.reasons = scope.because;
  }
  for (uint32_t i = 0; answer.call.ok() && i < rows.n; ++i) {
    const berth_verdict& verdict = out.as<berth_verdict>()[i];
    answer.rows.push_back({verdict.code, rig_->host().ReasonTexts(verdict.reasons)});
  }
  return answer;
}

Answer Ready::AskScore(const berth_rows& rows, Guarded::Side side) const {
  const Guarded out(std::max(rows.n, 1u) * sizeof(int64_t), side);  // UNIFORM writes out[0] for any n
  Answer answer;
  {
    CallScope scope(rig_->host().checker(), "Score", kParallel, attempt_->cycle().raw());
    answer.call.code = score_->score(rig_->raw(), attempt_->cycle().raw(), attempt_->pod(), &rows, out.as<int64_t>());
    answer.call.reasons = scope.because;
  }
  const bool uniform = answer.call.code == BERTH_UNIFORM;
  if (uniform) answer.call.code = BERTH_SUCCESS;
  for (uint32_t i = 0; answer.call.ok() && i < rows.n; ++i) {
    answer.rows.push_back({out.as<int64_t>()[uniform ? 0 : i], {}});
  }
  return answer;
}

std::string Difference(const Ready& ready, const RowNumbers& rows_of_a, const Answer& a, const RowNumbers& rows_of_b,
                       const Answer& b) {
  std::ostringstream out;
  if (a.call.code != b.call.code) {
    out << "the call answers " << a.call << " here, " << b.call << " there";
    return out.str();
  }
  for (size_t i = 0; i < a.rows.size(); ++i) {
    const auto at = std::lower_bound(rows_of_b.begin(), rows_of_b.end(), rows_of_a[i]);
    if (at == rows_of_b.end() || *at != rows_of_a[i]) continue;
    const RowAnswer& other = b.rows[static_cast<size_t>(at - rows_of_b.begin())];
    if (a.rows[i] == other) continue;
    return "node " + ready.NameOf(rows_of_a[i]) + ": " + Shown(a.rows[i]) + " here, " + Shown(other) + " there";
  }
  return {};
}

}  // namespace berth::validate

// Direct calls of Filter and Score: `rows` is on a read-only page, and `out` at the end (or the beginning) of a page,
// so that an access outside of it faults. Both points have the same form here: a call returns one number per row, and
// its reasons. Thread: Ready::Ask as the ABI's [parallel]; the rest as the fake host. Ownership: values.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cmd/berthctl/validate/guarded.h"
#include "cmd/berthctl/validate/test_host.h"

namespace berth::validate {

enum class Batch : uint8_t { kFilter, kScore };
const char* NameOf(Batch batch);

struct RowAnswer {
  int64_t value = 0;  // a verdict's code or a score
  std::vector<std::string> reasons;
  bool operator==(const RowAnswer&) const = default;
};

struct Answer {
  sdk::testing::Outcome call;
  std::vector<RowAnswer> rows;  // one per requested row; none if the call failed
};

using RowNumbers = std::vector<uint32_t>;

// An attempt at the point: PreFilter, and for Score also PreScore, did not skip it.
class Ready {
 public:
  // nullopt: the attempt of this pod ends before the point, or the plugin does not offer the point.
  static std::optional<Ready> Come(TestHost& rig, Batch batch, const sdk::testing::FakePod& pod);

  Answer Ask(const RowNumbers& rows, Guarded::Side side = Guarded::Side::kEnd) const;
  RowNumbers LiveRows() const { return attempt_->cluster().LiveRows(); }
  std::string NameOf(uint32_t row) const { return attempt_->cluster().NameOf(row); }
  sdk::testing::Attempt& attempt() { return *attempt_; }
  const berth_reuse& reuse() const;

 private:
  Ready(TestHost& rig, Batch batch) : rig_(&rig), batch_(batch) {}
  Answer AskFilter(const berth_rows& rows, Guarded::Side side) const;
  Answer AskScore(const berth_rows& rows, Guarded::Side side) const;

  TestHost* rig_;
  Batch batch_;
  const berth_filter* filter_ = nullptr;
  const berth_score* score_ = nullptr;
  std::unique_ptr<sdk::testing::Attempt> attempt_;
};

// Runs fn(batch, pod, ready) for every pod that reaches Filter, and Score. Returns the number of runs.
template <class Fn>
int ForEachReady(TestHost& rig, const std::vector<sdk::testing::FakePod>& pods, Fn&& fn) {
  int n = 0;
  for (const Batch batch : {Batch::kFilter, Batch::kScore}) {
    for (const sdk::testing::FakePod& pod : pods) {
      std::optional<Ready> ready = Ready::Come(rig, batch, pod);
      if (!ready) continue;
      fn(batch, pod, *ready);
      ++n;
    }
  }
  return n;
}

// "" or the first difference: `n5: 0 here, 2 "too small" there`. Finds the rows of a in b by number.
std::string Difference(const Ready& ready, const RowNumbers& rows_of_a, const Answer& a, const RowNumbers& rows_of_b,
                       const Answer& b);

}  // namespace berth::validate

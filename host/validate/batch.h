// Filter and Score asked directly, row by row as the ABI has it: `rows` on a page that cannot be written to, `out` at
// the very end (or beginning) of one, so that a touch of anything else faults. Both points look alike from here: a call
// answers one number and its reasons per row.
// Thread: Ready::Ask as the ABI's [parallel]; the rest as the fake host. Ownership: values.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "validate/guarded.h"
#include "validate/rig.h"

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
  std::vector<RowAnswer> rows;  // as many as were asked for; none when the call failed
};

using RowNumbers = std::vector<uint32_t>;

// An attempt that has come to the point: PreFilter, or PreScore as well, did not say that the point is left out.
class Ready {
 public:
  // nullopt: this pod does not come so far, or the plugin does not offer the point.
  static std::optional<Ready> Come(Rig& rig, Batch batch, const sdk::testing::FakePod& pod);

  Answer Ask(const RowNumbers& rows, Guarded::Side side = Guarded::Side::kEnd) const;
  RowNumbers LiveRows() const { return attempt_->cluster().LiveRows(); }
  std::string NameOf(uint32_t row) const { return attempt_->cluster().NameOf(row); }
  sdk::testing::Attempt& attempt() { return *attempt_; }
  const berth_reuse& reuse() const;

 private:
  Ready(Rig& rig, Batch batch) : rig_(&rig), batch_(batch) {}
  Answer AskFilter(const berth_rows& rows, Guarded::Side side) const;
  Answer AskScore(const berth_rows& rows, Guarded::Side side) const;

  Rig* rig_;
  Batch batch_;
  const berth_filter* filter_ = nullptr;
  const berth_score* score_ = nullptr;
  std::unique_ptr<sdk::testing::Attempt> attempt_;
};

// Runs fn(batch, pod, ready) for every pod that comes to Filter, and to Score. How many times it did.
template <class Fn>
int ForEachReady(Rig& rig, const std::vector<sdk::testing::FakePod>& pods, Fn&& fn) {
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

// "" or where they differ: `n5: 0 here, 2 "too small" there`. rows of a are looked for in b by number.
std::string Difference(const Ready& ready, const RowNumbers& rows_of_a, const Answer& a, const RowNumbers& rows_of_b,
                       const Answer& b);

}  // namespace berth::validate

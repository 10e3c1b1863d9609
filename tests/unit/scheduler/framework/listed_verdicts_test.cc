#include "scheduler/framework/listed_verdicts.h"

#include <gtest/gtest.h>

#include <vector>

#include "base/random.h"
#include "plugin/instance/status.h"

namespace berth::framework {
namespace {

berth_verdict Verdict(uint8_t code, uint32_t reasons) { return {code, {0, 0, 0}, reasons}; }

TEST(FindRejected64, SaysWhichAndWhetherAnyDiffers) {
  std::vector<berth_verdict> verdicts(64, Verdict(BERTH_SUCCESS, 0));
  verdicts[3] = Verdict(BERTH_SUCCESS, 7);  // the reasons of SUCCESS do not matter
  EXPECT_EQ(FindRejected64(verdicts.data(), 0).rows, 0u);
  EXPECT_FALSE(FindRejected64(verdicts.data(), 0).other);
  for (const size_t i : {0u, 9u, 31u, 63u}) verdicts[i] = Verdict(BERTH_UNSCHEDULABLE, 5);
  const uint64_t known = BytesOf(verdicts[0]);
  const uint64_t want = 1ull | 1ull << 9 | 1ull << 31 | 1ull << 63;
  EXPECT_EQ(FindRejected64(verdicts.data(), known).rows, want);
  EXPECT_FALSE(FindRejected64(verdicts.data(), known).other);
  EXPECT_TRUE(FindRejected64(verdicts.data(), 0).other);
  verdicts[40] = Verdict(BERTH_UNRESOLVABLE, 5);
  EXPECT_EQ(FindRejected64(verdicts.data(), known).rows, want | 1ull << 40);
  EXPECT_TRUE(FindRejected64(verdicts.data(), known).other);
}

TEST(ReadListed, AgreesWithALoopOverRows) {
  base::Random random(7);
  for (int round = 0; round < 200; ++round) {
    base::Bitmap asked(64 * 5), pass(64 * 5);
    pass.SetAll();
    std::vector<berth_verdict> verdicts;
    base::Bitmap want = pass;
    const uint32_t density = random.Below(3);  // sparse, mixed, full
    for (size_t row = 0; row < asked.size(); ++row) {
      if (density != 2 && random.Below(density == 0 ? 10 : 2) != 0) continue;
      asked.Set(row);
      const bool rejected = random.Below(3) == 0;
      verdicts.push_back(rejected ? Verdict(BERTH_UNSCHEDULABLE, static_cast<uint32_t>(random.Below(2)) + 1)
                                  : Verdict(BERTH_SUCCESS, 0));
      if (rejected) want.Clear(row);
    }
    uint64_t last = 0;
    const plugin::Status status = ReadListed(asked, verdicts.data(), pass, [&](uint32_t row, const berth_verdict& one) {
      EXPECT_TRUE(asked.Test(row));
      EXPECT_NE(BytesOf(one), std::exchange(last, BytesOf(one))) << "each run of equal verdicts once";
      return plugin::Status();
    });
    EXPECT_TRUE(status.ok());
    for (size_t w = 0; w < pass.n_words(); ++w) EXPECT_EQ(pass.words()[w], want.words()[w]);
  }
}

TEST(ReadListed, EndsWithTheFirstVerdictThatIsNotValid) {
  base::Bitmap asked(128), pass(128);
  asked.SetAll();
  pass.SetAll();
  std::vector<berth_verdict> verdicts(128, Verdict(BERTH_UNSCHEDULABLE, 1));
  verdicts[70] = Verdict(9, 1);
  uint32_t at = 0;
  const plugin::Status status = ReadListed(asked, verdicts.data(), pass, [&](uint32_t row, const berth_verdict& one) {
    at = row;
    return one.code == 9 ? plugin::ErrorStatus("no verdict") : plugin::Status();
  });
  EXPECT_FALSE(status.ok());
  EXPECT_EQ(at, 70u);
}

}  // namespace
}  // namespace berth::framework

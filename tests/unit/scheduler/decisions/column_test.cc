// Columns return what was written, in few bytes, and share what did not change.
#include <gtest/gtest.h>

#include <limits>
#include <numeric>

#include "scheduler/decisions/column.h"

namespace berth::decisions {
namespace {

class ColumnTest : public testing::Test {
 protected:
  void ExpectReadsBack(const std::vector<int64_t>& values) {
    const Column column = writer_.Write<int64_t>(values);
    ASSERT_EQ(column.size(), values.size());
    for (uint32_t row = 0; row < values.size(); ++row) EXPECT_EQ(column.At(row), values[row]) << "row " << row;
  }

  std::shared_ptr<MemoryMeter> meter_ = std::make_shared<MemoryMeter>();
  ColumnWriter writer_{meter_};
};

TEST_F(ColumnTest, ReadsBackEveryWidth) {
  constexpr int64_t kLeast = std::numeric_limits<int64_t>::min(), kGreatest = std::numeric_limits<int64_t>::max();
  ExpectReadsBack({});
  ExpectReadsBack({7});
  ExpectReadsBack({5, 5, 5});
  ExpectReadsBack({-1, 254});
  ExpectReadsBack({-1, 255});
  ExpectReadsBack({0, 65'535, 3});
  ExpectReadsBack({0, 65'536, 3});
  ExpectReadsBack({kLeast, kGreatest, 0, -1});
}

TEST_F(ColumnTest, ReadsBackMoreThanOneChunk) {
  std::vector<int64_t> values(2 * kChunkRows + 3);
  std::iota(values.begin(), values.end(), -700);
  ExpectReadsBack(values);
}

TEST_F(ColumnTest, ReadsBackSmallIntegers) {
  const std::vector<int16_t> values{-1, 0, 300, 32'767, -32'768};
  const Column column = writer_.Write<int16_t>(values);
  for (uint32_t row = 0; row < values.size(); ++row) EXPECT_EQ(column.At(row), values[row]) << "row " << row;
}

TEST_F(ColumnTest, OneValueForAllRowsNeedsNoBytes) {
  const Column column = writer_.WriteUniform(5000, 300);
  EXPECT_EQ(column.At(0), 300);
  EXPECT_EQ(column.At(4999), 300);
  EXPECT_EQ(meter_->bytes(), 0u);
}

TEST_F(ColumnTest, SharesTheChunksThatDidNotChange) {
  std::vector<int64_t> values(4 * kChunkRows);
  for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<int64_t>(i % 100);
  const Column first = writer_.Write<int64_t>(values);
  values[kChunkRows + 5] = 99;
  const Column second = writer_.Write<int64_t>(values);
  EXPECT_EQ(second.SharedWith(first), 3u);
  EXPECT_EQ(first.At(kChunkRows + 5), static_cast<int64_t>((kChunkRows + 5) % 100));
  EXPECT_EQ(second.At(kChunkRows + 5), 99);
}

TEST_F(ColumnTest, AByteOfEachRowIsEnoughForScores) {
  std::vector<int64_t> values(10 * kChunkRows);
  for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<int64_t>(i % 101);
  const Column column = writer_.Write<int64_t>(values);
  EXPECT_GE(meter_->bytes(), values.size());
  EXPECT_LT(meter_->bytes(), values.size() + 10 * 100);
}

TEST_F(ColumnTest, TheMeterForgetsChunksThatNobodyHolds) {
  {
    ColumnWriter writer(meter_);
    std::vector<int64_t> values{1, 2, 3};
    const Column column = writer.Write<int64_t>(values);
    EXPECT_GT(meter_->bytes(), 0u);
  }
  EXPECT_EQ(meter_->bytes(), 0u);
}

}  // namespace
}  // namespace berth::decisions

#include "base/bitmap.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace berth::base {
namespace {

TEST(Bitmap, TailBitsStayZero) {
  Bitmap b(70);
  b.SetAll();
  EXPECT_EQ(b.Count(), 70u);
  EXPECT_EQ(b.words()[1], (uint64_t{1} << 6) - 1);
  b.Resize(66);
  EXPECT_EQ(b.Count(), 66u);
}

TEST(Bitmap, ForEachAscends) {
  Bitmap b(200);
  for (uint32_t i : {0u, 63u, 64u, 199u}) b.Set(i);
  std::vector<uint32_t> seen;
  b.ForEach([&](uint32_t i) { seen.push_back(i); });
  EXPECT_THAT(seen, testing::ElementsAre(0u, 63u, 64u, 199u));
  Bitmap c(200);
  c.Set(64);
  b.AndNot(c);
  EXPECT_FALSE(b.Test(64));
  b.And(c);
  EXPECT_FALSE(b.Any());
}

}  // namespace
}  // namespace berth::base

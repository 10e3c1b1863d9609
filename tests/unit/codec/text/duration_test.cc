#include "codec/text/duration.h"

#include <gtest/gtest.h>

namespace berth::text {
namespace {

TEST(FormatMilliseconds, IgnoresTheRestOfAMillisecond) {
  EXPECT_EQ(FormatMilliseconds(0), "0s");
  EXPECT_EQ(FormatMilliseconds(999'999), "0s");
  EXPECT_EQ(FormatMilliseconds(250'999'999), "250ms");
  EXPECT_EQ(FormatMilliseconds(1'500'000'000), "1.5s");
  EXPECT_EQ(FormatMilliseconds(60'000'000'000), "1m0s");
  EXPECT_EQ(FormatMilliseconds(3'723'004'000'000), "1h2m3.004s");
}

}  // namespace
}  // namespace berth::text

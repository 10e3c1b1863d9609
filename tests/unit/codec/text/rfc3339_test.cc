#include "codec/text/rfc3339.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

namespace berth::text {
namespace {

struct TimeCase {
  const char* text;
  int64_t unix_ns;
};
TEST(Rfc3339, Parses) {
  constexpr int64_t kSecond = 1'000'000'000;
  const TimeCase cases[] = {
      {"1970-01-01T00:00:00Z", 0},
      {"1969-12-31T23:59:59.5Z", -kSecond / 2},
      {"2000-02-29T00:00:00Z", 951782400 * kSecond},
      {"2024-12-31T23:59:59Z", 1735689599 * kSecond},
      {"2024-12-31T23:59:59.123456789Z", 1735689599 * kSecond + 123456789},
      {"2024-12-31T23:59:59.1234567899Z", 1735689599 * kSecond + 123456789},
      {"2024-12-31T23:59:59,1Z", 1735689599 * kSecond + 100000000},
      {"2025-01-01T05:29:59+05:30", 1735689599 * kSecond},
      {"2024-12-31T15:59:59-08:00", 1735689599 * kSecond},
      {"0001-01-01T00:00:00Z", kNoTime},
      {"0001-01-01T00:00:01Z", std::numeric_limits<int64_t>::min() + 1},
      {"9999-12-31T23:59:59Z", std::numeric_limits<int64_t>::max()},
      {"0000-03-01T00:00:00Z", std::numeric_limits<int64_t>::min() + 1},
  };
  for (const TimeCase& c : cases) {
    int64_t ns = 1;
    EXPECT_TRUE(ParseRfc3339(c.text, ns)) << c.text;
    EXPECT_EQ(ns, c.unix_ns) << c.text;
  }
}

TEST(Rfc3339, Refuses) {
  for (const char* text : {"",
                           "now",
                           "2024-01-01",
                           "2024-01-01T00:00:00",
                           "2024-01-01 00:00:00Z",
                           "2024-13-01T00:00:00Z",
                           "2024-00-01T00:00:00Z",
                           "2023-02-29T00:00:00Z",
                           "1900-02-29T00:00:00Z",
                           "2024-04-31T00:00:00Z",
                           "2024-01-00T00:00:00Z",
                           "2024-01-01T24:00:00Z",
                           "2024-01-01T00:60:00Z",
                           "2024-01-01T00:00:60Z",
                           "2024-01-01T00:00:00.Z",
                           "2024-01-01T00:00:00z",
                           "2024-01-01t00:00:00Z",
                           "2024-01-01T00:00:00+0000",
                           "2024-01-01T00:00:00+25:00",
                           "2024-01-01T00:00:00+00:60",
                           "2024-01-01T00:00:00Zx",
                           "24-01-01T00:00:00Z",
                           "+024-01-01T00:00:00Z"}) {
    int64_t ns;
    EXPECT_FALSE(ParseRfc3339(text, ns)) << text;
  }
}

TEST(Rfc3339, Prints) {
  EXPECT_EQ(TimeText(0), "1970-01-01T00:00:00Z");
  EXPECT_EQ(TimeText(1'709'251'199'999'999'999), "2024-02-29T23:59:59Z");
  EXPECT_EQ(MicroTimeText(1'767'225'600'000'001'999), "2026-01-01T00:00:00.000001Z");
}

}  // namespace
}  // namespace berth::text

// Numbers and times in texts. The expected values are those of Go 1.26's strconv.ParseFloat and time.Parse.
#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "../common/go_float.h"
#include "../common/go_time.h"

namespace {

using plugins::GoFloat;

struct NumberCase {
  std::string_view text;
  std::optional<int64_t> want;
};

TEST(GoFloatWhole, IsGosNumberWithoutItsFraction) {
  const NumberCase cases[] = {
      {"0", 0},
      {"-0", 0},
      {"+12", 12},
      {"12.9", 12},
      {"-12.9", -12},
      {".5", 0},
      {"5.", 5},
      {"1.5e3", 1500},
      {"1E+2", 100},
      {"15e-1", 1},
      {"0x10p0", 16},
      {"0X.8P1", 1},
      {"0x_1p4", 16},
      {"1_000", 1000},
      {"1e1_0", 10'000'000'000},
      {"1e-400", 0},
      {"9007199254740993", 9007199254740992},
      {"9223372036854774784", 9223372036854774784},
      {"9223372036854775807", std::nullopt},  // as a double it is 2^63
      {"-9223372036854775808", std::nullopt},
      {"1e400", std::nullopt},
      {"", std::nullopt},
      {"-", std::nullopt},
      {".", std::nullopt},
      {" 1", std::nullopt},
      {"1 ", std::nullopt},
      {"1e", std::nullopt},
      {"1e+", std::nullopt},
      {"0x1", std::nullopt},
      {"0x", std::nullopt},
      {"1__0", std::nullopt},
      {"_1", std::nullopt},
      {"1_", std::nullopt},
      {"1_.5", std::nullopt},
      {"1.2.3", std::nullopt},
      {"NaN", std::nullopt},
      {"-Infinity", std::nullopt},
      {"1Gi", std::nullopt},
  };
  for (const NumberCase& one : cases) EXPECT_EQ(GoFloat::Whole(one.text), one.want) << one.text;
}

struct TimeCase {
  std::string_view layout, text;
  std::optional<int64_t> want;  // milliseconds since 1970
};

constexpr std::string_view kRfc3339 = "2006-01-02T15:04:05Z07:00";
constexpr int64_t kNewYear = 1'767'225'600'000;  // 2026-01-01T00:00:00Z
constexpr int64_t kHour = 3'600'000, kDay = 24 * kHour;

class GoTime : public testing::TestWithParam<TimeCase> {};

TEST_P(GoTime, Parse) {
  const auto got = plugins::ParseGoTime(plugins::GoTimeLayout(GetParam().layout), GetParam().text);
  EXPECT_EQ(got, GetParam().want ? std::optional(*GetParam().want * 1000) : std::nullopt)
      << GetParam().layout << " | " << GetParam().text;
}

INSTANTIATE_TEST_SUITE_P(Rfc3339, GoTime,
                         testing::Values(TimeCase{kRfc3339, "2026-01-01T00:00:00Z", kNewYear},
                                         TimeCase{kRfc3339, "2026-01-01T02:00:00+02:00", kNewYear},
                                         TimeCase{kRfc3339, "2025-12-31T18:30:00-05:30", kNewYear},
                                         TimeCase{kRfc3339, "2026-01-01T00:00:00.25Z", kNewYear + 250},
                                         TimeCase{kRfc3339, "2026-01-01T00:00:00,5Z", kNewYear + 500},
                                         TimeCase{kRfc3339, "2026-01-01T5:00:00Z", kNewYear + 5 * kHour},
                                         TimeCase{kRfc3339, "2024-02-29T00:00:00Z", 1'709'164'800'000},
                                         TimeCase{kRfc3339, "1969-12-31T23:59:59Z", -1000},
                                         TimeCase{kRfc3339, "2026-02-29T00:00:00Z", std::nullopt},
                                         TimeCase{kRfc3339, "2026-13-01T00:00:00Z", std::nullopt},
                                         TimeCase{kRfc3339, "2026-01-00T00:00:00Z", std::nullopt},
                                         TimeCase{kRfc3339, "2026-01-01T24:00:00Z", std::nullopt},
                                         TimeCase{kRfc3339, "2026-01-01T00:60:00Z", std::nullopt},
                                         TimeCase{kRfc3339, "2026-01-01T00:00:60Z", std::nullopt},
                                         TimeCase{kRfc3339, "2026-01-01 00:00:00Z", std::nullopt},
                                         TimeCase{kRfc3339, "2026-01-01T00:00:00", std::nullopt},
                                         TimeCase{kRfc3339, "2026-01-01T00:00:00+0200", std::nullopt},
                                         TimeCase{kRfc3339, "2026-01-01T00:00:00ZZ", std::nullopt},
                                         TimeCase{kRfc3339, "", std::nullopt}));

INSTANTIATE_TEST_SUITE_P(
    OtherLayouts, GoTime,
    testing::Values(TimeCase{"2006-01-02", "2026-01-01", kNewYear}, TimeCase{"2006-01-02", "2026-1-1", std::nullopt},
                    TimeCase{"2006-1-2", "2026-01-01", kNewYear},
                    TimeCase{"2006-01-02 15:04:05", "2026-01-01 06:00:00", kNewYear + 6 * kHour},
                    TimeCase{"Mon Jan _2 15:04:05 2006", "thu jan  1 00:00:00 2026", kNewYear},
                    TimeCase{"Monday, 02-Jan-06 15:04:05 MST", "Thursday, 01-Jan-26 00:00:00 UTC", kNewYear},
                    TimeCase{"Mon, 02 Jan 2006 15:04:05 MST", "Thu, 01 Jan 2026 00:00:00 GMT+2", kNewYear - 2 * kHour},
                    TimeCase{"Mon, 02 Jan 2006 15:04:05 MST", "Thu, 01 Jan 2026 00:00:00 CEST", kNewYear},
                    TimeCase{"Mon, 02 Jan 2006 15:04:05 MST", "Thu, 01 Jan 2026 00:00:00 ABCDEF", std::nullopt},
                    TimeCase{"Mon, 02 Jan 2006 15:04:05 -0700", "Thu, 01 Jan 2026 01:00:00 +0100", kNewYear},
                    TimeCase{"January 2, 2006", "february 1, 2026", kNewYear + 31 * kDay},
                    TimeCase{"2006-002", "2026-032", kNewYear + 31 * kDay},
                    TimeCase{"2006-002", "2024-366", 1'735'603'200'000}, TimeCase{"2006-002", "2026-366", std::nullopt},
                    TimeCase{"2006 01 002", "2026 02 001", std::nullopt},
                    TimeCase{"2006-01-02 3:04PM", "2026-01-01 12:00AM", kNewYear},
                    TimeCase{"2006-01-02 3:04PM", "2026-01-01 1:00PM", kNewYear + 13 * kHour},
                    TimeCase{"2006-01-02 3:04pm", "2026-01-01 1:00PM", std::nullopt},
                    TimeCase{"2006-01-02T15:04:05.000Z", "2026-01-01T00:00:00.120Z", kNewYear + 120},
                    TimeCase{"2006-01-02T15:04:05.000Z", "2026-01-01T00:00:00.12Z", std::nullopt},
                    TimeCase{"2006-01-02T15:04:05.999Z", "2026-01-01T00:00:00Z", kNewYear},
                    TimeCase{"06", "69", -365 * kDay}, TimeCase{"06", "26", kNewYear},
                    TimeCase{"_2006", "_2026", kNewYear}, TimeCase{"2006 Z070000", "2026 +010000", kNewYear - kHour},
                    TimeCase{"2006 -07", "2026 -25", std::nullopt},
                    TimeCase{"at noon", "at noon", -62'167'219'200'000}));

}  // namespace

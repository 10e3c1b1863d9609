#include "base/quantity.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <random>
#include <string>

namespace berth::base {
namespace {

constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
constexpr int64_t kMin = std::numeric_limits<int64_t>::min();

Quantity Parsed(std::string_view text) {
  auto quantity = Quantity::Parse(text);
  EXPECT_TRUE(quantity.has_value()) << text << ": " << quantity.error().message;
  return quantity.value_or(Quantity());
}

// Exact value in nanounits, for values that fit.
int64_t Nano(Quantity quantity) {
  Quantity billion_times;
  for (int i = 0; i < 1000; ++i) billion_times += quantity;
  Quantity result;
  for (int i = 0; i < 1000; ++i) result += billion_times;
  return result.MilliValue();
}

struct NanoCase {
  const char* text;
  int64_t nano;
};
class QuantityNano : public testing::TestWithParam<NanoCase> {};
TEST_P(QuantityNano, IsExact) { EXPECT_EQ(Nano(Parsed(GetParam().text)), GetParam().nano) << GetParam().text; }
// Numbers of upstream's TestQuantityParse.
INSTANTIATE_TEST_SUITE_P(
    Table, QuantityNano,
    testing::Values(NanoCase{"0", 0}, NanoCase{"0n", 0}, NanoCase{"0Ki", 0}, NanoCase{"0T", 0}, NanoCase{"5n", 5},
                    NanoCase{"4u", 4000}, NanoCase{"3m", 3000000}, NanoCase{"9", 9000000000}, NanoCase{"1E-3", 1000000},
                    NanoCase{"0.001", 1000000}, NanoCase{"0.0005k", 500000000}, NanoCase{"0.00500", 5000000},
                    NanoCase{"0.5e-2", 5000000}, NanoCase{"9.01", 9010000000}, NanoCase{".001", 1000000},
                    NanoCase{".0001k", 100000000}, NanoCase{"1.", 1000000000}, NanoCase{"-1.5m", -1500000},
                    // rounded up, away from zero
                    NanoCase{"3.001n", 4}, NanoCase{"1.1E-9", 2}, NanoCase{"0.0000000001", 1},
                    NanoCase{"0.0000000005", 1}, NanoCase{"0.5e-9", 1}, NanoCase{"0.9n", 1},
                    NanoCase{"0.00000012345", 124}, NanoCase{"0.00000012354", 124}, NanoCase{"-0.1n", -1},
                    NanoCase{"0.000000000001Ki", 2}, NanoCase{"0.0000000000000000000000001Ki", 1},
                    NanoCase{"1e-400", 1}, NanoCase{"0e-400", 0}));

struct UnitCase {
  const char* text;
  int64_t value, milli;
};
class QuantityUnits : public testing::TestWithParam<UnitCase> {};
TEST_P(QuantityUnits, ValueAndMilliValue) {
  const Quantity quantity = Parsed(GetParam().text);
  EXPECT_EQ(quantity.Value(), GetParam().value) << GetParam().text;
  EXPECT_EQ(quantity.MilliValue(), GetParam().milli) << GetParam().text;
}
INSTANTIATE_TEST_SUITE_P(
    Table, QuantityUnits,
    testing::Values(UnitCase{"1Ki", 1024, 1024000}, UnitCase{"7Mi", 7 << 20, (7 << 20) * 1000LL},
                    UnitCase{"6Gi", 6LL << 30, (6LL << 30) * 1000}, UnitCase{"5Ti", 5LL << 40, (5LL << 40) * 1000},
                    UnitCase{"4Pi", 4LL << 50, (4LL << 50) * 1000}, UnitCase{"3Ei", 3LL << 60, kMax},
                    UnitCase{"8k", 8000, 8000000}, UnitCase{"50k", 50000, 50000000},
                    UnitCase{"7.123456M", 7123456, 7123456000}, UnitCase{"6.987654321G", 6987654321, 6987654321000},
                    UnitCase{"40.1T", 40100000000000, 40100000000000000},
                    UnitCase{"2.5P", 2500000000000000, 2500000000000000000},
                    UnitCase{"1.01E", 1010000000000000000, kMax}, UnitCase{"1.3E+6", 1300000, 1300000000},
                    UnitCase{"1.53E12", 1530000000000, 1530000000000000}, UnitCase{"100.035k", 100035, 100035000},
                    UnitCase{"100.035Ki", 102436, 102435840}, UnitCase{"0.5Mi", 524288, 524288000},
                    UnitCase{"0.05Gi", 53687092, 53687091200}, UnitCase{"0.025Ti", 27487790695, 27487790694400},
                    UnitCase{"1.G", 1000000000, 1000000000000}, UnitCase{"100m", 1, 100}, UnitCase{"1n", 1, 1},
                    UnitCase{"1500m", 2, 1500}, UnitCase{"-1500m", -2, -1500}, UnitCase{"-100u", -1, -1},
                    // capped as upstream caps binary suffixes
                    UnitCase{"9Ei", kMax, kMax}, UnitCase{"9223372036854775807Ki", kMax, kMax},
                    UnitCase{"-9Ei", -kMax, kMin}, UnitCase{"7.9999999999999999999999Ei", kMax, kMax},
                    // beyond int64: saturated
                    UnitCase{"12E", kMax, kMax}, UnitCase{"-12E", kMin, kMin}, UnitCase{"1e2147483647", kMax, kMax},
                    UnitCase{"99999999999999999999999999999999999999999999999999", kMax, kMax},
                    UnitCase{"9223372036854775807", kMax, kMax}, UnitCase{"-9223372036854775808", kMin, kMin},
                    // upstream reads a text of only a sign, a point, or a suffix as zero
                    UnitCase{"-", 0, 0}, UnitCase{".", 0, 0}, UnitCase{"m", 0, 0}, UnitCase{"Ti", 0, 0},
                    UnitCase{"1e4294967299", 1000, 1000000}));  // the exponent is cut to 32 bits

struct ErrorCase {
  const char* text;
  const char* error;
};
constexpr const char* kFormat =
    "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
constexpr const char* kNumeric = "unable to parse numeric part of quantity";
constexpr const char* kSuffix = "unable to parse quantity's suffix";
class QuantityError : public testing::TestWithParam<ErrorCase> {};
TEST_P(QuantityError, HasUpstreamsText) {
  auto quantity = Quantity::Parse(GetParam().text);
  ASSERT_FALSE(quantity.has_value()) << GetParam().text;
  EXPECT_EQ(quantity.error().message, GetParam().error) << GetParam().text;
}
INSTANTIATE_TEST_SUITE_P(Table, QuantityError,
                         testing::Values(ErrorCase{"", kFormat}, ErrorCase{"1.1.M", kFormat},
                                         ErrorCase{"1+1.0M", kFormat}, ErrorCase{"0.1mi", kSuffix},
                                         ErrorCase{"0.1am", kFormat}, ErrorCase{"aoeu", kFormat},
                                         ErrorCase{".5i", kSuffix}, ErrorCase{"1i", kSuffix},
                                         ErrorCase{"-3.01i", kSuffix}, ErrorCase{"-3.01e-", kSuffix},
                                         ErrorCase{" 1", kFormat}, ErrorCase{"1 ", kFormat}, ErrorCase{"1e", kSuffix},
                                         ErrorCase{"1ki", kSuffix}, ErrorCase{"1+", kSuffix},
                                         ErrorCase{"1e--3", kFormat}, ErrorCase{"1e99999999999999999999", kSuffix},
                                         ErrorCase{"Ei", kNumeric}, ErrorCase{"-Pi", kNumeric},
                                         ErrorCase{".e-10", kNumeric}, ErrorCase{"Non-Numeric", kFormat}));

TEST(Quantity, Compares) {
  EXPECT_EQ(Parsed("1"), Parsed("1000m"));
  EXPECT_GT(Parsed("100m"), Parsed("50m"));
  EXPECT_GT(Parsed("10000T"), Parsed("100Gi"));
  EXPECT_LT(Parsed("-1"), Quantity());
  EXPECT_EQ(Quantity::FromUnits(3), Quantity::FromMilli(3000));
}

TEST(Quantity, SumsExactlyBeforeItRounds) {
  Quantity sum;
  for (int i = 0; i < 4; ++i) sum += Parsed("250u");
  EXPECT_EQ(sum.MilliValue(), 1);
  EXPECT_TRUE(sum.IsWholeMilli());
  EXPECT_FALSE(sum.IsWholeUnits());
  EXPECT_EQ((sum - Parsed("1m")).Sign(), 0);
  EXPECT_TRUE((sum - Parsed("1m")).IsZero());
}

TEST(Quantity, SumsSaturate) {
  Quantity huge = Parsed("1e300");
  for (int i = 0; i < 200; ++i) huge += huge;
  EXPECT_EQ(huge.Value(), kMax);
  EXPECT_GE(huge, Parsed("1e300"));
  EXPECT_EQ((Quantity() - huge).Value(), kMin);
  EXPECT_LT(Quantity() - huge - huge, Quantity());
}

TEST(Quantity, AcceptsAnyText) {
  std::mt19937 random(1);
  const std::string_view alphabet = "0123456789.eEinumkKMGTP+- x";
  for (int i = 0; i < 20000; ++i) {
    std::string text;
    for (size_t n = random() % 24; n > 0; --n) text += alphabet[random() % alphabet.size()];
    auto quantity = Quantity::Parse(text);
    if (!quantity) continue;
    EXPECT_EQ(quantity->IsZero(), quantity->Value() == 0) << text;
    EXPECT_EQ(quantity->Sign() < 0, quantity->MilliValue() < 0) << text;
  }
}

}  // namespace
}  // namespace berth::base

#include "codec/text/number.h"

#include <gtest/gtest.h>

#include <cmath>

namespace berth::text {
namespace {

TEST(ParseBool, ReadsAsGo) {
  for (const char* yes : {"1", "t", "T", "TRUE", "true", "True"}) EXPECT_TRUE(ParseBool(yes).value()) << yes;
  for (const char* no : {"0", "f", "F", "FALSE", "false", "False"}) EXPECT_FALSE(ParseBool(no).value()) << no;
  EXPECT_EQ(ParseBool("yes").error().message, "strconv.ParseBool: parsing \"yes\": invalid syntax");
}

TEST(ParseInt, ReadsAsGoWithBaseZero) {
  EXPECT_EQ(ParseInt("-42", 32), -42);
  EXPECT_EQ(ParseInt("0x10", 64), 16);
  EXPECT_EQ(ParseInt("0b11", 64), 3);
  EXPECT_EQ(ParseInt("017", 64), 15);
  EXPECT_EQ(ParseInt("0o17", 64), 15);
  EXPECT_EQ(ParseInt("-9223372036854775808", 64), INT64_MIN);
  EXPECT_EQ(ParseInt("2147483648", 32).error().message, "strconv.ParseInt: parsing \"2147483648\": value out of range");
  EXPECT_EQ(ParseInt("1x", 32).error().message, "strconv.ParseInt: parsing \"1x\": invalid syntax");
}

TEST(FloatText, IsTheShortestThatGoWrites) {
  EXPECT_EQ(FloatText(50.0f), "50");
  EXPECT_EQ(FloatText(0.1f), "0.1");
  EXPECT_EQ(FloatText(0.1), "0.1");
  EXPECT_EQ(FloatText(1e10f), "1e+10");
  EXPECT_EQ(FloatText(999999.0), "999999");
  EXPECT_EQ(FloatText(1000000.0), "1e+06");
  EXPECT_EQ(FloatText(0.0001), "0.0001");
  EXPECT_EQ(FloatText(0.00001), "1e-05");
  EXPECT_EQ(FloatText(-INFINITY), "-Inf");
}

}  // namespace
}  // namespace berth::text

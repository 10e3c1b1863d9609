#include "codec/yaml/yaml_scalar.h"

#include <gtest/gtest.h>

#include "codec/yaml/yaml_timestamp.h"

namespace berth::yaml {
namespace {

// Every row was printed by sigs.k8s.io/yaml 1.6 YAMLToJSON.
TEST(PlainScalar, HasTheTypesOfGo) {
  const std::pair<const char*, const char*> cases[] = {
      {"y", "true"},
      {"Y", "true"},
      {"yes", "true"},
      {"on", "true"},
      {"On", "true"},
      {"n", "false"},
      {"NO", "false"},
      {"off", "false"},
      {"TRUE", "true"},
      {"tRue", "\"tRue\""},
      {"", "null"},
      {"~", "null"},
      {"null", "null"},
      {"NULL", "null"},
      {"nUll", "\"nUll\""},
      {"0", "0"},
      {"-1", "-1"},
      {"+1", "1"},
      {"00", "0"},
      {"014", "12"},
      {"0o14", "12"},
      {"0O14", "12"},
      {"-014", "-12"},
      {"08", "8"},
      {"0_8", "8"},
      {"0x1F", "31"},
      {"0X1f", "31"},
      {"-0x1F", "-31"},
      {"0xg", "\"0xg\""},
      {"0x", "\"0x\""},
      {"0b11", "3"},
      {"-0b11", "-3"},
      {"0b2", "\"0b2\""},
      {"1_000", "1000"},
      {"_1", "\"_1\""},
      {"1_", "1"},
      {"1.0", "1"},
      {"1.", "1"},
      {".5", "0.5"},
      {"-.5", "-0.5"},
      {".5_0", "0.5"},
      {"1.0_5", "1.05"},
      {".", "\".\""},
      {"1e3", "1000"},
      {"1E+3", "1000"},
      {"1e-3", "0.001"},
      {"1e", "\"1e\""},
      {"e1", "\"e1\""},
      {"1e999", "\"1e999\""},
      {"1e-999", "0"},
      {"12:30", "\"12:30\""},
      {"1:2:3", "\"1:2:3\""},
      {"2001-01-01", "\"2001-01-01\""},
      {"9223372036854775807", "9223372036854775807"},
      {"-9223372036854775808", "-9223372036854775808"},
      {"9223372036854775808", "9223372036854775808"},
      {"9_223_372_036_854_775_809", "9223372036854775809"},
      {"18446744073709551615", "18446744073709551615"},
      {"0xFFFFFFFFFFFFFFFF", "18446744073709551615"},
      {"18446744073709551616", "18446744073709552000"},
      {"+9223372036854775808", "9223372036854776000"},
      {"+0x8000000000000000", "\"+0x8000000000000000\""},
      {"-9223372036854775809", "-9223372036854776000"},
      {"1234567890123456789.0", "1234567890123456800"},
      {"9.21e18", "9210000000000000000"},
      {"1,000", "\"1,000\""},
      {"--1", "\"--1\""},
      {"+-1", "\"+-1\""},
      {"-", "\"-\""},
      {"+", "\"+\""},
      {"1.5.2", "\"1.5.2\""},
      {"100m", "\"100m\""},
      {"1Gi", "\"1Gi\""},
      {"<<", "\"<<\""},
      {"inf", "\"inf\""},
      {"1e20", "100000000000000000000"},
      {"1e21", "1e+21"},
      {"0.0000001", "1e-7"},
      {"09", "9"},
      {"010.5", "10.5"},
  };
  for (const auto& [text, json] : cases) EXPECT_EQ(json::Dump(PlainScalar(text)), json) << text;
}

TEST(TaggedScalar, FollowsTheTag) {
  const auto tagged = [](const char* tag, const char* text) {
    const auto value = TaggedScalar(std::string("tag:yaml.org,2002:") + tag, text);
    return value ? json::Dump(*value) : value.error().message;
  };
  EXPECT_EQ(tagged("str", "5"), "\"5\"");
  EXPECT_EQ(tagged("int", "5"), "5");
  EXPECT_EQ(tagged("float", "5"), "5");
  EXPECT_EQ(tagged("int", "9223372036854775808"), "9223372036854775808");
  EXPECT_EQ(tagged("bool", "yes"), "true");
  EXPECT_EQ(tagged("binary", "aGk="), "\"hi\"");
  EXPECT_EQ(tagged("bool", "5"), "cannot decode !!int `5` as a !!bool");
  EXPECT_EQ(tagged("int", "x"), "cannot decode !!str `x` as a !!int");
  EXPECT_EQ(tagged("binary", "a"), "!!binary value contains invalid base64 data");
  EXPECT_EQ(json::Dump(*TaggedScalar("!mine", "5")), "\"5\"");
}

TEST(KeyText, OfEveryScalar) {
  EXPECT_EQ(KeyText(PlainScalar("on")), "true");
  EXPECT_EQ(KeyText(PlainScalar("014")), "12");
  EXPECT_EQ(KeyText(PlainScalar("1.5")), "1.5");
  EXPECT_EQ(KeyText(PlainScalar("x")), "x");
}

TEST(StaysString, FindsTextsThatNeedQuotes) {
  for (const char* text : {"a", "1.5.2", "100m", "12-30", "2001-02-30", "1:60", "a:1:2", "12:", "1e"}) {
    EXPECT_TRUE(StaysString(text)) << text;
  }
  for (const char* text : {"", "y", "null", "5", "0o14", "1e3", ".inf", "12:30", "1:2:3", "-1_0:30.5", "2001-01-01"}) {
    EXPECT_FALSE(StaysString(text)) << text;
  }
}

TEST(IsTimestamp, FormatsOfGo) {
  for (const char* text : {"2001-12-14", "2001-1-2", "2000-02-29", "2001-12-14 21:59:43", "2001-1-1 1:1:1.5",
                           "2001-12-14T21:59:43Z", "2001-12-14t21:59:43.10-05:00"}) {
    EXPECT_TRUE(IsTimestamp(text)) << text;
  }
  for (const char* text :
       {"2001-13-01", "2001-02-29", "2001-00-01", "01-12-14", "2001-12-14 24:00:00", "2001-12-14T21:59:43",
        "2001-12-14 21:59:43Z", "2001-12-14x", "2001-12", "20011-12-14", ""}) {
    EXPECT_FALSE(IsTimestamp(text)) << text;
  }
}

}  // namespace
}  // namespace berth::yaml

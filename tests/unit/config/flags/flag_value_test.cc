#include "config/flags/flag_value.h"

#include <gtest/gtest.h>

namespace berth::flags {
namespace {

using Texts = std::vector<std::string>;

std::string Error(const Value& value, const std::string& text) {
  const auto done = value.set(text);
  return done ? "taken" : done.error().message;
}

TEST(Bool, ReadsWhatGoReads) {
  bool on = false;
  const Value value = Bool(on);
  for (const char* text : {"1", "t", "T", "TRUE", "true", "True"}) {
    on = false;
    ASSERT_TRUE(value.set(text)) << text;
    EXPECT_TRUE(on) << text;
  }
  for (const char* text : {"0", "f", "F", "FALSE", "false", "False"}) {
    on = true;
    ASSERT_TRUE(value.set(text)) << text;
    EXPECT_FALSE(on) << text;
  }
  EXPECT_EQ(Error(value, "yes"), "strconv.ParseBool: parsing \"yes\": invalid syntax");
  EXPECT_EQ(Error(value, ""), "strconv.ParseBool: parsing \"\": invalid syntax");
  EXPECT_EQ(value.text(), "false");
}

TEST(Integers, ReadGosBases) {
  int32_t at = 0;
  const Value value = Int32(at);
  const std::vector<std::pair<const char*, int32_t>> good{{"0", 0},
                                                          {"-7", -7},
                                                          {"+7", 7},
                                                          {"0x1F", 31},
                                                          {"010", 8},
                                                          {"0o17", 15},
                                                          {"0b101", 5},
                                                          {"-0x10", -16},
                                                          {"2147483647", 2147483647},
                                                          {"-2147483648", -2147483647 - 1}};
  for (const auto& [text, number] : good) {
    ASSERT_TRUE(value.set(text)) << text;
    EXPECT_EQ(at, number) << text;
  }
  EXPECT_EQ(value.text(), "-2147483648");
  for (const char* bad : {"", "x", "1x", "1.5", " 1", "--1", "0x", "09"}) {
    EXPECT_EQ(Error(value, bad), "strconv.ParseInt: parsing \"" + std::string(bad) + "\": invalid syntax");
  }
  EXPECT_EQ(Error(value, "2147483648"), "strconv.ParseInt: parsing \"2147483648\": value out of range");
  EXPECT_EQ(at, -2147483647 - 1) << "a refused text changes nothing";

  int64_t large = 0;
  EXPECT_TRUE(Int64(large).set("-9223372036854775808"));
  EXPECT_EQ(large, INT64_MIN);
  EXPECT_EQ(Error(Int64(large), "99999999999999999999"),
            "strconv.ParseInt: parsing \"99999999999999999999\": value out of range");
}

TEST(Level, IsDecimalAndPositive) {
  int at = 0;
  EXPECT_TRUE(Level(at).set("4"));
  EXPECT_EQ(at, 4);
  for (const char* bad : {"-1", "+1", "0x2", "x", "", "1_0"}) {
    EXPECT_EQ(Error(Level(at), bad), "strconv.ParseUint: parsing \"" + std::string(bad) + "\": invalid syntax");
  }
  EXPECT_EQ(Error(Level(at), "3000000000"), "strconv.ParseUint: parsing \"3000000000\": value out of range");
  EXPECT_EQ(Error(Level(at), "99999999999999999999999"),
            "strconv.ParseUint: parsing \"99999999999999999999999\": value out of range");
  uint64_t seed = 0;
  EXPECT_TRUE(Uint64(seed).set("18446744073709551615"));
  EXPECT_EQ(seed, UINT64_MAX);
  EXPECT_EQ(Error(Uint64(seed), "-1"), "strconv.ParseUint: parsing \"-1\": invalid syntax");
}

TEST(Float32, PrintsAsGoDoes) {
  float at = 0;
  const Value value = Float32(at);
  const std::vector<std::pair<const char*, const char*>> cases{{"50", "50"},
                                                               {"1e3", "1000"},
                                                               {"-1.5", "-1.5"},
                                                               {"0.1", "0.1"},
                                                               {"1e-7", "1e-07"},
                                                               {"1e10", "1e+10"},
                                                               {"100000", "100000"},
                                                               {"1000000", "1e+06"},
                                                               {"+2", "2"},
                                                               {"inf", "+Inf"},
                                                               {"0.0001", "0.0001"},
                                                               {"0.00001", "1e-05"},
                                                               {"123456789", "1.2345679e+08"},
                                                               {"0", "0"}};
  for (const auto& [text, shown] : cases) {
    ASSERT_TRUE(value.set(text)) << text;
    EXPECT_EQ(value.text(), shown) << text;
  }
  EXPECT_EQ(Error(value, "x"), "strconv.ParseFloat: parsing \"x\": invalid syntax");
  EXPECT_EQ(Error(value, "1e99"), "strconv.ParseFloat: parsing \"1e99\": value out of range");
}

TEST(List, ReplacesTheDefaultThenAdds) {
  Texts at{"x"};
  const Value value = List(at);
  EXPECT_EQ(value.text(), "[x]");
  ASSERT_TRUE(value.set("a,b"));
  ASSERT_TRUE(value.set("c"));
  EXPECT_EQ(at, (Texts{"a", "b", "c"}));
  ASSERT_TRUE(value.set("\"d,\"\"e\",f"));
  EXPECT_EQ(at, (Texts{"a", "b", "c", "d,\"e", "f"}));
  EXPECT_EQ(value.text(), "[a,b,c,\"d,\"\"e\",f]");
  EXPECT_EQ(Error(value, "\"a,b"), "extraneous or missing \" in quoted-field");
  EXPECT_EQ(Error(value, "\"a\"b"), "extraneous or missing \" in quoted-field");
  EXPECT_EQ(Error(value, "a\"b"), "bare \" in non-quoted-field");
}

TEST(List, AnEmptyValueClearsTheList) {
  Texts at{"x"};
  ASSERT_TRUE(List(at).set(""));
  EXPECT_EQ(at, Texts{});
}

TEST(Int32List, AddsNumbers) {
  std::vector<int32_t> at;
  const Value value = Int32List(at);
  ASSERT_TRUE(value.set("1,2"));
  ASSERT_TRUE(value.set("3"));
  EXPECT_EQ(value.text(), "[1,2,3]");
  EXPECT_EQ(Error(value, "1,x"), "strconv.ParseInt: parsing \"x\": invalid syntax");
  EXPECT_EQ(Error(value, ""), "strconv.ParseInt: parsing \"\": invalid syntax");
}

TEST(Map, ReadsPairs) {
  std::map<std::string, std::string> at{{"old", "1"}};
  const Value value = Map(at);
  ASSERT_TRUE(value.set("m,l=a b"));  // a single pair may contain commas
  ASSERT_TRUE(value.set("x=1,y=2=3"));
  EXPECT_EQ(at, (std::map<std::string, std::string>{{"m,l", "a b"}, {"x", "1"}, {"y", "2=3"}}));
  EXPECT_EQ(value.text(), "[\"m,l=a b\",x=1,y=2=3]");
  EXPECT_EQ(Error(value, "x"), "x must be formatted as key=value");
  EXPECT_EQ(Error(value, "a=b,x,c=d"), "x must be formatted as key=value");
}

TEST(Choice, NamesTheAllowedValues) {
  std::string at = "table";
  const Value value = Choice(at, {"table", "json"});
  EXPECT_TRUE(value.set("json"));
  EXPECT_EQ(at, "json");
  EXPECT_EQ(Error(value, "yaml"), "not in {table,json}");
  EXPECT_EQ(value.type, "{table,json}");
}

}  // namespace
}  // namespace berth::flags

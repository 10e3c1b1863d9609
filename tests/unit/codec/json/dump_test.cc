#include <gtest/gtest.h>

#include <limits>

#include "codec/json/value.h"

namespace berth::json {
namespace {

TEST(Dump, CompactAndPretty) {
  const Value v = Value::MakeObject({{"b", Array{Value(1), Value(), Value(true)}}, {"a", Object()}, {"c", Array()}});
  EXPECT_EQ(Dump(v), R"({"b":[1,null,true],"a":{},"c":[]})");
  EXPECT_EQ(Dump(v, 2), "{\n  \"b\": [\n    1,\n    null,\n    true\n  ],\n  \"a\": {},\n  \"c\": []\n}");
  EXPECT_EQ(Dump(Value("x"), 2), "\"x\"");
}

TEST(Dump, NumbersAsGoWritesThem) {
  const std::pair<double, const char*> cases[] = {
      {50.0, "50"},
      {0.1, "0.1"},
      {1e20, "100000000000000000000"},
      {1e21, "1e+21"},
      {1e-6, "0.000001"},
      {1e-7, "1e-7"},
      {-2.5e-10, "-2.5e-10"},
      {1.7976931348623157e308, "1.7976931348623157e+308"},
      {0.0, "0"},
      {-0.0, "-0"},
      {1e-9, "1e-9"},
      {5e-324, "5e-324"},
  };
  for (const auto& [number, text] : cases) EXPECT_EQ(NumberText(number), text);
  EXPECT_EQ(Dump(Value(std::numeric_limits<double>::infinity())), "null");
  EXPECT_EQ(Dump(Value(INT64_MIN)), "-9223372036854775808");
  EXPECT_EQ(Dump(Value::Whole(UINT64_MAX)), "18446744073709551615");
}

TEST(Dump, EscapesAndRepairsStrings) {
  const std::pair<std::string, const char*> cases[] = {
      {"a\"b\\c", R"("a\"b\\c")"},
      {"\b\f\n\r\t\x01\x1f", R"("\b\f\n\r\t\u0001\u001f")"},
      {"\xE4\xB8\xAD\xF0\x9F\x98\x80\x7f/", "\"\xE4\xB8\xAD\xF0\x9F\x98\x80\x7f/\""},
      {"\xff"
       "a",
       "\"\xEF\xBF\xBD"
       "a\""},
      {"\xC0\x80", "\"\xEF\xBF\xBD\xEF\xBF\xBD\""},                  // overlong
      {"\xED\xA0\x80", "\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\""},  // surrogate
      {"\xE4\xB8", "\"\xEF\xBF\xBD\xEF\xBF\xBD\""},                  // cut short
      {"\xF4\x90\x80\x80", "\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\""},
      {std::string("\0", 1), R"("\u0000")"},
  };
  for (const auto& [text, expected] : cases) EXPECT_EQ(Dump(Value(text)), expected);
}

TEST(Dump, ReadsBackUnchanged) {
  const char* text = R"({"a":[1,-5,0.25,"\u0001 \"q\""],"b":{"c":null,"d":false},"e":1e+300,"f":9223372036854775809})";
  EXPECT_EQ(Dump(*Parse(text)), text);
}

}  // namespace
}  // namespace berth::json

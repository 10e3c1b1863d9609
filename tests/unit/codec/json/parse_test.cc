#include <gtest/gtest.h>

#include "codec/json/value.h"

namespace berth::json {
namespace {

std::string At(const Mark& mark) { return std::to_string(mark.line) + ":" + std::to_string(mark.column); }

TEST(Parse, KindsOfNumbers) {
  const Value v = *Parse(R"([0, -0, 9223372036854775807, -9223372036854775808, 9223372036854775808, 1.0, 1e3, -2.5,
                             18446744073709551615, 18446744073709551616])");
  EXPECT_EQ(v.array()[1], Value(0));
  EXPECT_EQ(v.array()[2], Value(INT64_MAX));
  EXPECT_EQ(v.array()[3], Value(INT64_MIN));
  EXPECT_EQ(v.array()[4], Value::Whole(uint64_t{1} << 63));
  EXPECT_EQ(v.array()[5], Value(1.0));
  EXPECT_EQ(v.array()[6], Value(1000.0));
  EXPECT_EQ(v.array()[7], Value(-2.5));
  EXPECT_EQ(v.array()[8], Value::Whole(UINT64_MAX));
  EXPECT_EQ(v.array()[9], Value(18446744073709551616.0));
}

TEST(Parse, MarksValuesAndKeys) {
  const Value v = *Parse("{\n  \"a\": [1,\n    \"x\\\"y\" , true],\n\t\"b\" :{\"c\":null}}\n");
  EXPECT_EQ(At(v.mark()), "1:1");
  EXPECT_EQ(At(v.Find("a")->mark()), "2:8");
  EXPECT_EQ(At(v.Find("a")->key_mark()), "2:3");
  EXPECT_EQ(At(v.Find("a")->array()[0].mark()), "2:9");
  EXPECT_EQ(At(v.Find("a")->array()[1].mark()), "3:5");
  EXPECT_EQ(At(v.Find("a")->array()[2].mark()), "3:14");
  EXPECT_EQ(At(v.Find("b")->mark()), "4:7");
  EXPECT_EQ(At(v.FindPath("b.c")->mark()), "4:12");
  EXPECT_EQ(At(v.FindPath("b.c")->key_mark()), "4:8");
}

TEST(Parse, SkipsAByteOrderMark) { EXPECT_EQ(At(Parse("\xEF\xBB\xBF{}")->mark()), "1:4"); }

struct BadCase {
  const char* text;
  const char* error;
};

TEST(Parse, ErrorsHavePositions) {
  const BadCase cases[] = {
      {"", "line 1, column 1: "},
      {"{\"a\": 1,\n \"b\": }", "line 2, column 7: "},
      {"[1, 2", "line 1, column 6: "},
      {"[1] x", "line 1, column 5: "},
      {"\"a\nb\"", "line 1, column 3: "},
      {"[01]", "line 1, column 3: "},
      {"[1e999]", "line 1, column "},
      {"[\"\xff\"]", "line 1, column 3: "},
      {"{a: 1}", "line 1, column 2: "},
      {"[NaN]", "line 1, column 2: "},
      {"{\"a\":1,\n\"b\":{\"c\":1,\n \"c\":2}}", "line 3, column 2: duplicate field \"b.c\""},
      {"[{\"x\":1,\"x\":1}]", "line 1, column 9: duplicate field \"[0].x\""},
  };
  for (const BadCase& c : cases) {
    const auto value = Parse(c.text);
    ASSERT_FALSE(value) << c.text;
    EXPECT_EQ(value.error().message.rfind(c.error, 0), 0u) << c.text << "\n" << value.error().message;
    EXPECT_EQ(value.error().message.find("json.exception"), std::string::npos);
  }
}

TEST(Parse, CollectsDuplicatesAndKeepsTheLast) {
  std::vector<DuplicateKey> duplicates;
  std::string text = "{\"a\":1,\"b\":2,\"a\":3,\"a\":4";
  for (int i = 0; i < 100; ++i) text += ",\"k" + std::to_string(i) + "\":0";
  text += ",\"k50\":9}";
  const Value v = *ParseCollecting(text, duplicates);
  ASSERT_EQ(duplicates.size(), 3u);
  EXPECT_EQ(duplicates[0].path, "a");
  EXPECT_EQ(At(duplicates[0].mark), "1:14");
  EXPECT_EQ(duplicates[2].key, "k50");
  EXPECT_EQ(v.object().size(), 102u);
  EXPECT_EQ(v.object()[0].first, "a");
  EXPECT_EQ(v.Find("a")->integer(), 4);
  EXPECT_EQ(v.Find("k50")->integer(), 9);
}

TEST(Parse, ANulDoesNotEndTheText) {
  for (const std::string_view text : {std::string_view("{}\0", 3), std::string_view("1\0junk", 6)}) {
    const auto value = Parse(text);
    ASSERT_FALSE(value);
    EXPECT_EQ(value.error().message, "line 1, column " + std::to_string(text.find('\0') + 1) + ": a NUL byte");
  }
}

TEST(Parse, RejectsDeepNesting) {
  const std::string deep(kMaxDepth, '[');
  EXPECT_TRUE(Parse(deep + std::string(kMaxDepth, ']')));
  const auto deeper = Parse(deep + "[" + std::string(kMaxDepth + 1, ']'));
  ASSERT_FALSE(deeper);
  EXPECT_EQ(deeper.error().message, "line 1, column 501: nested more than 500 deep");
  EXPECT_FALSE(Parse(std::string(2'000'000, '[')));
}

TEST(Parse, ManyKeysTakeLinearithmicTime) {
  std::string text = "{";
  for (int i = 0; i < 200'000; ++i) text += "\"key" + std::to_string(i) + "\":0,";
  text += "\"last\":1}";
  EXPECT_EQ(Parse(text)->object().size(), 200'001u);
}

}  // namespace
}  // namespace berth::json

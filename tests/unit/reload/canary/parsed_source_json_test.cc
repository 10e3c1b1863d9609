#include "reload/canary/parsed_source_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace berth::canary {
namespace {

using json::Value;

constexpr const char* kText = R"(kind: X
list: [1, 2.5, true, null, text, {}, []]
whole: 9223372036854775808
nested:
  key: {a: [[1]]}
)";

void ExpectSame(const Value& value, const Value& other) {
  ASSERT_EQ(value.kind(), other.kind());
  EXPECT_EQ(value.mark().line, other.mark().line);
  EXPECT_EQ(value.mark().column, other.mark().column);
  EXPECT_EQ(value.key_mark().line, other.key_mark().line);
  EXPECT_EQ(value.key_mark().column, other.key_mark().column);
  ASSERT_EQ(value.array().size(), other.array().size());
  for (size_t i = 0; i < value.array().size(); ++i) ExpectSame(value.array()[i], other.array()[i]);
  ASSERT_EQ(value.object().size(), other.object().size());
  for (size_t i = 0; i < value.object().size(); ++i) {
    EXPECT_EQ(value.object()[i].first, other.object()[i].first);
    ExpectSame(value.object()[i].second, other.object()[i].second);
  }
  const bool scalar = !value.is_array() && !value.is_object();
  EXPECT_TRUE(!scalar || value == other);
}

// The child process also gets it through a text.
Value Sent(const config::ParsedSource& source) { return *json::Parse(json::Dump(ToValue(source))); }

TEST(ParsedSourceJson, KeepsKindsPositionsAndOrder) {
  const auto parsed = config::Parse({{"a.yaml", std::string(kText) + "---\nb: 1\n"}});
  ASSERT_FALSE(parsed.at(0).fault);
  const auto back = ParsedSourceOf(Sent(parsed[0]));
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(back->name, "a.yaml");
  ASSERT_EQ(back->documents.size(), 2u);
  for (size_t i = 0; i < 2; ++i) ExpectSame(parsed[0].documents[i].root, back->documents[i].root);
}

TEST(ParsedSourceJson, KeepsNumbersToTheLastBit) {
  config::ParsedSource source{
      "a", {{Value{json::Array{Value(50.0), Value(0.1), Value(-1e300), Value(int64_t{50})}}, {}}}, {}};
  const auto back = ParsedSourceOf(Sent(source));
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(back->documents.at(0).root, source.documents[0].root);
}

TEST(ParsedSourceJson, RejectsAnythingElse) {
  for (const char* text : {"{}", "[]", R"({"documents":[[1,1,0,0]]})", R"({"documents":[[1,1,0,0,"scalar"]]})",
                           R"({"documents":[[1,1,0,0,"other",1]]})", R"({"documents":[[1,1,0,0,"double","x"]]})"}) {
    EXPECT_FALSE(ParsedSourceOf(*json::Parse(text))) << text;
  }
}

}  // namespace
}  // namespace berth::canary

// Answers without a server: where they end, and that no text whatever does harm.
#include "extender/answer.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "extender/first_value.h"

namespace berth::extender {
namespace {

TEST(FirstValue, EndsWhereTheValueEnds) {
  const struct {
    const char *text, *value;
  } cases[] = {
      {"", ""},
      {" \t\r\n", ""},
      {"{}", "{}"},
      {" [1, [2]] ]", "[1, [2]]"},
      {R"({"a":"}"}{"b":1})", R"({"a":"}"})"},
      {R"({"a":"\"}"} x)", R"({"a":"\"}"})"},
      {R"({"a":"\\"}})", R"({"a":"\\"})"},
      {R"("a\"b" "c")", R"("a\"b")"},
      {"null true", "null"},
      {"12", "12"},
      {"{", ""},
      {R"({"a)", ""},
      {R"("\)", ""},
      {R"("\")", ""},
      {"]", "]"},
  };
  for (const auto& c : cases) EXPECT_EQ(FirstValue(c.text), c.value) << c.text;
}

TEST(Answer, LaterFieldsReplaceEarlierOnes) {
  const auto lists = DecodeFilterAnswer(R"({"NodeNames":["a"],"nodenames":["b","c"],"Nodes":{},"nodes":null,)"
                                        R"("Error":"x","error":""})");
  ASSERT_TRUE(lists) << lists.error().message;
  EXPECT_EQ(lists->node_names, (std::vector<std::string>{"b", "c"}));
  EXPECT_FALSE(lists->nodes);
  EXPECT_EQ(lists->error, "");
  // Go adds to a map that is there.
  const auto maps = DecodeFilterAnswer(R"({"FailedNodes":{"a":"1","b":"2"},"failednodes":{"b":"3"}})");
  ASSERT_TRUE(maps) << maps.error().message;
  EXPECT_EQ(maps->failed, (std::map<std::string, std::string>{{"a", "1"}, {"b", "3"}}));
}

TEST(Answer, TextsAreUnescaped) {
  const auto bound = DecodeBindAnswer(R"({"Error":"no \"room\"\nat all \u00e9"})");
  ASSERT_TRUE(bound) << bound.error().message;
  EXPECT_EQ(*bound, "no \"room\"\nat all \u00e9");
}

TEST(Answer, NullIsAnEmptyAnswer) {
  EXPECT_TRUE(DecodeScores("null")->empty());
  EXPECT_TRUE(DecodePreemptAnswer("null")->empty());
  EXPECT_TRUE(DecodePreemptAnswer(R"({"NodeNameToMetaVictims":null})")->empty());
  EXPECT_TRUE(DecodeBindAnswer("null")->empty());
}

TEST(Answer, DeepDocumentsAreSkippedOrRefused) {
  const std::string deep = std::string(100'000, '[') + std::string(100'000, ']');
  EXPECT_TRUE(DecodeFilterAnswer("{\"unknown\":" + deep + ",\"NodeNames\":[]}"));
  EXPECT_FALSE(DecodeFilterAnswer("{\"NodeNames\":" + deep + "}"));
  EXPECT_FALSE(DecodeScores(deep));
}

// One decoder's outcome as a text; every failure has a reason.
template <class Result>
std::string Outcome(const Result& result) {
  if (result) return "ok";
  EXPECT_FALSE(result.error().message.empty());
  return "error";
}

TEST(Answer, DamagedTextsDoNoHarm) {
  const std::string whole =
      R"({"Nodes":{"metadata":{},"items":[{"metadata":{"name":"a\u0041"}}]},"NodeNames":["b",null],)"
      R"("FailedNodes":{"c":"x"},"NodeNameToMetaVictims":{"d":{"Pods":[{"UID":"e"}],"NumPDBViolations":-1}},)"
      R"("Error":"","z":[1.5e3,true,{"Score":7}]})";
  ASSERT_TRUE(DecodeFilterAnswer(whole));
  constexpr std::string_view kBytes = "{}[]\",:\\0-n\x80 ";
  base::Random random(5);
  size_t refused = 0;
  for (int round = 0; round < 20'000; ++round) {
    std::string text = whole.substr(0, random.Below(4) == 0 ? random.Below(whole.size()) : whole.size());
    for (size_t i = random.Below(4); i > 0 && !text.empty(); --i) {
      text[random.Below(text.size())] = kBytes[random.Below(kBytes.size())];
    }
    if (random.Below(2) == 0) text = "[" + text + "]";
    refused += Outcome(DecodeFilterAnswer(text)) == "error";
    Outcome(DecodeScores(text));
    Outcome(DecodeBindAnswer(text));
    Outcome(DecodePreemptAnswer(text));
    const std::string_view value = FirstValue(text);
    EXPECT_EQ(FirstValue(value), value) << text;
  }
  EXPECT_GT(refused, 10'000u);
  EXPECT_LT(refused, 20'000u);
}

}  // namespace
}  // namespace berth::extender

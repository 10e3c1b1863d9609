// Decoding of replies without a server, also of damaged ones.
#include "scheduler/extender/extender_reply.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "scheduler/extender/first_value.h"

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

TEST(Reply, LaterFieldsReplaceEarlierOnes) {
  const auto lists = DecodeFilterReply(R"({"NodeNames":["a"],"nodenames":["b","c"],"Nodes":{},"nodes":null,)"
                                       R"("Error":"x","error":""})");
  ASSERT_TRUE(lists) << lists.error().message;
  EXPECT_EQ(lists->node_names, (std::vector<std::string>{"b", "c"}));
  EXPECT_FALSE(lists->nodes);
  EXPECT_EQ(lists->error, "");
  // Go adds to an existing map.
  const auto maps = DecodeFilterReply(R"({"FailedNodes":{"a":"1","b":"2"},"failednodes":{"b":"3"}})");
  ASSERT_TRUE(maps) << maps.error().message;
  EXPECT_EQ(maps->failed, (std::map<std::string, std::string>{{"a", "1"}, {"b", "3"}}));
}

TEST(Reply, TextsAreUnescaped) {
  const auto bound = DecodeBindReply(R"({"Error":"no \"room\"\nat all \u00e9"})");
  ASSERT_TRUE(bound) << bound.error().message;
  EXPECT_EQ(*bound, "no \"room\"\nat all \u00e9");
}

TEST(Reply, NullIsAnEmptyReply) {
  EXPECT_TRUE(DecodeScores("null")->empty());
  EXPECT_TRUE(DecodePreemptionReply("null")->empty());
  EXPECT_TRUE(DecodePreemptionReply(R"({"NodeNameToMetaVictims":null})")->empty());
  EXPECT_TRUE(DecodeBindReply("null")->empty());
}

TEST(Reply, DeepDocumentsAreSkippedOrRejected) {
  const std::string deep = std::string(100'000, '[') + std::string(100'000, ']');
  EXPECT_TRUE(DecodeFilterReply("{\"unknown\":" + deep + ",\"NodeNames\":[]}"));
  EXPECT_FALSE(DecodeFilterReply("{\"NodeNames\":" + deep + "}"));
  EXPECT_FALSE(DecodeScores(deep));
}

// The outcome of one decoder as a text; every error has a message.
template <class Result>
std::string Outcome(const Result& result) {
  if (result) return "ok";
  EXPECT_FALSE(result.error().message.empty());
  return "error";
}

TEST(Reply, DamagedTextsAreErrors) {
  const std::string whole =
      R"({"Nodes":{"metadata":{},"items":[{"metadata":{"name":"a\u0041"}}]},"NodeNames":["b",null],)"
      R"("FailedNodes":{"c":"x"},"NodeNameToMetaVictims":{"d":{"Pods":[{"UID":"e"}],"NumPDBViolations":-1}},)"
      R"("Error":"","z":[1.5e3,true,{"Score":7}]})";
  ASSERT_TRUE(DecodeFilterReply(whole));
  constexpr std::string_view kBytes = "{}[]\",:\\0-n\x80 ";
  base::Random random(5);
  size_t refused = 0;
  for (int round = 0; round < 20'000; ++round) {
    std::string text = whole.substr(0, random.Below(4) == 0 ? random.Below(whole.size()) : whole.size());
    for (size_t i = random.Below(4); i > 0 && !text.empty(); --i) {
      text[random.Below(text.size())] = kBytes[random.Below(kBytes.size())];
    }
    if (random.Below(2) == 0) text = "[" + text + "]";
    refused += Outcome(DecodeFilterReply(text)) == "error";
    Outcome(DecodeScores(text));
    Outcome(DecodeBindReply(text));
    Outcome(DecodePreemptionReply(text));
    const std::string_view value = FirstValue(text);
    EXPECT_EQ(FirstValue(value), value) << text;
  }
  EXPECT_GT(refused, 10'000u);
  EXPECT_LT(refused, 20'000u);
}

}  // namespace
}  // namespace berth::extender

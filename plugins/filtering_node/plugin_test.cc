#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <berth/testing/plugin_under_test.hpp>

#include "../common/glob.h"

namespace {

using namespace berth::sdk::testing;  // NOLINT: tests use the fake host's names
using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(Glob, TableOfCases) {
  struct Case {
    const char *pattern, *name;
    bool matches;
  };
  const Case kCases[] = {
      {"edge-1", "edge-1", true},
      {"edge-1", "edge-10", false},
      {"edge-1", "an-edge-1", false},
      {"edge-*", "edge-", true},
      {"edge-*", "edge-1.eu", true},
      {"edge-*", "edge", false},
      {"*", "", true},
      {"*", "x", true},
      {"", "", true},
      {"", "x", false},
      {"?", "x", true},
      {"?", "", false},
      {"n?-*-z", "n1-a-b-z", true},
      {"n?-*-z", "n-a-z", false},
      {"*-z-*", "a-z-z-b", true},
      {"*ab*ab", "abab", true},
      {"*ab*ab", "aab", false},
      {"**a**", "bab", true},
      {"*.*", "ab", false},
      {"a*b*c", "abcbc", true},
  };
  for (const Case& c : kCases)
    EXPECT_EQ(plugins::GlobMatches(c.pattern, c.name), c.matches) << c.pattern << ' ' << c.name;
}

// An exponential algorithm would not finish.
TEST(Glob, ManyStarsAreNoTrap) {
  std::string pattern, name(5000, 'a');
  for (int i = 0; i < 200; ++i) pattern += "a*";
  EXPECT_FALSE(plugins::GlobMatches(pattern + "b", name));
}

FakeValue Selector(std::vector<FakeValue::Member> labels) {
  return FakeValue::Object({{"matchLabels", FakeValue::Object(std::move(labels))}});
}
FakeValue Expression(const char* key, const char* op, std::vector<FakeValue> values) {
  return FakeValue::Object({{"key", key}, {"operator", op}, {"values", FakeValue::Array(std::move(values))}});
}

class FilteringNodeTest : public ::testing::Test {
 protected:
  FilteringNodeTest() {
    plugin_.cluster()
        .Add(FakeNode("plain"))
        .Add(FakeNode("edge-1").Label("wyq", "Unschedulable"))
        .Add(FakeNode("edge-2"))
        .Add(FakeNode("slow").Label("disk", "hdd").Label("zone", "b"));
  }
  ~FilteringNodeTest() override { EXPECT_THAT(plugin_.Violations(), IsEmpty()); }

  static Outcome Refused(const std::string& rule) {
    return {BERTH_UNRESOLVABLE, {"node(s) were refused by filteringNode (" + rule + ")"}};
  }
  void Start(std::vector<FakeValue::Member> args) {
    plugin_.Args(FakeValue::Object(std::move(args)));
    ASSERT_TRUE(plugin_.Start().ok());
  }
  std::map<std::string, Outcome> Filter() { return plugin_.Try(FakePod("p"))->Filter().nodes; }

  PluginUnderTest plugin_{berth_entry_v1, "filteringNode"};
  const Outcome ok_;
};

TEST_F(FilteringNodeTest, WithoutArgsRefusesNone) {
  ASSERT_TRUE(plugin_.Start().ok());
  for (const auto& [name, outcome] : Filter()) EXPECT_TRUE(outcome.ok()) << name;
}

TEST_F(FilteringNodeTest, NamesAreWholeNames) {
  Start({{"names", FakeValue::Array({"edge-1", "edge", "gone"})}});
  EXPECT_THAT(Filter(), ElementsAre(std::pair("edge-1", Refused("names: \"edge-1\"")), std::pair("edge-2", ok_),
                                    std::pair("plain", ok_), std::pair("slow", ok_)));
}

TEST_F(FilteringNodeTest, PatternsAreGlobs) {
  Start({{"patterns", FakeValue::Array({"edge-*", "s??w"})}});
  EXPECT_THAT(Filter(), ElementsAre(std::pair("edge-1", Refused("patterns: \"edge-*\"")),
                                    std::pair("edge-2", Refused("patterns: \"edge-*\"")), std::pair("plain", ok_),
                                    std::pair("slow", Refused("patterns: \"s??w\""))));
}

TEST_F(FilteringNodeTest, SelectorsLookAtLabels) {
  const FakeValue slow = FakeValue::Object(
      {{"matchExpressions",
        FakeValue::Array({Expression("zone", "In", {"b", "a"}), Expression("gpu", "DoesNotExist", {})})},
       {"matchLabels", FakeValue::Object({{"disk", "hdd"}})}});
  Start({{"labelSelectors", FakeValue::Array({Selector({{"wyq", "Unschedulable"}}), slow})}});
  EXPECT_THAT(Filter(), ElementsAre(std::pair("edge-1", Refused("labelSelectors: \"wyq=Unschedulable\"")),
                                    std::pair("edge-2", ok_), std::pair("plain", ok_),
                                    std::pair("slow", Refused("labelSelectors: \"disk=hdd,!gpu,zone in (a,b)\""))));
}

TEST_F(FilteringNodeTest, TheFirstRuleIsTheOneThatIsNamed) {
  Start({{"labelSelectors", FakeValue::Array({Selector({{"wyq", "Unschedulable"}})})},
         {"patterns", FakeValue::Array({"edge-*"})},
         {"names", FakeValue::Array({"edge-1"})}});
  EXPECT_EQ(Filter().at("edge-1"), Refused("names: \"edge-1\""));
  EXPECT_EQ(Filter().at("edge-2"), Refused("patterns: \"edge-*\""));
}

TEST_F(FilteringNodeTest, ThreadsAnswerAlike) {
  for (int i = 0; i < 50; ++i) plugin_.cluster().Add(FakeNode("edge-a" + std::to_string(i)));
  Start({{"patterns", FakeValue::Array({"edge-*"})}});
  auto attempt = plugin_.Try(FakePod("p"));
  EXPECT_EQ(attempt->FilterInParallel(4).nodes, attempt->Filter().nodes);
}

TEST_F(FilteringNodeTest, RetriesWhenANodeIsNoLongerRefused) {
  Start({{"labelSelectors", FakeValue::Array({Selector({{"wyq", "Unschedulable"}})})}});
  EXPECT_EQ(plugin_.Interests(),
            (std::vector<InterestOutcome>{{"Node", BERTH_ACTION_ADD | BERTH_ACTION_UPDATE_NODE_LABEL, true}}));
  const FakeNode good("n"), bad = FakeNode("n").Label("wyq", "Unschedulable");
  const auto retry = [&](std::optional<FakeNode> before, std::optional<FakeNode> now) -> bool {
    const FakeEvent event{.resource = "Node", .old_node = std::move(before), .new_node = std::move(now)};
    return plugin_.Hints(event, {FakePod("p")}).queue.at(0);
  };
  EXPECT_TRUE(retry(std::nullopt, good));
  EXPECT_FALSE(retry(std::nullopt, bad));
  EXPECT_TRUE(retry(bad, good));
  EXPECT_FALSE(retry(good, bad));
  EXPECT_FALSE(retry(good, good));
  EXPECT_FALSE(retry(bad, std::nullopt));
}

TEST_F(FilteringNodeTest, ArgsAreCompleted) {
  EXPECT_EQ(plugin_.Complete(FakeValue()).json, R"({"names":[],"patterns":[],"labelSelectors":[]})");
  const FakeValue args = FakeValue::Object({{"labelSelectors", FakeValue::Array({Selector({{"a", "b"}})})}});
  EXPECT_EQ(plugin_.Complete(args).json, R"({"names":[],"patterns":[],"labelSelectors":[{"matchLabels":{"a":"b"}}]})");
}

TEST_F(FilteringNodeTest, ArgsAreDecodedStrictly) {
  const auto errors = [&](std::vector<FakeValue::Member> args) {
    return plugin_.Complete(FakeValue::Object(std::move(args))).Errors();
  };
  EXPECT_THAT(errors({{"name", "edge-1"}}), ElementsAre("name: unknown field \"name\""));
  EXPECT_THAT(errors({{"names", "edge-1"}}),
              ElementsAre("names: json: cannot unmarshal string into field \"names\" of type []string"));
  EXPECT_THAT(errors({{"labelSelectors", FakeValue::Object()}}),
              ElementsAre("labelSelectors: json: cannot unmarshal object into field \"labelSelectors\""));
  EXPECT_THAT(errors({{"labelSelectors", FakeValue::Array({FakeValue::Object({{"wyq", "Unschedulable"}})})}}),
              ElementsAre("labelSelectors[0].wyq: unknown field \"wyq\""));
}

TEST_F(FilteringNodeTest, ArgsAreChecked) {
  const auto errors = [&](std::vector<FakeValue::Member> args) {
    return plugin_.Check(FakeValue::Object(std::move(args))).Errors();
  };
  EXPECT_THAT(
      errors({{"names", FakeValue::Array({"edge-*", "", "Edge", "a/b", "n", "n"})}}),
      ElementsAre("names[0]: Invalid value: \"edge-*\": must not contain wildcards: they belong into patterns",
                  "names[1]: Required value: can not be empty",
                  "names[2]: Invalid value: \"Edge\": must consist of lower case alphanumeric characters, '-' "
                  "or '.'",
                  "names[3]: Invalid value: \"a/b\": must not contain '/'", "names[5]: Duplicate value: \"n\""));
  EXPECT_THAT(
      errors({{"patterns", FakeValue::Array({"edge-[12]"})}}),
      ElementsAre("patterns[0]: Invalid value: \"edge-[12]\": must consist of lower case alphanumeric characters, "
                  "'-' or '.'"));
  EXPECT_THAT(
      errors({{"labelSelectors", FakeValue::Array({FakeValue::Object()})}}),
      ElementsAre("labelSelectors[0]: Required value: matchLabels or matchExpressions; to refuse everything, use "
                  "the pattern \"*\""));
  EXPECT_THAT(
      errors({{"labelSelectors", FakeValue::Array({FakeValue::Object(
                                     {{"matchExpressions", FakeValue::Array({Expression("a", "Near", {"b"})})}})})}}),
      ElementsAre("labelSelectors[0].matchExpressions[0].operator: Invalid value: \"Near\": not a valid selector "
                  "operator"));
  EXPECT_THAT(errors({{"patterns", FakeValue::Array({"*"})}}), IsEmpty());
}

}  // namespace

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include <berth/testing/plugin_under_test.hpp>

#include "draw.h"

namespace {

using namespace berth::sdk::testing;  // NOLINT: tests use the fake host's names
using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(Draw, IsEvenlySpread) {
  std::array<int, rand_score::kMostScore + 1> seen{};
  constexpr int kDraws = 101'000;  // 1000 of each expected, with a standard deviation of 31
  for (int i = 0; i < kDraws; ++i) {
    const int64_t score = rand_score::Draw(static_cast<uint64_t>(i / 100), "node-" + std::to_string(i % 100));
    ASSERT_GE(score, 0);
    ASSERT_LE(score, 100);
    ++seen[static_cast<size_t>(score)];
  }
  for (size_t score = 0; score < seen.size(); ++score) {
    EXPECT_GT(seen[score], 800) << score;
    EXPECT_LT(seen[score], 1200) << score;
  }
}

TEST(Draw, IsAFunctionOfSeedAndName) {
  EXPECT_EQ(rand_score::Draw(7, "a"), rand_score::Draw(7, "a"));
  EXPECT_NE(rand_score::Hash(7, {"ab", "c"}), rand_score::Hash(7, {"a", "bc"}));
  EXPECT_NE(rand_score::Hash(7, {"a"}), rand_score::Hash(8, {"a"}));
}

class RandScoreTest : public ::testing::Test {
 protected:
  RandScoreTest() {
    for (int i = 0; i < 30; ++i) plugin_.cluster().Add(FakeNode("node-" + std::to_string(i)));
  }
  ~RandScoreTest() override { EXPECT_THAT(plugin_.Violations(), IsEmpty()); }

  Scores ScoresOf(const FakePod& pod) { return plugin_.Try(pod)->Score().nodes; }
  // Runs a new instance with this attempt seed.
  static Scores Another(uint64_t attempt_seed, std::optional<int64_t> seed, const FakePod& pod) {
    PluginUnderTest plugin(berth_entry_v1, "randScore");
    for (int i = 0; i < 30; ++i) plugin.cluster().Add(FakeNode("node-" + std::to_string(i)));
    plugin.host().Seed(attempt_seed);
    if (seed) plugin.Args(FakeValue::Object({{"seed", *seed}}));
    EXPECT_TRUE(plugin.Start().ok());
    return plugin.Try(pod)->Score().nodes;
  }

  PluginUnderTest plugin_{berth_entry_v1, "randScore"};
};

TEST_F(RandScoreTest, WithoutArgsTheAttemptsSeedDecides) {
  const Scores scores = Another(11, std::nullopt, FakePod("p"));
  EXPECT_EQ(scores.size(), 30u);
  EXPECT_EQ(Another(11, std::nullopt, FakePod("p")), scores);
  EXPECT_NE(Another(12, std::nullopt, FakePod("p")), scores);
}

TEST_F(RandScoreTest, WithASeedOfItsOwnThePodDecides) {
  const Scores scores = Another(11, 7, FakePod("p"));
  EXPECT_EQ(Another(12, 7, FakePod("p")), scores);
  EXPECT_NE(Another(11, 8, FakePod("p")), scores);
  EXPECT_NE(Another(11, 7, FakePod("q")), scores);
  EXPECT_NE(Another(11, 7, FakePod("p").Namespace("other")), scores);
}

TEST_F(RandScoreTest, ScoresDoNotDependOnOtherNodes) {
  ASSERT_TRUE(plugin_.Start().ok());
  auto attempt = plugin_.Try(FakePod("p"));
  const Scores all = attempt->Score().nodes;
  EXPECT_EQ(attempt->Score({"node-17", "node-4"}).nodes,
            (Scores{{"node-17", all.at("node-17")}, {"node-4", all.at("node-4")}}));
}

TEST_F(RandScoreTest, LogsEachNodeAndTheNormalising) {
  plugin_.host().Verbosity(3);
  ASSERT_TRUE(plugin_.Start().ok());
  auto attempt = plugin_.Try(FakePod("test"));
  attempt->Score({"node-1", "node-2"});
  const Scores scores{{"node-1", 3}, {"node-2", 100}};
  EXPECT_EQ(attempt->Normalize(scores).nodes, scores);
  Texts lines;
  for (const LogLine& line : plugin_.host().Log()) {
    EXPECT_EQ(line.verbosity, 3);
    lines.push_back(line.message);
  }
  EXPECT_THAT(lines, ElementsAre("Score: pod: test, node: node-1", "Score: pod: test, node: node-2",
                                 "NormalizeScore: pod: test"));
}

TEST_F(RandScoreTest, IsSilentBelowVerbosityThree) {
  plugin_.host().Verbosity(2);
  ASSERT_TRUE(plugin_.Start().ok());
  ScoresOf(FakePod("p"));
  EXPECT_THAT(plugin_.host().Log(), IsEmpty());
}

TEST_F(RandScoreTest, AHostWithoutRandomNumbersNeedsASeed) {
  plugin_.host().Without(BERTH_SERVICE_RANDOM);
  EXPECT_EQ(plugin_.Start().code, BERTH_ERROR);
  PluginUnderTest seeded(berth_entry_v1, "randScore");
  seeded.host().Without(BERTH_SERVICE_RANDOM);
  seeded.Args(FakeValue::Object({{"seed", 1}}));
  seeded.cluster().Add(FakeNode("n"));
  ASSERT_TRUE(seeded.Start().ok());
  EXPECT_EQ(seeded.Try(FakePod("p"))->Score().nodes.size(), 1u);
}

TEST_F(RandScoreTest, ArgsAreCompletedAndChecked) {
  EXPECT_EQ(plugin_.Complete(FakeValue()).json, "{}");
  EXPECT_EQ(plugin_.Complete(FakeValue::Object({{"seed", 0}})).json, R"({"seed":0})");
  EXPECT_THAT(plugin_.Complete(FakeValue::Object({{"seed", "x"}})).Errors(),
              ElementsAre("seed: json: cannot unmarshal string into field \"seed\" of type int64"));
  EXPECT_THAT(plugin_.Complete(FakeValue::Object({{"sede", 1}})).Errors(), ElementsAre("sede: unknown field \"sede\""));
  EXPECT_THAT(plugin_.Check(FakeValue::Object({{"seed", -1}})).Errors(),
              ElementsAre("seed: Invalid value: -1: must be greater than or equal to 0"));
}

}  // namespace

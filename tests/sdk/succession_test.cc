// An instance that prepares its successor: a constructor that takes the plugin before it, and Commit.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "entries.h"

namespace berth::sdk::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Scores by the number of calls to all instances of its line so far.
struct Heir {
  static constexpr Info kInfo{.name = "heir", .vendor = "test"};

  explicit Heir(Host&) : asked(std::make_shared<int64_t>(0)) {}
  Heir(Host&, Heir& before) : asked(before.asked) {
    if (refuses) throw std::runtime_error("not with these args");
  }
  void Commit(Heir& before) { committed_over = before.asked.get(); }
  int64_t Score(Cycle&, const Pod&, Node) { return ++*asked; }

  static inline bool refuses = false;
  static inline const int64_t* committed_over = nullptr;
  std::shared_ptr<int64_t> asked;
};

class SuccessionTest : public ::testing::Test {
 protected:
  void SetUp() override {
    Heir::refuses = false;
    Heir::committed_over = nullptr;
    for (PluginUnderTest* plugin : {&before, &after}) plugin->cluster().Add(FakeNode("n1"));
    ASSERT_TRUE(before.Start().ok());
  }
  static int64_t Score(PluginUnderTest& plugin) { return plugin.Try(FakePod("p"))->Score().nodes["n1"]; }

  PluginUnderTest before = TestPlugin<Heir>(), after = TestPlugin<Heir>();
};

TEST_F(SuccessionTest, SharesWhatTheOneBeforeHas) {
  EXPECT_EQ(Score(before), 1);
  ASSERT_TRUE(after.StartFrom(before).ok());
  EXPECT_EQ(Score(before), 2) << "the host still calls the active instance";
  EXPECT_EQ(Heir::committed_over, nullptr);
  after.Commit(before);
  EXPECT_NE(Heir::committed_over, nullptr);
  before.Stop();
  EXPECT_EQ(Score(after), 3);
  EXPECT_THAT(after.Violations(), IsEmpty());
}

TEST_F(SuccessionTest, IsLetGoWithoutHarm) {
  ASSERT_TRUE(after.StartFrom(before).ok());
  after.Stop();
  EXPECT_EQ(Score(before), 1);
}

TEST_F(SuccessionTest, MayRefuse) {
  Heir::refuses = true;
  const Outcome outcome = after.StartFrom(before);
  EXPECT_EQ(outcome.code, BERTH_ERROR);
  EXPECT_THAT(outcome.reasons, ElementsAre("plugin heir: init threw: not with these args"));
  EXPECT_EQ(Score(before), 1);
}

TEST_F(SuccessionTest, StartsAgainWithoutTheOther) {
  EXPECT_EQ(Score(before), 1);
  ASSERT_TRUE(after.Start().ok());
  EXPECT_EQ(Score(after), 1);
}

}  // namespace
}  // namespace berth::sdk::testing

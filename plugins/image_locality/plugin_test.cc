#include <gtest/gtest.h>
#include <berth/testing/plugin_under_test.hpp>

#include "../common/image_names.h"
#include "berth/entry.h"
#include "threshold.h"

namespace {

using namespace berth::sdk::testing;  // NOLINT: tests use the fake host's names

constexpr int64_t kMb = 1024 * 1024;

// The nodes and numbers of TestImageLocalityPriority.
FakeNode Node403002000(const std::string& name) {
  return FakeNode(name)
      .Image("gcr.io/40:latest", 40 * kMb)
      .Image("gcr.io/300:latest", 300 * kMb)
      .Image("gcr.io/2000:latest", 2000 * kMb);
}
FakeNode Node25010(const std::string& name) {
  return FakeNode(name).Image("gcr.io/250:latest", 250 * kMb).Image("gcr.io/10:v1", 10 * kMb);
}

Scores ScoresOf(const FakePod& pod, const std::vector<FakeNode>& nodes) {
  PluginUnderTest plugin(berth_entry_v1, "ImageLocality");
  for (const FakeNode& node : nodes) plugin.cluster().Add(node);
  EXPECT_TRUE(plugin.Start().ok());
  return plugin.Try(pod)->Score().nodes;
}

TEST(ImageLocality, TwoImagesSpreadOnTwoNodesPreferTheLargerOne) {
  EXPECT_EQ(
      ScoresOf(FakePod("p").Image("gcr.io/40").Image("gcr.io/250"), {Node403002000("machine1"), Node25010("machine2")}),
      (Scores{{"machine1", 0}, {"machine2", 5}}));
}

TEST(ImageLocality, TwoImagesOnOneNode) {
  EXPECT_EQ(
      ScoresOf(FakePod("p").Image("gcr.io/40").Image("gcr.io/300"), {Node403002000("machine1"), Node25010("machine2")}),
      (Scores{{"machine1", 7}, {"machine2", 0}}));
}

TEST(ImageLocality, AnImageBelowTheThresholdDoesNotCount) {
  EXPECT_EQ(ScoresOf(FakePod("p").Image("gcr.io/10:v1"), {Node403002000("machine1"), Node25010("machine2")}),
            (Scores{{"machine1", 0}, {"machine2", 0}}));
}

TEST(ImageLocality, AVeryLargeImage) {
  EXPECT_EQ(ScoresOf(FakePod("p").Image("gcr.io/2000"), {Node403002000("a"), FakeNode("b"), FakeNode("c")}),
            (Scores{{"a", 65}, {"b", 0}, {"c", 0}}));
}

TEST(ImageLocality, VolumesAddBytesButNoContainer) {
  EXPECT_EQ(ScoresOf(FakePod("p").Image("none:v1").VolumeImage("gcr.io/300"), {Node403002000("a"), FakeNode("b")}),
            (Scores{{"a", 12}, {"b", 0}}));
}

TEST(ImageLocality, Names) {
  using plugins::LacksTag;
  EXPECT_TRUE(LacksTag("root"));
  EXPECT_FALSE(LacksTag("root:tag"));
  EXPECT_TRUE(LacksTag("gcr.io:5000/root"));
  EXPECT_FALSE(LacksTag("gcr.io:5000/root:tag"));
  EXPECT_FALSE(LacksTag("root@sha256:0123"));
}

TEST(ImageLocality, Thresholds) {
  using plugins::image_locality::ScoreOf;
  EXPECT_EQ(ScoreOf(23 * kMb, 1), 0);
  EXPECT_EQ(ScoreOf(33 * kMb, 1), 1);
  EXPECT_EQ(ScoreOf(1000 * kMb, 1), 100);
  EXPECT_EQ(ScoreOf(4000 * kMb, 2), 100);
}

}  // namespace

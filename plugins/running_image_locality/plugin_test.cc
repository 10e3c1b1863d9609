#include <gtest/gtest.h>
#include <berth/testing/plugin_under_test.hpp>

#include "berth/entry.h"

namespace {

using namespace berth::sdk::testing;  // NOLINT: tests use the fake host's names

constexpr const char* kDetector = "kubeoperator/node-problem-detector:v0.8.1";

class RunningImageLocality : public testing::Test {
 protected:
  Scores ScoresOf(const FakePod& pod) {
    plugin_.cluster()
        .Add(FakeNode("busy"))
        .Add(FakeNode("empty").Image(kDetector, 1 << 30))
        .Add(FakePod("r1").Image(kDetector), "busy")
        .Add(FakePod("r2").Image("postgres:16").InitImage("busybox"), "busy");
    EXPECT_TRUE(plugin_.Start().ok());
    return plugin_.Try(pod)->Score().nodes;
  }
  PluginUnderTest plugin_{berth_entry_v1, "RunningImageLocality"};
};

TEST_F(RunningImageLocality, CountsImagesOfRunningPodsOnly) {
  EXPECT_EQ(ScoresOf(FakePod("p").Image(kDetector)), (Scores{{"busy", 100}, {"empty", 0}}));
}

TEST_F(RunningImageLocality, MoreOfTheImagesScoreHigher) {
  EXPECT_EQ(ScoresOf(FakePod("p").Image(kDetector).Image("postgres:16").Image("other:v1")),
            (Scores{{"busy", 66}, {"empty", 0}}));
}

TEST_F(RunningImageLocality, AnImageCountsOnceAndATagMayBeMissing) {
  EXPECT_EQ(ScoresOf(FakePod("p").Image(kDetector).Image(kDetector).InitImage("busybox:latest")),
            (Scores{{"busy", 100}, {"empty", 0}}));
}

TEST_F(RunningImageLocality, NoImagesNoScore) {
  EXPECT_EQ(ScoresOf(FakePod("p")), (Scores{{"busy", 0}, {"empty", 0}}));
}

}  // namespace

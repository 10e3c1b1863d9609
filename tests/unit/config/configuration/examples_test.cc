#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include <fstream>

#include "config/configuration/print.h"
#include "config_helpers.h"

namespace berth::config {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

LoadResult Example(const std::string& name) {
  LoadOptions options;
  options.resolver = TestResolver();
  LoadResult result = Load({{name, ReadFile("config/" + name)}}, options);
  EXPECT_THAT(Lines(result.errors), IsEmpty()) << name;
  EXPECT_THAT(Lines(result.warnings), IsEmpty()) << name;
  EXPECT_THAT(result.profiles, SizeIs(1));
  return result;
}

TEST(Examples, DefaultIsTheDefault) {
  EXPECT_EQ(PrintV1(Example("default.yaml").scheduler), PrintV1(Load({}, {}).scheduler));
}

// The scheduler of seed 000 dumped its configuration; this file yields the same bytes.
TEST(Examples, Wyq) {
  const LoadResult r = Example("wyq.yaml");
  std::ifstream in(std::string(BERTH_TEST_SOURCE_DIR) + "/tests/data/config/seed000.yaml");
  std::ostringstream dump;
  dump << in.rdbuf();
  EXPECT_EQ(PrintExpanded(r.scheduler, ApiVersion::kV1beta2, ResolverFor(r.scheduler)), dump.str());
  ASSERT_THAT(r.berth.plugins, SizeIs(1));
  EXPECT_EQ(r.berth.plugins[0].name, "ImageLocality");
  EXPECT_EQ(r.berth.plugins[0].library, "RunningImageLocality.so");
  EXPECT_EQ(r.berth.plugins[0].plugin, "RunningImageLocality");
}

TEST(Examples, WyqWeights) {
  const LoadResult r = Example("wyq-weights.yaml");
  EXPECT_EQ(Shown(r.profiles[0], Point::kScore),
            "NodeResourcesBalancedAllocation=1 ImageLocality=10 InterPodAffinity=1 NodeResourcesFit=1 NodeAffinity=1 "
            "PodTopologySpread=2 DynamicResources=2 randScore=100");
  EXPECT_THAT(r.berth.plugins, SizeIs(1));
}

TEST(Examples, IScheduler) {
  const LoadResult r = Example("i-scheduler.yaml");
  EXPECT_EQ(r.profiles[0].scheduler_name, "i-scheduler");
  EXPECT_EQ(Shown(r.profiles[0], Point::kScore), "Priority=1");
  EXPECT_THAT(Shown(r.profiles[0], Point::kFilter), testing::EndsWith(" NodeDeclaredFeatures Priority"));
}

TEST(Examples, MyScheduler) {
  const LoadResult r = Example("my-scheduler.yaml");
  EXPECT_EQ(r.scheduler.written_as, ApiVersion::kV1beta3);
  EXPECT_EQ(r.profiles[0].scheduler_name, "my-scheduler");
  EXPECT_EQ(Shown(r.profiles[0], Point::kScore), "MyScorePlugin=1");
  EXPECT_EQ(Shown(r.profiles[0], Point::kPreEnqueue), "DynamicResources DefaultPreemption SchedulingGates");
  EXPECT_TRUE(r.scheduler.leader_election.leader_elect);
}

}  // namespace
}  // namespace berth::config

// Costs by the load that load-watcher reports, and the sources of the power models.
#include "../trimaran_common/testing_plugin.h"

#include <stdlib.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>

#include "power.h"

namespace peaks_test {
namespace {

using namespace trimaran_test;  // NOLINT
using plugins::peaks::kNoCost;
using testing::HasSubstr;

constexpr double kK0 = 471.7412504314313, kK1 = -91.50493019588365, kK2 = -0.07186049052516228;
const int64_t kIdleToFull = plugins::peaks::CostOf(kK1 * (std::exp(kK2 * 100) - 1));

FakeValue Args(bool with_model = true) {
  FakeValue args = FakeValue::Object({{"WatcherAddress", "http://w:2020"}});
  if (with_model) {
    args.Set("NodePowerModel",
             FakeValue::Object({{"node-1", FakeValue::Object({{"k0", kK0}, {"k1", kK1}, {"k2", kK2}})}}));
  }
  return args;
}

struct ScoreCase {
  const char* name;
  FakePod pod;
  std::vector<Metric> metrics;  // of the node
  int64_t want;
};

class PeaksScore : public testing::TestWithParam<ScoreCase> {};

TEST_P(PeaksScore, OfOneNode) {
  PluginWithWatcher world("Peaks", Args());
  world.Node("node-1");
  world.Start();
  world.Answer(GetParam().metrics.empty() ? Loads{} : Loads{{"node-1", GetParam().metrics}});
  EXPECT_EQ(world.Score(GetParam().pod), (Scores{{"node-1", GetParam().want}}));
}

FakePod Requesting(int64_t cpu) { return FakePod("p").Req({{"cpu", cpu}, {"memory", 2}}); }

// TestPeaksScore of pkg/trimaran/peaks/peaks_test.go. Where upstream scores 0 because nothing is known, which is the
// lowest cost, there is no cost here.
INSTANTIATE_TEST_SUITE_P(
    Upstream, PeaksScore,
    testing::Values(
        ScoreCase{.name = "Requests", .pod = Requesting(1000), .metrics = {{"CPU", "Latest", 0}}, .want = kIdleToFull},
        ScoreCase{
            .name = "NoCpuMetrics", .pod = Requesting(1000), .metrics = {{"Memory", "Latest", 0}}, .want = kNoCost},
        ScoreCase{.name = "Overhead",
                  .pod = FakePod("p").Overhead({{"cpu", 0}}),
                  .metrics = {{"CPU", "Latest", 0}},
                  .want = 0},
        // Upstream's pod has a limit of 2000 but not the request that the API server's defaults would set, so it adds
        // nothing.
        ScoreCase{.name = "AboveTheCapacity",
                  .pod = FakePod("p").Req({}, {{"cpu", 2000}}),
                  .metrics = {{"CPU", "Latest", 100}},
                  .want = 0},
        ScoreCase{
            .name = "NoAnswerForTheNode", .pod = FakePod("p").Req({}, {{"cpu", 2000}}), .metrics = {}, .want = kNoCost},
        ScoreCase{.name = "NoAnswerOfWatcher", .pod = FakePod("p"), .metrics = {}, .want = kNoCost}),
    [](const auto& info) { return std::string(info.param.name); });

INSTANTIATE_TEST_SUITE_P(
    Own, PeaksScore,
    testing::Values(
        ScoreCase{.name = "DoesNotFit", .pod = Requesting(1001), .metrics = {{"CPU", "AVG", 0}}, .want = kNoCost},
        ScoreCase{.name = "TheFirstMetricCounts",
                  .pod = Requesting(1000),
                  .metrics = {{"CPU", "STD", 7}, {"CPU", "AVG", 0}, {"CPU", "AVG", 50}},
                  .want = kIdleToFull},
        ScoreCase{.name = "OverheadCountsBesideARequest",
                  .pod = Requesting(400).Overhead({{"cpu", 600}}),
                  .metrics = {{"CPU", "AVG", 0}},
                  .want = kIdleToFull},
        ScoreCase{.name = "OverheadAloneDoesNotCount",
                  .pod = FakePod("p").Overhead({{"cpu", 600}}),
                  .metrics = {{"CPU", "AVG", 0}},
                  .want = 0},
        ScoreCase{.name = "SidecarsCount",
                  .pod = Requesting(400).SidecarReq({{"cpu", 600}}),
                  .metrics = {{"CPU", "AVG", 0}},
                  .want = kIdleToFull}),
    [](const auto& info) { return std::string(info.param.name); });

// The default power model of TestPeaksNew.
TEST(Peaks, ANodeWithoutAModelCostsNothing) {
  PluginWithWatcher world("Peaks", Args());
  world.Node("node-2");
  world.Start();
  world.Answer({{"node-2", {{"CPU", "AVG", 10}}}});
  EXPECT_EQ(world.Score(Requesting(500)), (Scores{{"node-2", 0}}));
}

TEST(Peaks, TheNodeThatCostsLeastIsTheBest) {
  FakeValue args = Args();
  args.Child("NodePowerModel").Set("node-2", FakeValue::Object({{"k0", 400}, {"k1", -10}, {"k2", -0.05}}));
  PluginWithWatcher world("Peaks", args);
  for (const char* name : {"node-1", "node-2", "node-3"}) world.Node(name);
  world.Start();
  world.Answer({{"node-1", {{"CPU", "AVG", 10}}}, {"node-2", {{"CPU", "AVG", 10}}}});
  auto attempt = world.plugin.Try(Requesting(500));
  EXPECT_EQ(attempt->Normalize(attempt->Score().nodes).nodes, (Scores{{"node-1", 0}, {"node-2", 100}, {"node-3", 0}}));
}

// A file that NODE_POWER_MODEL names while this object lives.
class ModelFile {
 public:
  explicit ModelFile(const std::string& text) : path_("peaks_test_" + std::to_string(getpid()) + ".json") {
    std::ofstream(path_) << text;
    Name(path_);
  }
  ~ModelFile() {
    unsetenv("NODE_POWER_MODEL");
    std::remove(path_.c_str());
  }
  static void Name(const std::string& path) { setenv("NODE_POWER_MODEL", path.c_str(), 1); }
  const std::string& path() const { return path_; }

 private:
  const std::string path_;
};

std::string StartError() {
  PluginUnderTest plugin(berth_entry_v1, "Peaks");
  plugin.Args(Args(false));
  const Outcome outcome = plugin.Start();
  EXPECT_FALSE(outcome.ok());
  std::string text;
  for (const std::string& reason : outcome.reasons) text += reason;
  return text;
}

// TestPeaksNew: a model from a file, a path that leads nowhere, and a file of another form.
TEST(Peaks, ReadsModelsFromAFile) {
  const ModelFile file(R"({"node-1":{"k0":471.7412504314313,"k1":-91.50493019588365,"k2":-0.07186049052516228}})");
  PluginWithWatcher world("Peaks", Args(false));
  world.Node("node-1");
  world.Start();
  world.Answer({{"node-1", {{"CPU", "AVG", 0}}}});
  EXPECT_EQ(world.Score(Requesting(1000)), (Scores{{"node-1", kIdleToFull}}));
}
TEST(Peaks, NamesAFileThatItCannotOpen) {
  const ModelFile file("{}");
  ModelFile::Name(file.path() + "/invalid");
  EXPECT_THAT(StartError(), HasSubstr("open " + file.path() + "/invalid: Not a directory"));
}
TEST(Peaks, NeedsModels) { EXPECT_THAT(StartError(), HasSubstr("NODE_POWER_MODEL: open : No such file")); }
TEST(Peaks, RefusesAFileOfAnotherForm) {
  {
    const ModelFile file(R"({"node-1":10})");
    EXPECT_THAT(StartError(), HasSubstr(file.path() + ": a power model must be an object with k0, k1, and k2"));
  }
  {
    const ModelFile file(R"({"node-1":{"k0":1,"k3":2}})");
    EXPECT_THAT(StartError(), HasSubstr(R"(json: unknown field "k3")"));
  }
  {
    const ModelFile file(R"({"node-1":{"k0":"1"}})");
    EXPECT_THAT(StartError(), HasSubstr("k0 of a power model must be a number"));
  }
  const ModelFile file("{");
  EXPECT_THAT(StartError(), HasSubstr("it is no JSON"));
}

}  // namespace
}  // namespace peaks_test

// The requests of each source, and how failures end. The test program is that of TargetLoadPacking.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <berth/testing/json.hpp>
#include <berth/testing/plugin_under_test.hpp>

#include <string>
#include <vector>

#include "../trimaran_common/testing_watcher.h"
#include "berth/entry.h"

namespace trimaran_test {
namespace {

using namespace berth::sdk::testing;  // NOLINT
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

// TargetLoadPacking with one node of one CPU.
class World {
 public:
  explicit World(const char* args) : plugin(berth_entry_v1, "TargetLoadPacking") {
    plugin.Args(ParseJson(args));
    plugin.cluster().Add(FakeNode("node-1"));
    plugin.Put("v1/nodes", NodeWithCapacity("node-1", 1000));
    EXPECT_TRUE(plugin.Start().ok());
    plugin.SendState();
  }
  ~World() {
    EXPECT_THAT(plugin.Violations(), IsEmpty());
    plugin.Stop();
  }
  FakeRequest Last() { return plugin.host().api().requests().back(); }
  void Answer(const FakeReply& reply) {
    plugin.host().api().Answer(plugin.host().api().requests().size() - 1, reply);
    plugin.host().tasks().Advance();
  }
  // What the log says is wrong; "": nothing.
  std::string Trouble() {
    const auto log = plugin.host().Log();
    return log.empty() || log.back().fields.size() < 2 ? "" : log.back().fields[1].second;
  }
  int64_t Score() { return plugin.Try(FakePod("p"))->Score().nodes["node-1"]; }

  PluginUnderTest plugin;
};

constexpr const char* kPrometheus =
    R"({"metricProvider":{"type":"Prometheus","address":"https://prom:9090//","token":"secret"}})";

FakeReply Vector(const std::string& value) {
  return {
      200,
      R"({"status":"success","data":{"resultType":"vector","result":[{"metric":{"instance":"node-1"},"value":[0,")" +
          value + R"("]}]}})"};
}
const FakeReply kNoSeries{200, R"({"status":"success","data":{"resultType":"vector","result":[]}})"};

TEST(WatcherSource, AsksTheService) {
  World world(R"({"watcherAddress":"http://w:2020"})");
  EXPECT_EQ(world.Last().url, "http://w:2020/watcher");
  EXPECT_EQ(world.Last().timeout_ns, 55'000'000'000);
  EXPECT_EQ(world.Last().authorization, "");
  world.Answer({404, "404 page not found"});
  EXPECT_EQ(world.Trouble(), "received status code 404");
}

TEST(WatcherSource, TheAddressMayEndInSlashes) {
  World world(R"({"watcherAddress":"http://w:2020//"})");
  EXPECT_EQ(world.Last().url, "http://w:2020/watcher");
}

TEST(PrometheusSource, AsksForFourVectors) {
  World world(kPrometheus);
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(world.Last().authorization, "Bearer secret");
    EXPECT_TRUE(world.Last().insecure);
    EXPECT_EQ(world.Last().timeout_ns, 10'000'000'000);
    EXPECT_EQ(world.Score(), 0);
    world.Answer(Vector("0.2"));
  }
  const std::string query = "GET https://prom:9090/api/v1/query?query=";
  EXPECT_THAT(world.plugin.host().api().Lines(),
              ElementsAre(query + "avg_over_time%28instance:node_cpu:ratio%5B15m%5D%29",
                          query + "avg_over_time%28instance:node_memory_utilisation:ratio%5B15m%5D%29",
                          query + "stddev_over_time%28instance:node_cpu:ratio%5B15m%5D%29",
                          query + "stddev_over_time%28instance:node_memory_utilisation:ratio%5B15m%5D%29"));
  EXPECT_EQ(world.Score(), 70);
  EXPECT_EQ(world.Trouble(), "");
}

TEST(PrometheusSource, HasADefaultAddress) {
  World world(R"({"metricProvider":{"type":"Prometheus","insecureSkipVerify":false}})");
  EXPECT_THAT(world.Last().url, testing::StartsWith("http://prometheus-k8s:9090/api/v1/query?query=avg_over_time"));
  EXPECT_FALSE(world.Last().insecure);
  EXPECT_EQ(world.Last().authorization, "");
}

// scheduler-plugins#702: nobody could see why no node got a score.
TEST(PrometheusSource, NamesASeriesThatDoesNotExist) {
  World world(kPrometheus);
  world.Answer(kNoSeries);
  EXPECT_EQ(world.Trouble(), "there is no series instance:node_cpu:ratio");
  EXPECT_THAT(world.plugin.host().api().requests(), SizeIs(1));
}

TEST(PrometheusSource, MemoryMayBeMissing) {
  World world(kPrometheus);
  for (const FakeReply& reply : {Vector("0.4"), kNoSeries, Vector("0"), kNoSeries}) world.Answer(reply);
  EXPECT_EQ(world.Score(), 100);
}

TEST(PrometheusSource, TriesAShorterTimeIfTheServerRefuses) {
  World world(kPrometheus);
  world.Answer(Vector("0.9"));
  world.Answer({422, R"({"status":"error","errorType":"execution","error":"too many samples"})"});
  EXPECT_THAT(world.Last().url, HasSubstr("avg_over_time%28instance:node_cpu:ratio%5B10m%5D%29"));
  for (int i = 0; i < 4; ++i) world.Answer(Vector("0.2"));
  EXPECT_EQ(world.Score(), 70);
}

TEST(PrometheusSource, FailsAfterTheShortestTime) {
  World world(kPrometheus);
  const FakeReply refusal{503, R"({"status":"error","errorType":"timeout","error":"query timed out"})"};
  for (int i = 0; i < 3; ++i) world.Answer(refusal);
  EXPECT_EQ(world.Trouble(), "received status code 503: query timed out");
  EXPECT_THAT(world.plugin.host().api().requests(), SizeIs(3));
}

TEST(PrometheusSource, CutsTheServersError) {
  World world(kPrometheus);
  const std::string text = std::string(499, 'x') + "\u00e4" + std::string(1000, 'y');
  world.Answer({401, R"({"status":"error","error":")" + text + "\"}"});
  EXPECT_EQ(world.Trouble(), "received status code 401: " + std::string(499, 'x') + "...");  // and no half of a letter
}

TEST(PrometheusSource, DoesNotRepeatARequestThatCannotSucceed) {
  for (const FakeReply& reply : {FakeReply::Lost("connection refused"), FakeReply{401, ""}, FakeReply{403, "no"}}) {
    World world(kPrometheus);
    world.Answer(reply);
    EXPECT_THAT(world.plugin.host().api().requests(), SizeIs(1));
    EXPECT_NE(world.Trouble(), "");
  }
}

TEST(PrometheusSource, RefusesOtherAnswers) {
  World world(kPrometheus);
  world.Answer({200, "<html>"});
  EXPECT_EQ(world.Trouble(), "the answer to avg_over_time(instance:node_cpu:ratio[15m]) is no vector");
}

TEST(MetricsServerSource, AsksTheApiServer) {
  World world("{}");
  EXPECT_EQ(world.Last().Line(), "GET metrics.k8s.io/nodes");
  EXPECT_EQ(world.Last().version, "v1beta1");
  EXPECT_EQ(world.Last().url, "");
  world.Answer({200, R"({"items":[{"metadata":{"name":"node-1"},"usage":{"cpu":"200m","memory":"1Mi"}}]})"});
  EXPECT_EQ(world.Score(), 70);
  world.plugin.Put("v1/nodes", NodeWithCapacity("node-1", 500));  // 200m are 40 % of it
  EXPECT_EQ(world.Score(), 100);
}

TEST(MetricsServerSource, NamesWhatIsMissing) {
  World world("{}");
  world.Answer(FakeReply::NotFound("the server could not find the requested resource"));
  EXPECT_EQ(world.Trouble(), "received status code 404: the server could not find the requested resource");
  world.plugin.host().tasks().Advance(std::chrono::seconds(30));
  world.Answer({200, "{}"});
  EXPECT_EQ(world.Trouble(), "the answer is no list of NodeMetrics");
}

}  // namespace
}  // namespace trimaran_test

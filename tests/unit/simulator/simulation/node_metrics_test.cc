// The simulated metrics API answers with the NodeMetrics of the manifests.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "asking.h"
#include "codec/json/value.h"
#include "simulator/simulation/manifest_feed.h"

namespace berth::fixture {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

struct MetricsRequests : Asking {
  MetricsRequests() : feed(rig.cluster) {}
  void Set(const std::string& node, const std::string& cpu) {
    EXPECT_TRUE(feed.SetObject("metrics.k8s.io/v1beta1", "NodeMetrics",
                               *json::Parse(R"({"apiVersion":"metrics.k8s.io/v1beta1","kind":"NodeMetrics","metadata":)"
                                            R"({"name":")" +
                                            node + R"("},"usage":{"cpu":")" + cpu + R"("}})")));
  }
  Told Get(std::string_view name = "") {
    return Ask({.verb = "GET", .group = "metrics.k8s.io", .version = "v1beta1", .resource = "nodes", .name = name});
  }

  simulation::ManifestFeed feed;
};

TEST_F(MetricsRequests, WithoutNodeMetricsThereIsNoSuchResource) {
  const Told told = Get();
  EXPECT_EQ(told.code, 404);
  EXPECT_EQ(told.message, "the server could not find the requested resource");
}

TEST_F(MetricsRequests, ListWhatTheManifestsSay) {
  Set("n2", "250m");
  Set("n1", "1");
  Set("n1", "2");
  const Told told = Get();
  EXPECT_EQ(told.code, 200);
  EXPECT_THAT(told.body, AllOf(HasSubstr(R"("kind":"NodeMetricsList")"), HasSubstr(R"("usage":{"cpu":"2"})"),
                               HasSubstr(R"("usage":{"cpu":"250m"})"), Not(HasSubstr(R"("cpu":"1")"))));
  EXPECT_TRUE(feed.RemoveObject("metrics.k8s.io/v1beta1", "NodeMetrics", "n1"));
  EXPECT_THAT(Get().body, Not(HasSubstr(R"("name":"n1")")));
}

TEST_F(MetricsRequests, GetOneNode) {
  Set("n1", "1");
  EXPECT_THAT(Get("n1").body, HasSubstr(R"("name":"n1")"));
  EXPECT_EQ(Get("n2").message, R"(nodes.metrics.k8s.io "n2" not found)");
}

TEST_F(MetricsRequests, AreAnsweredWithTheManifestsReadAfterThem) {
  std::string body;
  sdk::Api(HostOf("A"))
      .Send({.verb = "GET", .group = "metrics.k8s.io", .version = "v1beta1", .resource = "nodes"},
            [&body](const sdk::ApiReply& reply) { body = reply.body; });
  Set("n1", "1");
  rig.Run();
  EXPECT_THAT(body, HasSubstr(R"("name":"n1")"));
}

}  // namespace
}  // namespace berth::fixture

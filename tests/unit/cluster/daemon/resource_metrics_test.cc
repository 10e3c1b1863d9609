#include "cluster/daemon/resource_metrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace berth::daemon {
namespace {

using testing::HasSubstr;
using testing::Not;

api::PodRef PodOf(api::InternTables& intern, const std::string& name, const std::string& spec,
                  const std::string& phase = "Running") {
  const std::string json = R"({"metadata":{"namespace":"ns","name":")" + name + R"(","uid":")" + name +
                           R"("},"spec":{"schedulerName":"s","priority":7,)" + spec + R"(},"status":{"phase":")" +
                           phase + R"("}})";
  auto pod = api::DecodePod(intern, json);
  EXPECT_TRUE(pod) << pod.error().message;
  return *pod;
}

std::string Labels(const std::string& pod, const std::string& node, const std::string& resource,
                   const std::string& unit) {
  return "{namespace=\"ns\",node=\"" + node + "\",pod=\"" + pod + "\",priority=\"7\",resource=\"" + resource +
         "\",scheduler=\"s\",unit=\"" + unit + "\"} ";
}

TEST(ResourceMetrics, SumsRequestsAndLimits) {
  api::InternTables intern;
  const std::string text = ResourceMetricsText(
      intern, {PodOf(intern, "p", R"("nodeName":"n","overhead":{"cpu":"50m","memory":"1Ki"},"containers":[
               {"name":"a","resources":{"requests":{"cpu":"100m","memory":"1Mi","hugepages-2Mi":"2Mi"},
                                        "limits":{"cpu":"1","example.org/x":"3"}}},
               {"name":"b","resources":{"requests":{"cpu":"200m"},"limits":{"cpu":"500m"}}}],
             "initContainers":[{"name":"i","resources":{"limits":{"cpu":"4"}}}])")});
  EXPECT_EQ(text,
            "# HELP kube_pod_resource_limit [STABLE] Resources limit for workloads on the cluster, broken down by pod. "
            "This shows the resource usage the scheduler and kubelet expect per pod for resources along with the unit "
            "for the resource if any.\n"
            "# TYPE kube_pod_resource_limit gauge\n"
            "kube_pod_resource_limit" +
                Labels("p", "n", "cpu", "cores") + "4.05\nkube_pod_resource_limit" +
                Labels("p", "n", "example.org/x", "") +
                "3\n"
                "# HELP kube_pod_resource_request [STABLE] Resources requested by workloads on the cluster, broken "
                "down by pod. This shows the resource usage the scheduler and kubelet expect per pod for resources "
                "along with the unit for the resource if any.\n"
                "# TYPE kube_pod_resource_request gauge\n"
                "kube_pod_resource_request" +
                Labels("p", "n", "cpu", "cores") + "0.35\nkube_pod_resource_request" +
                Labels("p", "n", "hugepages-2Mi", "bytes") + "2.097152e+06\nkube_pod_resource_request" +
                Labels("p", "n", "memory", "bytes") + "1.0496e+06\n");
}

TEST(ResourceMetrics, PodsWithoutANodeCountAndFinishedOnesDoNot) {
  api::InternTables intern;
  const std::string containers = R"("containers":[{"name":"a","resources":{"requests":{"cpu":"1"}}}])";
  const std::string text = ResourceMetricsText(
      intern, {PodOf(intern, "waits", containers, "Pending"), PodOf(intern, "zero", R"("containers":[{"name":"a"}])"),
               PodOf(intern, "done", R"("nodeName":"n",)" + containers, "Succeeded")});
  EXPECT_THAT(text, HasSubstr("kube_pod_resource_request" + Labels("waits", "", "cpu", "cores") + "1\n"));
  EXPECT_THAT(text, Not(HasSubstr("done")));
  EXPECT_THAT(text, Not(HasSubstr("zero")));
  EXPECT_THAT(text, Not(HasSubstr("kube_pod_resource_limit")));
}

TEST(ResourceMetrics, PodLevelValuesReplaceThoseOfContainers) {
  api::InternTables intern;
  const std::string text = ResourceMetricsText(
      intern, {PodOf(intern, "p",
                     R"("resources":{"requests":{"cpu":"2"},"limits":{"cpu":"3","example.org/x":"9"}},
                        "containers":[{"name":"a","resources":{"requests":{"cpu":"1"},"limits":{"cpu":"1"}}}])")});
  EXPECT_THAT(text, HasSubstr("kube_pod_resource_request" + Labels("p", "", "cpu", "cores") + "2\n"));
  EXPECT_THAT(text, HasSubstr("kube_pod_resource_limit" + Labels("p", "", "cpu", "cores") + "3\n"));
  EXPECT_THAT(text, Not(HasSubstr("example.org/x")));
}

TEST(ResourceMetrics, NoPodsAreAnEmptyText) {
  const api::InternTables intern;
  EXPECT_EQ(ResourceMetricsText(intern, {}), "");
}

TEST(UnitOf, DependsOnTheResource) {
  EXPECT_EQ(UnitOf("cpu"), "cores");
  EXPECT_EQ(UnitOf("ephemeral-storage"), "bytes");
  EXPECT_EQ(UnitOf("attachable-volumes-aws-ebs"), "integer");
  EXPECT_EQ(UnitOf("nvidia.com/gpu"), "");
}

}  // namespace
}  // namespace berth::daemon

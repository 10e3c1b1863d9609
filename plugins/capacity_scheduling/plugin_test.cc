// PreFilter: TestPreFilter of pkg/capacityscheduling/capacity_scheduling_test.go of kubernetes-sigs/scheduler-plugins,
// as facts, and what upstream does not test.
#include <string>
#include <vector>

#include "test_fixture.h"

namespace plugins::capacity_scheduling {
namespace {

struct QuotaFact {
  std::string ns;
  int64_t min, max, used;  // memory
};
struct PreFilterCase {
  std::string name;
  std::vector<QuotaFact> quotas;
  FakePod pod;
  Outcome want;
};

std::vector<PreFilterCase> PreFilterCases() {
  return {
      {.name = "pod subjects to ElasticQuota, first pod",
       .quotas = {{.ns = "ns1", .min = 1000, .max = 2000, .used = 300}},
       .pod = PodOf("ns1-p1", "ns1", 500),
       .want = {}},
      {.name = "pod subjects to ElasticQuota, second pod",
       .quotas = {{.ns = "ns1", .min = 1000, .max = 2000, .used = 300}},
       .pod = PodOf("ns1-p2", "ns1", 1800),
       .want = {BERTH_UNSCHEDULABLE, {OverMaxText("ns1-p2", "ns1")}}},
      {.name = "the sum of used is bigger than the sum of min",
       .quotas = {{.ns = "ns1", .min = 1000, .max = 2000, .used = 1800},
                  {.ns = "ns2", .min = 1000, .max = 2000, .used = 200}},
       .pod = PodOf("ns2-p1", "ns2", 500),
       .want = {BERTH_UNSCHEDULABLE, {OverPoolText("ns2-p1", "ns2")}}},
      {.name = "without elasticQuotaInfo", .quotas = {}, .pod = PodOf("ns2-p1", "ns2", 500), .want = {}},
  };
}

TEST(CapacityPreFilter, AgreesWithUpstream) {
  for (const PreFilterCase& one : PreFilterCases()) {
    Quoted quoted;
    quoted.Nodes({"node-a"}).Start();
    for (const QuotaFact& quota : one.quotas) {
      quoted.Quota(quota.ns, Memory(quota.max), Memory(quota.min))
          .Came(PodOf("used-" + quota.ns, quota.ns, quota.used));
    }
    EXPECT_EQ(quoted.PreFilter(one.pod), one.want) << one.name;
  }
}

// ---- nominated pods

struct Nominated : Quoted {
  Nominated() {
    Nodes({"node-a"}).Quota("ns1", Memory(100), Memory(100)).Quota("ns2", Memory(100), Memory(100)).Start();
  }
  bool Fits(const FakePod& pod) { return PreFilter(pod).ok(); }
};

TEST(CapacityPreFilter, RoomOfNominatedPodsOfTheNamespaceIsTaken) {
  Nominated one;
  one.nominations.Nominate(PodOf("first", "ns1", 60, 0, 0, kMid), "node-a");
  EXPECT_FALSE(one.Fits(PodOf("p", "ns1", 50, 0, 0, kMid)));
  EXPECT_TRUE(one.Fits(PodOf("p", "ns1", 40, 0, 0, kMid)));
  EXPECT_TRUE(one.Fits(PodOf("p", "ns1", 50, 0, 0, kHigh))) << "it matters more than the nominated pod";
  EXPECT_TRUE(one.Fits(PodOf("first", "ns1", 60, 0, 0, kMid))) << "its own nomination";
}

TEST(CapacityPreFilter, RoomOfNominatedPodsOfOthersIsTakenFromThePool) {
  Nominated one;
  one.Quota("ns3", Memory(1000), "").Came(PodOf("borrows", "ns3", 100));
  one.nominations.Nominate(PodOf("other", "ns2", 60), "node-a");
  EXPECT_EQ(one.PreFilter(PodOf("p", "ns1", 50, 0, 0, kHigh)).reasons, Texts{OverPoolText("p", "ns1")});
  EXPECT_TRUE(one.Fits(PodOf("p", "ns1", 40)));
}

TEST(CapacityPreFilter, NominatedPodsOfANamespaceThatBorrowsDoNotCount) {
  Nominated one;
  one.Quota("ns3", Memory(1000), "").Came(PodOf("borrows", "ns3", 100));
  one.nominations.Nominate(PodOf("more", "ns3", 90), "node-a").Nominate(PodOf("free", "ns4", 90), "node-a");
  EXPECT_TRUE(one.Fits(PodOf("p", "ns1", 100)));
}

TEST(CapacityPreFilter, NominationsToNodesThatAreGoneDoNotCount) {
  Nominated one;
  one.nominations.Nominate(PodOf("first", "ns1", 60, 0, 0, kMid), "node-z").Nominate(PodOf("second", "ns1", 60), "");
  EXPECT_TRUE(one.Fits(PodOf("p", "ns1", 100)));
}

// ---- which quota limits which pods

TEST(CapacityPreFilter, AMaxThatNamesOnlyCpuAdmitsNoPodThatRequestsMemory) {
  Quoted quoted;
  quoted.Nodes({"node-a"}).Quota("ns1", R"({"cpu": 6})", R"({"cpu": 6})").Start();
  EXPECT_EQ(quoted.PreFilter(PodOf("p", "ns1", 1, 100)).reasons, Texts{OverMaxText("p", "ns1")});
  EXPECT_TRUE(quoted.PreFilter(PodOf("p", "ns1", 0, 6000)).ok());
}

TEST(CapacityPreFilter, AGpuThatNoMinNamesExceedsThePool) {
  Quoted quoted;
  quoted.Nodes({"node-a"}).Quota("ns1", "", Memory(100)).Quota("ns2", "", Memory(100)).Start();
  EXPECT_EQ(quoted.PreFilter(PodOf("p", "ns1", 1, 0, 1)).reasons, Texts{OverPoolText("p", "ns1")});
  quoted.Came(PodOf("static", "ns2", 1, 0, 1));
  EXPECT_FALSE(quoted.PreFilter(FakePod("p").Namespace("ns1").Req({{"memory", 1}})).ok());
}

TEST(CapacityPreFilter, ADeletedQuotaLimitsNothing) {
  Quoted quoted;
  quoted.Nodes({"node-a"}).Quota("ns1", Memory(10), Memory(10)).Start();
  EXPECT_FALSE(quoted.PreFilter(PodOf("p", "ns1", 50)).ok());
  quoted.plugin.Delete(kElasticQuotas, "eq", "ns1");
  EXPECT_TRUE(quoted.PreFilter(PodOf("p", "ns1", 50)).ok());
}

// ---- the rest of the plugin

TEST(CapacityPlugin, AReservedPodCountsWithTheDeltaOfTheHost) {
  Quoted quoted;
  quoted.Nodes({"node-a"}).Quota("ns1", Memory(100), Memory(100)).Start();
  const FakePod pod = PodOf("p", "ns1", 60);
  const auto attempt = quoted.plugin.Try(pod);
  EXPECT_TRUE(attempt->PreFilter().ok());
  EXPECT_TRUE(attempt->Reserve("node-a").ok());
  quoted.Came(pod);
  EXPECT_FALSE(quoted.PreFilter(PodOf("q", "ns1", 60)).ok());
  attempt->Unreserve("node-a");
  quoted.Left(pod);
  EXPECT_TRUE(quoted.PreFilter(PodOf("q", "ns1", 60)).ok());
}

TEST(CapacityPlugin, TheDumpDoesNotDependOnTheOrderOfChanges) {
  const FakePod one = PodOf("p", "ns1", 60, 0, 2), two = PodOf("q", "ns2", 5), gone = PodOf("r", "ns3", 5);
  Quoted first, second;
  first.Nodes({"node-a"}).Quota("ns1", "", "").Start().Came(one).Came(gone).Came(two).Left(gone);
  second.Nodes({"node-a"}).Start().Came(two).Came(one);
  EXPECT_EQ(first.plugin.Dump(), second.plugin.Dump());
  EXPECT_EQ(first.plugin.Dump(), "ns1 1 0 60 0 0 nvidia.com/gpu=2\nns2 1 0 5 0 0\n");
}

TEST(CapacityPlugin, EventsThatBringAPodBack) {
  Quoted quoted;
  quoted.Start();
  EXPECT_THAT(quoted.plugin.Interests(),
              ElementsAre(InterestOutcome{"Pod", BERTH_ACTION_DELETE | BERTH_ACTION_UPDATE_POD_SCALE_DOWN, false},
                          InterestOutcome{"elasticquotas.v1alpha1.scheduling.x-k8s.io", BERTH_ACTION_ALL, false}));
}

}  // namespace
}  // namespace plugins::capacity_scheduling

// What the plugin stores about quotas and pods: the table tests of newElasticQuotaInfo and of the events in
// pkg/capacityscheduling of kubernetes-sigs/scheduler-plugins, as facts; and what pods request.
#include "quotas.h"

#include <berth/detail/library.hpp>

#include <memory>
#include <string>
#include <vector>

#include "books.h"
#include "test_fixture.h"

namespace plugins::capacity_scheduling {
namespace {

// A plugin that gives the test access to its data.
class Bookkeeper {
 public:
  static constexpr berth::sdk::Info kInfo{.name = "Bookkeeper"};
  static constexpr std::string_view kNeeds[] = {BERTH_SERVICE_OBJECTS};
  static constexpr uint32_t kDeltas = BERTH_DELTA_PODS;
  static inline const Books* shown = nullptr;

  explicit Bookkeeper(Host& host) : books_(host) { shown = &books_; }
  void Activate() { books_.Activate(); }
  void ObjectChanged(berth::sdk::ObjectKind kind, berth::sdk::Object before, berth::sdk::Object now) {
    books_.ObjectChanged(kind, before, now);
  }
  void Deltas(berth::sdk::List<berth_delta> deltas) { books_.Take(deltas); }

 private:
  Books books_;
};

struct Vector {
  int64_t cpu = 0, memory = 0, ephemeral = 0, pods = 0;
  std::vector<std::pair<std::string, int64_t>> scalars = {};
  bool operator==(const Vector&) const = default;
};
std::ostream& operator<<(std::ostream& out, const Vector& v) {
  out << v.cpu << " " << v.memory << " " << v.ephemeral << " " << v.pods;
  for (const auto& [name, value] : v.scalars) out << " " << name << "=" << value;
  return out;
}
Vector Shown(const Amounts& amounts) {
  Vector v{amounts[kCpu], amounts[kMemory], amounts[kEphemeralStorage], amounts[kPods]};
  for (const Scalar& scalar : amounts.scalars()) v.scalars.emplace_back(TextOf(scalar.name), scalar.value);
  return v;
}

struct Kept : Quoted {
  Kept() : Quoted(&berth::sdk::detail::Library<Bookkeeper>::Entry, "Bookkeeper") { Nodes({"node-a"}).Start(); }
  const Quotas& quotas() const { return Bookkeeper::shown->quotas(); }
  const Namespace* Of(const std::string& ns) const { return quotas().With(IdOf(ns)); }
  Vector Used(const std::string& ns) const { return Shown(Of(ns)->used); }
};

const std::string kMin = R"({"cpu": "10m", "memory": "100"})", kMax = R"({"cpu": "100m", "memory": "1000"})";
const Vector kMinShown{10, 100}, kMaxShown{100, 1000};
const Vector kNoLimits{kUnlimited, kUnlimited, kUnlimited};

// ---- TestNewElasticQuotaInfo, and the same cases as TestAddElasticQuota

struct NewQuotaCase {
  std::string name, max, min;
  Vector want_max, want_min;
};

TEST(CapacityQuotas, AddElasticQuota) {
  const std::vector<NewQuotaCase> cases = {
      {.name = "min and max", .max = kMax, .min = kMin, .want_max = kMaxShown, .want_min = kMinShown},
      {.name = "no max", .max = "", .min = kMin, .want_max = kNoLimits, .want_min = kMinShown},
      {.name = "no min", .max = kMax, .min = "", .want_max = kMaxShown, .want_min = {}},
      {.name = "neither", .max = "", .min = "", .want_max = kNoLimits, .want_min = {}},
  };
  for (const NewQuotaCase& one : cases) {
    Kept kept;
    kept.Quota("ns1", one.max, one.min);
    ASSERT_NE(kept.Of("ns1"), nullptr) << one.name;
    EXPECT_EQ(Shown(kept.Of("ns1")->quota->max), one.want_max) << one.name;
    EXPECT_EQ(Shown(kept.Of("ns1")->quota->min), one.want_min) << one.name;
    EXPECT_EQ(kept.Used("ns1"), Vector{}) << one.name;
  }
}

TEST(CapacityQuotas, UpdateElasticQuota) {
  Kept kept;
  kept.Quota("ns1", kMax, kMin).Quota("ns1", R"({"cpu": "300m", "memory": "1000"})", kMin);
  EXPECT_EQ(Shown(kept.Of("ns1")->quota->max), (Vector{300, 1000}));
  EXPECT_EQ(Shown(kept.Of("ns1")->quota->min), kMinShown);
  EXPECT_EQ(kept.Used("ns1"), Vector{});
}

TEST(CapacityQuotas, DeleteElasticQuota) {
  Kept kept;
  kept.Quota("ns1", kMax, kMin);
  kept.plugin.Delete(kElasticQuotas, "eq", "ns1");
  EXPECT_EQ(kept.Of("ns1"), nullptr);
}

TEST(CapacityQuotas, AddPod) {
  Kept kept;
  kept.Quota("ns1", kMax, kMin);
  for (const char* name : {"t1-p1", "t1-p2", "t1-p3"}) kept.Came(PodOf(name, "ns1", 50, 10));
  EXPECT_EQ(kept.Used("ns1"), (Vector{30, 150}));
}

// TestUpdatePod. The host reports a change of a pod on a node as a removal and an addition, and a pod that
// finishes as a removal.
TEST(CapacityQuotas, UpdatePodThatHadSucceededAndRuns) {
  Kept kept;
  const FakePod pod = PodOf("t1-p1", "ns1", 100, 30);
  kept.Quota("ns1", kMax, kMin).Came(pod).Left(pod).Came(FakePod(pod).Priority(kHigh));
  EXPECT_EQ(kept.Used("ns1"), (Vector{30, 100}));
}
TEST(CapacityQuotas, UpdatePodThatFails) {
  Kept kept;
  const FakePod pod = PodOf("t1-p2", "ns1", 100, 30);
  kept.Quota("ns1", kMax, kMin).Came(pod).Left(pod);
  EXPECT_EQ(kept.Used("ns1"), Vector{});
}

TEST(CapacityQuotas, DeletePod) {
  Kept kept;
  const FakePod one = PodOf("t1-p1", "ns1", 100, 30), two = PodOf("t1-p2", "ns1", 100, 30);
  kept.Quota("ns1", kMax, kMin).Came(one).Came(two).Left(one);
  EXPECT_EQ(kept.Used("ns1"), (Vector{30, 100})) << "delete one pod";
  kept.Left(two);
  EXPECT_EQ(kept.Used("ns1"), Vector{}) << "delete all pods";
}

// TestReserve and TestUnreserve: the host reports an assumed pod as an addition, and one that is given up as a
// removal. The namespace of the quota used 300 before.
TEST(CapacityQuotas, ReservedPodsCountOnceAndOnlyWithAQuota) {
  Kept kept;
  kept.Quota("ns1", Memory(2000), Memory(1000)).Came(PodOf("before", "ns1", 300));
  kept.Came(PodOf("t1-p1", "ns1", 50));
  EXPECT_EQ(kept.Used("ns1"), (Vector{0, 350}));
  kept.Came(PodOf("t1-p2", "ns2", 50));
  EXPECT_EQ(kept.Used("ns1"), (Vector{0, 350}));
  EXPECT_EQ(kept.Of("ns2"), nullptr);
  EXPECT_EQ(Shown(kept.quotas().used()), (Vector{0, 350}));
}
TEST(CapacityQuotas, UnreservedPodsAreTakenOut) {
  Kept kept;
  const FakePod three = PodOf("t1-p3", "ns1", 50), two = PodOf("t1-p2", "ns2", 50);
  kept.Quota("ns1", Memory(2000), Memory(1000)).Came(PodOf("before", "ns1", 250)).Came(three).Came(two).Left(two);
  EXPECT_EQ(kept.Used("ns1"), (Vector{0, 300}));
  kept.Left(three);
  EXPECT_EQ(kept.Used("ns1"), (Vector{0, 250}));
}

// ---- own

TEST(CapacityQuotas, AQuotaThatComesLaterStartsWithThePodsThatAreThere) {
  Kept kept;
  kept.Came(PodOf("p", "ns1", 50, 10, 2)).Quota("ns1", kMax, kMin);
  EXPECT_EQ(kept.Used("ns1"), (Vector{10, 50, 0, 0, {{kGpuName, 2}}}));
  EXPECT_EQ(Shown(kept.quotas().used()), kept.Used("ns1"));
}

TEST(CapacityQuotas, TheSumsFollowTheQuotas) {
  Kept kept;
  kept.Came(PodOf("p", "ns1", 50))
      .Came(PodOf("q", "ns2", 70))
      .Quota("ns1", "", Memory(100))
      .Quota("ns2", "", Memory(200));
  EXPECT_EQ(Shown(kept.quotas().used()), (Vector{0, 120}));
  EXPECT_EQ(Shown(kept.quotas().min()), (Vector{0, 300}));
  kept.Quota("ns2", "", R"({"memory": "1Ki", "nvidia.com/gpu": 3})");
  EXPECT_EQ(Shown(kept.quotas().min()), (Vector{0, 1124, 0, 0, {{kGpuName, 3}}}));
  kept.plugin.Delete(kElasticQuotas, "eq", "ns2");
  EXPECT_EQ(Shown(kept.quotas().used()), (Vector{0, 50}));
  EXPECT_EQ(Shown(kept.quotas().min()), (Vector{0, 100}));
}

TEST(CapacityQuotas, TheFirstQuotaByNameCounts) {
  Kept kept;
  kept.plugin.Put(kElasticQuotas, QuotaOf("ns1", "", Memory(2), "b"));
  kept.plugin.Put(kElasticQuotas, QuotaOf("ns1", "", Memory(1), "a"));
  kept.plugin.Put(kElasticQuotas, QuotaOf("ns1", "", Memory(3), "c"));
  EXPECT_EQ(Shown(kept.Of("ns1")->quota->min), (Vector{0, 1}));
  kept.plugin.Delete(kElasticQuotas, "a", "ns1");
  EXPECT_EQ(Shown(kept.Of("ns1")->quota->min), (Vector{0, 2}));
}

TEST(CapacityQuotas, AListLimitsToZeroWhatItDoesNotName) {
  Kept kept;
  kept.Quota("ns1", R"({"cpu": 6, "example.com/a": "2", "unknown": 4})", "{}");
  EXPECT_EQ(Shown(kept.Of("ns1")->quota->max), (Vector{6000, 0, 0, 0, {{"example.com/a", 2}}}));
  kept.Quota("ns1", "{}", "{}");
  EXPECT_EQ(Shown(kept.Of("ns1")->quota->max), Vector{});
}

TEST(CapacityQuotas, QuantitiesAreRoundedUp) {
  Kept kept;
  kept.Quota("ns1",
             R"({"cpu": "1500u", "memory": "1500m", "nvidia.com/gpu": "0.5", "pods": "7", "ephemeral-storage": "1k"})",
             "");
  EXPECT_EQ(Shown(kept.Of("ns1")->quota->max), (Vector{2, 2, 1000, 7, {{kGpuName, 1}}}));
}

// ---- computePodResourceRequest

struct RequestCase {
  std::string name;
  FakePod pod;
  Vector want;
};

TEST(CapacityRequests, CountContainersInitContainersAndOverhead) {
  const std::vector<RequestCase> cases = {
      {.name = "containers are summed",
       .pod = FakePod().Req({{"cpu", 2000}, {"memory", 1}}).Req({{"cpu", 1000}, {"memory", 1}}),
       .want = {3000, 2}},
      {.name = "the example of the original",
       .pod = FakePod()
                  .InitReq({{"cpu", 2000}, {"memory", 1}})
                  .InitReq({{"cpu", 2000}, {"memory", 3}})
                  .Req({{"cpu", 2000}, {"memory", 1}})
                  .Req({{"cpu", 1000}, {"memory", 1}}),
       .want = {3000, 3}},
      {.name = "a sidecar counts as an init container",
       .pod = FakePod().SidecarReq({{"cpu", 500}}).Req({{"cpu", 400}}),
       .want = {500}},
      {.name = "the overhead comes on top",
       .pod = FakePod().InitReq({{"memory", 5}}).Req({{"memory", 1}}).Overhead({{"cpu", 7}, {"memory", 2}}),
       .want = {7, 7}},
      {.name = "pod-level resources do not count",
       .pod = FakePod().PodRequests({{"cpu", 9000}}).Req({{"cpu", 1000}}),
       .want = {1000}},
      {.name = "scalars of init containers",
       .pod = FakePod().InitReq({{kGpuName, 3}, {"hugepages-2Mi", 4}}).Req({{kGpuName, 2}}),
       .want = {0, 0, 0, 0, {{kGpuName, 3}, {"hugepages-2Mi", 4}}}},
      {.name = "pods count in containers and not in init containers",
       .pod = FakePod().InitReq({{"pods", 4}}).Req({{"pods", 1}}),
       .want = {0, 0, 0, 1}},
      {.name = "other names do not count",
       .pod = FakePod().Req({{"unknown", 4}, {"ephemeral-storage", 5}}),
       .want = {0, 0, 5}},
  };
  for (const RequestCase& one : cases) {
    Kept kept;
    Vector want = one.want;
    kept.Came(FakePod(one.pod).Namespace("ns1")).Quota("ns1", "", "");
    Vector used = kept.Used("ns1");
    std::sort(used.scalars.begin(), used.scalars.end());
    std::sort(want.scalars.begin(), want.scalars.end());
    EXPECT_EQ(used, want) << one.name;
  }
}

}  // namespace
}  // namespace plugins::capacity_scheduling

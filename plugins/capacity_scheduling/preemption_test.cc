// PostFilter: TestPostFilter, TestDryRunPreemption and TestPodEligibleToPreemptOthers of
// pkg/capacityscheduling/capacity_scheduling_test.go of kubernetes-sigs/scheduler-plugins, as facts, and what upstream
// does not test.
#include <map>
#include <string>
#include <vector>

#include "test_fixture.h"

namespace plugins::capacity_scheduling {
namespace {

struct QuotaRow {
  std::string ns;
  int64_t min, max;  // memory
};

struct Preempting : Quoted {
  explicit Preempting(const std::vector<QuotaRow>& quotas, const std::vector<FakePod>& pods = {},
                      const Texts& nodes = {"node-a"}) {
    Nodes(nodes).Start();
    for (const QuotaRow& quota : quotas) Quota(quota.ns, Memory(quota.max), Memory(quota.min));
    for (const FakePod& pod : pods) Came(pod, pod.node().empty() ? "node-a" : pod.node());
  }

  // PreFilter, then PostFilter after the filters rejected these nodes.
  PostFilterOutcome Try(const FakePod& pod, berth_status code = BERTH_UNSCHEDULABLE) {
    const auto attempt = plugin.Try(pod);
    attempt->PreFilter();
    std::map<std::string, berth_status> verdicts;
    for (const char* node : {"node-a", "node-b"}) {
      if (plugin.cluster().HasNode(node)) verdicts[node] = code;
    }
    return attempt->PostFilter(verdicts, BERTH_UNSCHEDULABLE);
  }
  // The names of the victims, in order.
  Texts Evicted() {
    plugin.host().api().AnswersBy([](const FakeRequest&) { return FakeReply(); });
    plugin.host().api().Deliver();
    Texts names;
    for (const FakeRequest& request : plugin.host().api().requests()) {
      if (request.verb == "DELETE") names.push_back(request.name);
    }
    return names;
  }
};

FakePod On(const std::string& node, FakePod pod) { return pod.Node(node); }

const std::vector<QuotaRow> kOwnIsFull = {{.ns = "ns1", .min = 50, .max = 200}, {.ns = "ns2", .min = 200, .max = 200}};
const std::vector<QuotaRow> kOthersBorrow = {{.ns = "ns1", .min = 150, .max = 200},
                                             {.ns = "ns2", .min = 50, .max = 200}};

// ---- TestPostFilter, TestDryRunPreemption

struct PostFilterCase {
  std::string name;
  std::vector<QuotaRow> quotas;
  std::vector<FakePod> pods;
  Texts want_victims;
};

std::vector<PostFilterCase> PostFilterCases() {
  const FakePod two = PodOf("t1-p2", "ns1", 50, 0, 0, kMid), three = PodOf("t1-p3", "ns2", 50, 0, 0, kMid),
                four = PodOf("t1-p4", "ns2", 50, 0, 0, kMid);
  return {
      {.name = "PostFilter, in-namespace preemption",
       .quotas = kOwnIsFull,
       .pods = {two, three, four},
       .want_victims = {"t1-p2"}},
      {.name = "PostFilter, cross-namespace preemption",
       .quotas = kOthersBorrow,
       .pods = {two, FakePod(three).Started(1), FakePod(four).Started(2)},
       .want_victims = {"t1-p4"}},
      {.name = "PostFilter, without elasticQuotas",
       .quotas = {},
       .pods = {FakePod(two).Started(3), FakePod(three).Started(1), FakePod(four).Started(2)},
       .want_victims = {"t1-p2"}},
      {.name = "DryRunPreemption, in-namespace preemption",
       .quotas = kOwnIsFull,
       .pods = {two, three, four},
       .want_victims = {"t1-p2"}},
      {.name = "DryRunPreemption, cross-namespace preemption",
       .quotas = kOthersBorrow,
       .pods = {two, FakePod(three).Priority(kHigh), four},
       .want_victims = {"t1-p4"}},
  };
}

TEST(CapacityPostFilter, AgreesWithUpstream) {
  for (const PostFilterCase& one : PostFilterCases()) {
    Preempting preempting(one.quotas, one.pods);
    const PostFilterOutcome outcome = preempting.Try(PodOf("t1-p1", "ns1", 50, 0, 0, kHigh));
    EXPECT_TRUE(outcome.ok()) << one.name << ": " << outcome;
    EXPECT_EQ(outcome.node, "node-a") << one.name;
    EXPECT_EQ(preempting.Evicted(), one.want_victims) << one.name;
  }
}

// ---- TestPodEligibleToPreemptOthers

struct EligibleCase {
  std::string name;
  FakePod pod;
  FakePod on_node;
  berth_status node_status;
  std::vector<QuotaRow> quotas;
  std::vector<FakePod> others = {};  // what the quotas use besides
  std::string want;                  // why it is not eligible; "": it is
};

const std::string kTerminatingText = "not eligible due to a terminating pod on the nominated node.";

std::vector<EligibleCase> EligibleCases() {
  const FakePod pod = FakePod("t1-p1").Uid("t1-p1").Namespace("ns1").Priority(kHigh).Nominated("node-a");
  const FakePod here = FakePod("t1-p0").Uid("t1-p0").Namespace("ns1").Priority(kMid).Terminating();
  const FakePod there = FakePod(here).Namespace("ns2");
  const FakePod uses = On("node-b", PodOf("uses", "ns2", 100));
  const QuotaRow ns1{.ns = "ns1", .min = 50, .max = 150}, ns2{.ns = "ns2", .min = 50, .max = 150};
  return {
      {.name = "PreemptNever",
       .pod = FakePod("t1-p1").Uid("t1-p1").Priority(kHigh).PreemptionPolicy("Never"),
       .on_node = PodOf("t1-p0", "ns1", 50, 10, 0, kMid),
       .node_status = BERTH_UNRESOLVABLE,
       .quotas = {ns1},
       .want = "not eligible due to preemptionPolicy=Never."},
      {.name = "the nominated node is unresolvable",
       .pod = FakePod("t1-p1").Uid("t1-p1").Priority(kHigh).Nominated("node-a"),
       .on_node = PodOf("t1-p0", "ns1", 50, 10, 0, kMid),
       .node_status = BERTH_UNRESOLVABLE,
       .quotas = {ns1},
       .want = ""},
      {.name = "a terminating pod of the same namespace",
       .pod = pod,
       .on_node = here,
       .node_status = BERTH_UNSCHEDULABLE,
       .quotas = {ns1},
       .want = kTerminatingText},
      {.name = "a terminating pod of another namespace",
       .pod = pod,
       .on_node = there,
       .node_status = BERTH_UNSCHEDULABLE,
       .quotas = {ns1, ns2},
       .others = {uses},
       .want = kTerminatingText},
      {.name = "without quotas, a terminating pod",
       .pod = pod,
       .on_node = there,
       .node_status = BERTH_UNSCHEDULABLE,
       .quotas = {},
       .want = kTerminatingText},
      {.name = "the namespace has no quota, and that of the terminating pod has one",
       .pod = pod,
       .on_node = there,
       .node_status = BERTH_UNSCHEDULABLE,
       .quotas = {ns2},
       .others = {uses},
       .want = ""},
      // Cases that upstream does not have.
      {.name = "a terminating pod of the same namespace that matters as much",
       .pod = pod,
       .on_node = FakePod(here).Priority(kHigh),
       .node_status = BERTH_UNSCHEDULABLE,
       .quotas = {ns1},
       .want = ""},
      {.name = "a terminating pod of a namespace that stays within its min",
       .pod = pod,
       .on_node = there,
       .node_status = BERTH_UNSCHEDULABLE,
       .quotas = {ns1, ns2},
       .want = ""},
      {.name = "a more important terminating pod of a namespace that borrows",
       .pod = pod,
       .on_node = FakePod(there).Priority(2 * kHigh),
       .node_status = BERTH_UNSCHEDULABLE,
       .quotas = {ns1, ns2},
       .others = {uses},
       .want = kTerminatingText},
      {.name = "the own namespace borrows, and so does that of the terminating pod",
       .pod = pod,
       .on_node = there,
       .node_status = BERTH_UNSCHEDULABLE,
       .quotas = {ns1, ns2},
       .others = {uses, On("node-b", PodOf("own", "ns1", 60, 0, 0, kHigh))},
       .want = ""},
  };
}

TEST(CapacityPostFilter, EligibleAsUpstream) {
  for (const EligibleCase& one : EligibleCases()) {
    Preempting preempting(one.quotas, one.others, {"node-a", "node-b"});
    preempting.Came(one.on_node);
    const PostFilterOutcome outcome = preempting.Try(one.pod, one.node_status);
    if (one.want.empty()) {
      EXPECT_THAT(outcome.reasons, ::testing::Not(::testing::Contains(::testing::HasSubstr("not eligible"))))
          << one.name;
    } else {
      EXPECT_EQ(outcome.code, BERTH_UNSCHEDULABLE) << one.name;
      EXPECT_EQ(outcome.reasons, Texts{one.want}) << one.name;
      EXPECT_EQ(outcome.mode, BERTH_NOMINATE_NOOP) << one.name;
    }
  }
}

TEST(CapacityPostFilter, WithoutPreFilterThereIsNoPreemption) {
  Preempting preempting({}, {PodOf("low", "ns1", 150)});
  const PostFilterOutcome outcome = preempting.plugin.Try(PodOf("p", "ns1", 50, 0, 0, kHigh))->PostFilter();
  EXPECT_EQ(outcome.reasons, Texts{"not eligible due to failed to read from cycleState"});
}

// ---- scheduler-plugins#683: A may use 5 GPUs of which 4 are its own, and uses them all; B is guaranteed the fifth.

TEST(CapacityPostFilter, AFullPoolGivesBackWhatIsBorrowed) {
  Quoted pool;
  pool.Nodes({"node-a"}, {{kGpuName, 5}, {"pods", 110}}).Start();
  pool.Quota("a", R"({"nvidia.com/gpu": 5})", R"({"nvidia.com/gpu": 4})");
  pool.Quota("b", R"({"nvidia.com/gpu": 5})", R"({"nvidia.com/gpu": 1})");
  const auto with_gpu = [](const std::string& name, const std::string& ns) {
    return FakePod(name).Namespace(ns).Uid(name).Req({{kGpuName, 1}});
  };
  for (int i = 0; i < 5; ++i) pool.Came(FakePod(with_gpu("a-" + std::to_string(i), "a")).Started(i));
  const auto attempt = pool.plugin.Try(with_gpu("b-0", "b"));
  EXPECT_EQ(attempt->PreFilter().reasons, Texts{OverPoolText("b-0", "b")});
  const PostFilterOutcome outcome = attempt->PostFilter();  // as the host does it: no node was examined
  EXPECT_TRUE(outcome.ok()) << outcome;
  EXPECT_EQ(outcome.node, "node-a");
  ASSERT_EQ(pool.plugin.host().api().requests().size(), 1u);
  EXPECT_EQ(pool.plugin.host().api().requests()[0].name, "a-4");
}

// ---- which pods may be victims

TEST(CapacityPostFilter, OthersLeaveOnlyUntilTheyNoLongerBorrow) {
  // ns2 borrows 20. Two of its pods could leave; the second one need not.
  Preempting preempting({{.ns = "ns1", .min = 100, .max = 200}, {.ns = "ns2", .min = 80, .max = 200}},
                        {PodOf("a", "ns2", 50, 0, 0, kHigh), PodOf("b", "ns2", 50, 0, 0, kMid)});
  const PostFilterOutcome outcome = preempting.Try(PodOf("p", "ns1", 100, 0, 0, 0));
  EXPECT_TRUE(outcome.ok()) << outcome;
  EXPECT_EQ(preempting.Evicted(), Texts{"b"});
}

TEST(CapacityPostFilter, PodsOfOthersLeaveWhateverTheirPriority) {
  Preempting preempting(kOthersBorrow,
                        {PodOf("a", "ns2", 75, 0, 0, 2 * kHigh), PodOf("b", "ns2", 75, 0, 0, 3 * kHigh)});
  EXPECT_TRUE(preempting.Try(PodOf("p", "ns1", 50)).ok());
  EXPECT_EQ(preempting.Evicted(), Texts{"a"});
}

TEST(CapacityPostFilter, ANamespaceWithinItsMinKeepsItsPods) {
  Preempting preempting({{.ns = "ns1", .min = 150, .max = 200}, {.ns = "ns2", .min = 150, .max = 200}},
                        {PodOf("a", "ns2", 150)});
  const PostFilterOutcome outcome = preempting.Try(PodOf("p", "ns1", 50, 0, 0, kHigh));
  EXPECT_EQ(outcome.code, BERTH_UNSCHEDULABLE);
  EXPECT_EQ(outcome.mode, BERTH_NOMINATE_OVERRIDE);
  EXPECT_EQ(outcome.node, "");
  EXPECT_THAT(preempting.trials.opened(), IsEmpty());
}

TEST(CapacityPostFilter, PodsWithAndWithoutAQuotaLeaveEachOtherAlone) {
  Preempting with(kOwnIsFull, {PodOf("free", "ns3", 150)}), without(kOwnIsFull, {PodOf("a", "ns1", 150)});
  EXPECT_FALSE(with.Try(PodOf("p", "ns1", 50, 0, 0, kHigh)).ok());
  EXPECT_FALSE(without.Try(PodOf("p", "ns3", 50, 0, 0, kHigh)).ok());
}

// ---- what the quotas reject in a trial

TEST(CapacityPostFilter, ANodeWhereTheQuotaIsStillExceededIsNoCandidate) {
  // The pool lacks 60, and the only pod of node-a that may leave frees 10.
  Preempting preempting({{.ns = "ns1", .min = 100, .max = 200}},
                        {PodOf("small", "ns1", 10), On("node-b", PodOf("large", "ns1", 90, 0, 0, kHigh))},
                        {"node-a", "node-b"});
  const PostFilterOutcome outcome = preempting.Try(PodOf("p", "ns1", 60, 0, 0, kHigh));
  EXPECT_EQ(outcome.code, BERTH_UNSCHEDULABLE);
  ASSERT_EQ(outcome.reasons.size(), 1u);
  EXPECT_THAT(outcome.reasons[0], ::testing::HasSubstr("1 global quota max exceeded"));
}

TEST(CapacityPostFilter, APodThatFitsBesideTheVictimStillNeedsItsQuota) {
  // The node has room for all pods. Only the quota has not.
  Preempting preempting({{.ns = "ns1", .min = 100, .max = 100}},
                        {PodOf("low", "ns1", 50), PodOf("lower", "ns1", 40, 0, 0, -1)});
  EXPECT_TRUE(preempting.Try(PodOf("p", "ns1", 50, 0, 0, kHigh)).ok());
  EXPECT_EQ(preempting.Evicted(), Texts{"lower"});
}

TEST(CapacityPostFilter, AVictimThatNeitherFitsNorHasQuotaLeavesOnce) {
  Preempting preempting({{.ns = "ns1", .min = 150, .max = 150}}, {PodOf("low", "ns1", 150)});
  const PostFilterOutcome outcome = preempting.Try(PodOf("p", "ns1", 150, 0, 0, kHigh));
  EXPECT_TRUE(outcome.ok()) << outcome;
  EXPECT_EQ(preempting.Evicted(), Texts{"low"});
}

TEST(CapacityPostFilter, ABudgetIsOverdrawnAlsoByAVictimThatOnlyTheQuotaKeepsOut) {
  // Both nodes have room. The victim on node-a has a budget of 0, so node-b is better although its victim matters more.
  Preempting preempting(
      {{.ns = "ns1", .min = 100, .max = 100}},
      {PodOf("a", "ns1", 50, 0, 0, 1).Label("app", "db"), On("node-b", PodOf("b", "ns1", 50, 0, 0, 2))},
      {"node-a", "node-b"});
  preempting.plugin.Put("policy/v1/poddisruptionbudgets", FakeObject("pdb", "ns1")
                                                              .Spec(R"({"selector": {"matchLabels": {"app": "db"}}})")
                                                              .Status(R"({"disruptionsAllowed": 0})"));
  EXPECT_EQ(preempting.Try(PodOf("p", "ns1", 50, 0, 0, kHigh)).node, "node-b");
  EXPECT_EQ(preempting.Evicted(), Texts{"b"});
}

TEST(CapacityPostFilter, RoomOfNominatedPodsIsKeptForThem) {
  // nominee takes 30 of the 60 that the two victims free; the remaining room must be enough for it too.
  Preempting preempting({{.ns = "ns1", .min = 100, .max = 100}},
                        {PodOf("a", "ns1", 60, 0, 0, 1), PodOf("b", "ns1", 40, 0, 0, 2)}, {"node-a", "node-b"});
  preempting.nominations.Nominate(PodOf("nominee", "ns1", 30, 0, 0, kHigh), "node-b");
  EXPECT_TRUE(preempting.Try(PodOf("p", "ns1", 60, 0, 0, kHigh)).ok());
  EXPECT_EQ(preempting.Evicted(), (Texts{"b", "a"}));
}

// ---- the rest

TEST(CapacityPostFilter, ThePodWaitsUntilItsVictimsHaveBeenAsked) {
  Preempting preempting(kOwnIsFull, {PodOf("low", "ns1", 150)});
  const FakePod pod = PodOf("p", "ns1", 50, 0, 0, kHigh);
  EXPECT_TRUE(preempting.plugin.Try(pod)->PreEnqueue().ok());
  EXPECT_TRUE(preempting.Try(pod).ok());
  EXPECT_EQ(preempting.plugin.Try(pod)->PreEnqueue().reasons,
            Texts{"waiting for the preemption for this pod to be finished"});
  preempting.Evicted();
  EXPECT_TRUE(preempting.plugin.Try(pod)->PreEnqueue().ok());
}

TEST(CapacityPostFilter, AFailedDryRunIsAnError) {
  Preempting preempting(kOwnIsFull, {PodOf("low", "ns1", 150)});
  preempting.trials.FailOn("low", "the plugin failed");
  const PostFilterOutcome outcome = preempting.Try(PodOf("p", "ns1", 50, 0, 0, kHigh));
  EXPECT_EQ(outcome.code, BERTH_ERROR);
  EXPECT_EQ(outcome.reasons, Texts{"the plugin failed"});
}

}  // namespace
}  // namespace plugins::capacity_scheduling

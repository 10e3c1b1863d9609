// The table tests of pkg/coscheduling and pkg/coscheduling/core of kubernetes-sigs/scheduler-plugins, as facts.
#include <string>
#include <vector>

#include "test_fixture.h"

namespace plugins::coscheduling {
namespace {

constexpr int64_t kSecond = 1'000'000'000;
constexpr int64_t kNow = 1'767'225'600 * kSecond;  // 2026-01-01T00:00:00Z, as FakeTasks begins

// The time that many seconds after kNow, below a minute.
std::string TimeAt(int seconds) {
  return "2026-01-01T00:00:" + std::string(seconds < 10 ? "0" : "") + std::to_string(seconds) + "Z";
}

FakeObject GroupAt(const std::string& name, const std::string& ns, int seconds) {
  return GroupOf(name, 1, "", ns).Merge(R"({"metadata": {"creationTimestamp": ")" + TimeAt(seconds) + R"("}})");
}

// ---- TestLess

struct Entry {
  const char *name, *ns;
  int32_t priority;
  int seconds = 0;  // the first attempt, after kNow
  const char* group = "";
};
struct LessCase {
  std::string name;
  Entry p1, p2;
  std::vector<FakeObject> groups;
  bool want;
};

FakeQueued QueuedOf(const Entry& entry) {
  FakePod pod = FakePod(entry.name).Namespace(entry.ns).Priority(entry.priority);
  if (*entry.group != 0) pod.Label(std::string(kPodGroupLabel), entry.group);
  return {.pod = pod, .queued = kNow, .initial_attempt = kNow + entry.seconds * kSecond};
}

std::vector<LessCase> LessCases() {
  const FakeObject pg1_in_1 = GroupAt("pg1", "ns1", 1), pg2_in_2 = GroupAt("pg2", "ns2", 2);
  return {
      {.name = "p1.priority less than p2.priority",
       .p1 = {"p1", "ns1", 10},
       .p2 = {"p2", "ns2", 100},
       .groups = {},
       .want = false},
      {.name = "p1.priority greater than p2.priority",
       .p1 = {"p1", "ns1", 100},
       .p2 = {"p2", "ns2", 10},
       .groups = {},
       .want = true},
      {.name = "p1 is added to schedulingQ earlier than p2",
       .p1 = {"p1", "ns1", 100, 1},
       .p2 = {"p2", "ns2", 100, 2},
       .groups = {},
       .want = true},
      {.name = "p2 is added to schedulingQ earlier than p1",
       .p1 = {"p1", "ns1", 100, 2},
       .p2 = {"p2", "ns2", 100, 1},
       .groups = {},
       .want = false},
      {.name = "p1.priority less, p1 belongs to pg1",
       .p1 = {"p1", "ns1", 10, 0, "pg1"},
       .p2 = {"p2", "ns2", 100},
       .groups = {GroupAt("pg1", "ns1", 0)},
       .want = false},
      {.name = "p1.priority greater, p1 belongs to pg1",
       .p1 = {"p1", "ns1", 100, 0, "pg1"},
       .p2 = {"p2", "ns2", 10},
       .groups = {GroupAt("pg1", "ns1", 0)},
       .want = true},
      {.name = "p1 is earlier, p1 belongs to pg1",
       .p1 = {"p1", "ns1", 100, 1, "pg1"},
       .p2 = {"p2", "ns2", 100, 2},
       .groups = {pg1_in_1},
       .want = true},
      {.name = "p2 is earlier, p1 belongs to pg1",
       .p1 = {"p1", "ns1", 100, 2, "pg1"},
       .p2 = {"p2", "ns2", 100, 1},
       .groups = {GroupAt("pg1", "ns1", 2)},
       .want = false},
      {.name = "p1.priority less, pg1 and pg2",
       .p1 = {"p1", "ns1", 10, 0, "pg1"},
       .p2 = {"p2", "ns2", 100, 0, "pg2"},
       .groups = {pg1_in_1, pg2_in_2},
       .want = false},
      {.name = "p1.priority greater, pg1 and pg2",
       .p1 = {"p1", "ns1", 100, 0, "pg1"},
       .p2 = {"p2", "ns2", 10, 0, "pg1"},
       .groups = {pg1_in_1, pg2_in_2},
       .want = true},
      {.name = "p1 is earlier, pg1 and pg2",
       .p1 = {"p1", "ns1", 100, 1, "pg1"},
       .p2 = {"p2", "ns2", 100, 2, "pg2"},
       .groups = {pg1_in_1, pg2_in_2},
       .want = true},
      {.name = "p1 belongs to pg2 and p2 belongs to pg1",
       .p1 = {"p1", "ns", 10, 1, "pg2"},
       .p2 = {"p2", "ns", 100, 2, "pg1"},
       .groups = {GroupAt("pg1", "ns", 1), GroupAt("pg2", "ns", 2)},
       .want = false},
      {.name = "equal creation time, pg2 and pg2",
       .p1 = {"p1", "ns1", 100, 1, "pg2"},
       .p2 = {"p2", "ns2", 100, 1, "pg2"},
       .groups = {pg1_in_1, pg2_in_2},
       .want = true},
      {.name = "equal creation time, p2 belongs to pg2",
       .p1 = {"p1", "ns1", 100, 1},
       .p2 = {"p2", "ns2", 100, 1, "pg2"},
       .groups = {pg2_in_2},
       .want = true},
  };
}

TEST(CoschedulingLess, AgreesWithUpstream) {
  for (const LessCase& one : LessCases()) {
    SCOPED_TRACE(one.name);
    Gangs gangs;
    for (const FakeObject& group : one.groups) gangs.Group(group);
    gangs.Start();
    EXPECT_EQ(gangs.plugin.Less(QueuedOf(one.p1), QueuedOf(one.p2)), one.want);
  }
}

TEST(CoschedulingLess, PutsAGroupThatFailedBehindTheOthersUntilItSucceeds) {  // TestLessAfterScheduleFailure
  Gangs gangs;
  gangs.Group(GroupAt("pg1", "ns", 1).Merge(R"({"spec": {"minMember": 2}})"));
  gangs.Group(GroupAt("pg2", "ns", 5).Merge(R"({"spec": {"minMember": 3}})")).Start();
  const FakeQueued p1 = QueuedOf({"p1", "ns", 100, 0, "pg1"}), p2 = QueuedOf({"p2", "ns", 100, 0, "pg2"});
  gangs.Pods({Member("p1", "pg1"), Member("p2", "pg2")});
  EXPECT_TRUE(gangs.plugin.Less(p1, p2));
  gangs.plugin.host().tasks().Advance(10s);
  gangs.PostFilter(Member("p1", "pg1"));
  EXPECT_FALSE(gangs.plugin.Less(p1, p2));
  EXPECT_TRUE(gangs.plugin.Less(p2, p1));
  gangs.Pods({Member("p0", "pg1").Node("node-a")});
  EXPECT_TRUE(gangs.Permit(Member("p1", "pg1")).ok());
  EXPECT_TRUE(gangs.plugin.Less(p1, p2));
}

TEST(CoschedulingLess, TakesTheTimeOfTheFailureOrOfTheGroup) {  // TestMarkAndClearPodGroupScheduleFailure
  Gangs gangs;
  gangs.Group(GroupAt("pg1", "ns", 1).Merge(R"({"spec": {"minMember": 2}})")).Start();
  const FakeQueued member = QueuedOf({"p1", "ns", 100, 30, "pg1"}), other = QueuedOf({"p2", "ns", 100, 2});
  EXPECT_TRUE(gangs.plugin.Less(member, other));  // 1 < 2
  gangs.plugin.host().tasks().Advance(10s);
  gangs.PostFilter(Member("p1", "pg1"));
  EXPECT_FALSE(gangs.plugin.Less(member, other));  // 10 > 2
}

TEST(CoschedulingLess, TakesThePodsOwnTimeIfItsGroupDoesNotExist) {
  Gangs gangs;
  gangs.Start();
  EXPECT_TRUE(gangs.plugin.Less(QueuedOf({"p1", "ns", 0, 1, "pg1"}), QueuedOf({"p2", "ns", 0, 2})));
  EXPECT_FALSE(gangs.plugin.Less(QueuedOf({"p1", "ns", 0, 3, "pg1"}), QueuedOf({"p2", "ns", 0, 2})));
}

// ---- TestPreFilter of core

struct PreFilterCase {
  std::string name;
  FakePod pod;
  std::vector<FakePod> siblings;
  std::vector<FakeObject> groups;
  std::string want;  // "": success
};

std::vector<PreFilterCase> PreFilterCases() {
  const FakePod p1a = Member("p1a", "pg1"), p1b = Member("p1b", "pg1"), p1c = Member("p1c", "pg1");
  const std::vector<FakeObject> two = {GroupOf("pg1", 2), GroupOf("pg2", 2)};
  const auto gated = [](FakePod pod) { return pod.Gate("example-gate"); };
  return {
      {.name = "pod does not belong to any pg",
       .pod = FakePod("p").Namespace("ns"),
       .siblings = {Member("p1", "pg1"), Member("p2", "pg2")},
       .groups = {GroupOf("pg1", 1), GroupOf("pg2", 1)},
       .want = ""},
      {.name = "pod belongs to a non-existent pg",
       .pod = Member("p", "pg-non-existent"),
       .siblings = {},
       .groups = {GroupOf("pg1", 1)},
       .want = ""},
      {.name = "pod count less than minMember",
       .pod = Member("p", "pg1"),
       .siblings = {Member("pg2-1", "pg2")},
       .groups = two,
       .want = "pre-filter pod p cannot find enough sibling pods, current pods number: 1, minMember of group: 2"},
      {.name = "pod count equal minMember", .pod = p1a, .siblings = {p1b}, .groups = two, .want = ""},
      {.name = "pod count more than minMember", .pod = p1a, .siblings = {p1b, p1c}, .groups = two, .want = ""},
      {.name = "gated pods but still meeting quorum",
       .pod = p1a,
       .siblings = {p1b, gated(p1c)},
       .groups = {GroupOf("pg1", 2)},
       .want = ""},
      {.name = "gated pods push group below quorum",
       .pod = p1a,
       .siblings = {gated(p1b), p1c},
       .groups = {GroupOf("pg1", 3)},
       .want = "pre-filter pod p1a cannot proceed due to gated pods in the same PodGroup"},
      {.name = "all sibling pods are gated",
       .pod = p1a,
       .siblings = {gated(p1b), gated(p1c)},
       .groups = {GroupOf("pg1", 2)},
       .want = "pre-filter pod p1a cannot proceed due to gated pods in the same PodGroup"},
      {.name = "cluster's resource satisfies minResource",
       .pod = p1a,
       .siblings = {p1b, p1c},
       .groups = {GroupOf("pg1", 2, R"(, "minResources": {"cpu": "6"})")},
       .want = ""},
      {.name = "cluster's resource cannot satisfy minResource",
       .pod = p1a,
       .siblings = {p1b, p1c},
       .groups = {GroupOf("pg1", 2, R"(, "minResources": {"cpu": "10"})")},
       .want = "resource gap: map[cpu:{{2000 -3} {<nil>}  DecimalSI}]"},
  };
}

TEST(CoschedulingPreFilter, AgreesWithUpstream) {
  for (const PreFilterCase& one : PreFilterCases()) {
    SCOPED_TRACE(one.name);
    Gangs gangs;
    for (const FakeObject& group : one.groups) gangs.Group(group);
    gangs.Pods(one.siblings).Pods({one.pod}).Start();
    EXPECT_EQ(gangs.PreFilter(one.pod), one.want.empty() ? Outcome{} : Refused(BERTH_UNRESOLVABLE, one.want));
  }
}

// ---- TestCheckClusterResource: 3 + 3 cpu, minResources 4 cpu

Outcome CheckRoom(const std::vector<std::pair<FakePod, std::string>>& existing) {
  Gangs gangs;
  gangs.plugin.cluster() = FakeCluster();
  for (const char* node : {"node-a", "node-b"}) {
    gangs.plugin.cluster().Add(FakeNode(node).Allocatable({{"cpu", 3000}, {"pods", 110}}));
  }
  for (const auto& [pod, node] : existing) {
    gangs.plugin.cluster().Add(FakePod(pod).Node(node), node);
    gangs.Pods({FakePod(pod).Node(node)});
  }
  const FakePod pod = Member("p", "pg1");
  gangs.Group(GroupOf("pg1", 1, R"(, "minResources": {"cpu": 4})")).Pods({pod}).Start();
  return gangs.PreFilter(pod);
}

TEST(CoschedulingPreFilter, CountsTheRoomOfTheCluster) {
  const FakePod two = FakePod("p1").Namespace("ns").Req({{"cpu", 2000}});
  const FakePod one = FakePod("p2").Namespace("ns").Req({{"cpu", 1000}});
  EXPECT_TRUE(CheckRoom({{two, "node-a"}}).ok());
  EXPECT_EQ(CheckRoom({{two, "node-a"}, {one, "node-b"}}),
            Refused(BERTH_UNRESOLVABLE, "resource gap: map[cpu:{{1000 -3} {<nil>}  DecimalSI}]"));
  EXPECT_TRUE(CheckRoom({{Member("p1", "pg1").Req({{"cpu", 2000}}), "node-a"}, {one, "node-b"}}).ok());
}

// ---- TestPermit of both packages

TEST(CoschedulingPermit, AgreesWithUpstream) {
  struct Case {
    std::string name;
    FakePod pod;
    std::vector<FakePod> existing;
    std::vector<FakeObject> groups;
    Outcome want;
  };
  const std::vector<FakeObject> both = {GroupOf("pg1", 1), GroupOf("pg2", 2)};
  const std::vector<Case> cases = {
      {.name = "pods do not belong to any podGroup",
       .pod = FakePod("p").Namespace("ns"),
       .existing = {},
       .groups = both,
       .want = {}},
      {.name = "quorum not satisfied",
       .pod = Member("p", "pg2"),
       .existing = {},
       .groups = both,
       .want = {BERTH_WAIT, {}}},
      {.name = "quorum satisfied", .pod = Member("p", "pg1"), .existing = {}, .groups = both, .want = {}},
      {.name = "core: no pg",
       .pod = FakePod("p").Namespace("ns"),
       .existing = {},
       .groups = {GroupOf("pg1", 2)},
       .want = {}},
      {.name = "core: a non-existent pg",
       .pod = Member("p", "pg-non-existent"),
       .existing = {},
       .groups = {GroupOf("pg1", 2)},
       .want = Refused(BERTH_UNSCHEDULABLE, "PodGroup not found")},
      {.name = "core: no quorum",
       .pod = Member("p", "pg1"),
       .existing = {},
       .groups = {GroupOf("pg1", 2)},
       .want = {BERTH_WAIT, {}}},
      {.name = "core: quorum",
       .pod = Member("p1a", "pg1"),
       .existing = {Member("p1b", "pg1").Node("node")},
       .groups = {GroupOf("pg1", 2)},
       .want = {}},
  };
  for (const Case& one : cases) {
    SCOPED_TRACE(one.name);
    Gangs gangs;
    for (const FakeObject& group : one.groups) gangs.Group(group);
    gangs.Pods(one.existing).Pods({one.pod}).Start();
    EXPECT_EQ(gangs.Permit(one.pod), one.want);
  }
}

// ---- TestPostFilter, TestPostFilterRejectThreshold

constexpr const char* kGivenUp = "PodGroup ns/pg1 gets rejected due to Pod p is unschedulable even after PostFilter";

TEST(CoschedulingPostFilter, AgreesWithUpstream) {
  struct Case {
    std::string name;
    FakePod pod;
    std::vector<FakePod> existing;
    int min_member;
    Outcome want;
  };
  const std::vector<FakePod> p1 = {Member("p1", "pg1").Node("node")};
  const std::vector<Case> cases = {
      {.name = "no pod group",
       .pod = FakePod("p").Namespace("ns"),
       .existing = {},
       .min_member = 2,
       .want = Refused(BERTH_UNSCHEDULABLE, "can not find pod group")},
      {.name = "enough pods assigned, do not reject all",
       .pod = Member("p", "pg1"),
       .existing = p1,
       .min_member = 1,
       .want = {BERTH_UNSCHEDULABLE, {}}},
      {.name = "pod failed at filter phase, reject all pods",
       .pod = Member("p", "pg1"),
       .existing = p1,
       .min_member = 2,
       .want = Refused(BERTH_UNSCHEDULABLE, kGivenUp)},
  };
  for (const Case& one : cases) {
    SCOPED_TRACE(one.name);
    Gangs gangs;
    gangs.Group(GroupOf("pg1", one.min_member)).Pods(one.existing).Pods({one.pod}).Start();
    EXPECT_EQ(gangs.PostFilter(one.pod), one.want);
  }
}

TEST(CoschedulingPostFilter, LeavesAGroupAloneThatMissesFewPods) {
  struct Case {
    int percentage, assigned;
    bool rejects;
  };
  for (const Case& one :
       {Case{10, 9, false}, {10, 8, true}, {0, 9, true}, {100, 0, false}, {50, 6, false}, {50, 4, true}}) {
    SCOPED_TRACE(std::to_string(one.percentage) + "% and " + std::to_string(one.assigned));
    Gangs gangs(FakeValue::Object({{"podGroupRejectPercentage", one.percentage}}));
    for (int i = 0; i < one.assigned; ++i) gangs.Pods({Member("assigned-" + std::to_string(i), "pg1").Node("node")});
    gangs.Group(GroupOf("pg1", 10)).Pods({Member("p", "pg1")}).Start();
    EXPECT_EQ(gangs.PostFilter(Member("p", "pg1")),
              one.rejects ? Refused(BERTH_UNSCHEDULABLE, kGivenUp) : Outcome(BERTH_UNSCHEDULABLE, {}));
  }
}

// ---- TestPodGroupBackoffTime

TEST(CoschedulingBackoff, StopsPodsFromEnteringAnEndlessLoop) {
  Gangs gangs(FakeValue::Object({{"podGroupBackoffSeconds", 1}}));
  const FakePod pod1 = Member("pod1", "pg1"), pod2 = Member("pod2", "pg1"), pod3 = Member("pod3", "pg1");
  gangs.Group(GroupOf("pg1", 3)).Pods({pod1, pod2, pod3}).Start();
  EXPECT_EQ(gangs.Permit(pod1).code, BERTH_WAIT);
  EXPECT_THAT(gangs.activated(), ElementsAre("ns/pod2", "ns/pod3"));
  gangs.PostFilter(pod2);
  EXPECT_EQ(gangs.PreFilter(pod3), Refused(BERTH_UNRESOLVABLE, "podGroup ns/pg1 failed recently"));
}

}  // namespace
}  // namespace plugins::coscheduling

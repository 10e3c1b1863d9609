// The objects that the loop keeps in memory: pods, and the objects with a status.
#include <gtest/gtest.h>

#include "controllers/reconcile/object_table.h"
#include "controllers/reconcile/pod_table.h"
#include "controllers/rules/pod_group.h"

namespace berth::reconcile {
namespace {

using rules::PodFacts;
using rules::PodPhase;

PodFacts Pod(const std::string& name, PodPhase phase, const std::string& group, int64_t cpu = 0) {
  PodFacts pod;
  pod.ns = "ns";
  pod.name = name;
  pod.phase = phase;
  pod.group = group;
  pod.owners = {"owner-of-" + name};
  if (cpu > 0) pod.requests["cpu"].quantity = base::Quantity::FromUnits(cpu);
  return pod;
}

TEST(PodTable, SaysWhatAChangeConcerns) {
  PodTable pods;
  using Groups = std::vector<std::string>;
  PodChange change = pods.Set(Pod("a", PodPhase::kPending, "g"));
  EXPECT_EQ(change.groups, Groups{"g"});
  EXPECT_FALSE(change.requests);
  change = pods.Set(Pod("a", PodPhase::kPending, "g"));
  EXPECT_EQ(change.groups, Groups{}) << "nothing has changed";
  change = pods.Set(Pod("a", PodPhase::kRunning, "g", 1));
  EXPECT_EQ(change.groups, Groups{"g"});
  EXPECT_TRUE(change.requests);
  change = pods.Set(Pod("a", PodPhase::kRunning, "h", 1));
  EXPECT_EQ(change.groups, (Groups{"g", "h"}));
  EXPECT_FALSE(change.requests);
  change = pods.Remove("ns/a");
  EXPECT_EQ(change.groups, Groups{"h"});
  EXPECT_TRUE(change.requests);
  EXPECT_EQ(pods.Remove("ns/a").groups, Groups{});
}

TEST(PodTable, CountsTheMembersAndTakesTheOwnersOfTheFirst) {
  PodTable pods;
  pods.Set(Pod("c", PodPhase::kFailed, "g"));
  pods.Set(Pod("b", PodPhase::kRunning, "g"));
  pods.Set(Pod("d", PodPhase::kSucceeded, "g"));
  pods.Set(Pod("e", PodPhase::kPending, "g"));
  pods.Set(Pod("a", PodPhase::kRunning, "other"));
  const rules::GroupMembers members = pods.MembersOf("ns", "g");
  EXPECT_EQ(members.total, 4);
  EXPECT_EQ(members.running, 1);
  EXPECT_EQ(members.succeeded, 1);
  EXPECT_EQ(members.failed, 1);
  EXPECT_EQ(members.owners, std::vector<std::string>{"owner-of-b"});
  EXPECT_EQ(pods.MembersOf("other", "g").total, 0);
}

TEST(PodTable, ForgetsPodsThatNobodyCounts) {
  PodTable pods;
  pods.Set(Pod("a", PodPhase::kRunning, "", 1));
  pods.Set(Pod("b", PodPhase::kPending, ""));
  EXPECT_EQ(pods.size(), 1u);
  EXPECT_TRUE(pods.Set(Pod("a", PodPhase::kSucceeded, "")).requests);
  EXPECT_EQ(pods.size(), 0u);
}

TEST(PodTable, ASumHasTheFormatOfTheFirstPodByName) {
  PodTable pods;
  for (const char* name : {"c", "b", "e", "a", "d"}) {
    PodFacts pod = Pod(name, PodPhase::kRunning, "");
    const bool first = pod.name == "a";
    pod.requests["memory"] = {base::Quantity::FromUnits(1024),
                              first ? text::QuantityFormat::kBinarySi : text::QuantityFormat::kDecimalSi};
    pods.Set(std::move(pod));
  }
  rules::Amounts sum;
  pods.AddRequests("ns", sum);
  EXPECT_EQ(sum["memory"].Text(), "5Ki");
}

TEST(PodTable, KeepsWhatIsPresent) {
  PodTable pods;
  pods.Set(Pod("a", PodPhase::kRunning, "g", 1));
  pods.Set(Pod("b", PodPhase::kRunning, "g", 2));
  const auto changes = pods.Keep({"ns/b"});
  ASSERT_EQ(changes.size(), 1u);
  EXPECT_EQ(changes[0].groups, std::vector<std::string>{"g"});
  rules::Amounts sum;
  pods.AddRequests("ns", sum);
  EXPECT_EQ(sum["cpu"].quantity, base::Quantity::FromUnits(2));
}

rules::PodGroup Group(const std::string& version, const std::string& phase, const std::string& uid = "u") {
  rules::PodGroup group;
  group.meta = {"ns", "g", uid, version};
  group.status.phase = phase;
  return group;
}

using Groups = ObjectTable<rules::PodGroup>;

TEST(ObjectTable, HoldsTheAnswerUntilTheWatchHasComeAsFar) {
  Groups groups;
  EXPECT_TRUE(groups.Set(Group("5", "Pending")));
  groups.SetAnswer(Group("8", "Running"));
  EXPECT_FALSE(groups.Set(Group("7", "Scheduling"))) << "older than the answer";
  EXPECT_EQ(groups.Find("ns/g")->status.phase, "Running");
  EXPECT_TRUE(groups.Set(Group("8", "Running")));
  EXPECT_TRUE(groups.Set(Group("6", "Pending"))) << "the server went back: only an answer blocks older versions";
}

TEST(ObjectTable, AnAnswerBringsNothingBack) {
  Groups groups;
  groups.SetAnswer(Group("8", "Running"));
  EXPECT_EQ(groups.Find("ns/g"), nullptr);
  groups.Set(Group("9", "", "new"));
  groups.SetAnswer(Group("10", "Running", "old"));
  EXPECT_EQ(groups.Find("ns/g")->meta.uid, "new");
  groups.SetAnswer(Group("3", "Running", "new"));
  EXPECT_EQ(groups.Find("ns/g")->status.phase, "") << "older than the watch";
  groups.Keep({});
  EXPECT_EQ(groups.Find("ns/g"), nullptr);
}

}  // namespace
}  // namespace berth::reconcile

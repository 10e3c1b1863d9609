// Reading pods and PodGroups, and the patch of a PodGroup's status.
#include <gtest/gtest.h>

#include "controllers/rules/pod_facts.h"
#include "controllers/rules/pod_group.h"
#include "controllers/rules/status_patch.h"

namespace berth::rules {
namespace {

TEST(PodFacts, KeepsTheGroupAndItsOwners) {
  const auto pod =
      ReadPodFacts(R"({"metadata":{"name":"p","namespace":"ns","resourceVersion":"9",)"
                   R"("labels":{"app":"x","scheduling.x-k8s.io/pod-group":"pg"},)"
                   R"("ownerReferences":[{"name":"b","kind":"Job"},{"name":"a"}]},)"
                   R"("spec":{"containers":[{"resources":{"requests":{"cpu":"1"}}}]},"status":{"phase":"Pending"}})");
  ASSERT_TRUE(pod);
  EXPECT_EQ(pod->key(), "ns/p");
  EXPECT_EQ(pod->resource_version, "9");
  EXPECT_EQ(pod->group, "pg");
  EXPECT_EQ(pod->owners, (std::vector<std::string>{"b", "a"}));
  EXPECT_EQ(pod->phase, PodPhase::kPending);
  EXPECT_TRUE(pod->requests.empty()) << "it does not run";
  EXPECT_TRUE(pod->Counts());
}

TEST(PodFacts, KeepsNothingOfAPodThatNobodyCounts) {
  const auto pod = ReadPodFacts(
      R"({"metadata":{"name":"p","namespace":"ns","ownerReferences":[{"name":"a"}]},"status":{"phase":"Succeeded"}})");
  ASSERT_TRUE(pod);
  EXPECT_FALSE(pod->Counts());
  EXPECT_TRUE(pod->owners.empty());
}

TEST(PodFacts, NamesTheFieldThatCannotBeRead) {
  const auto pod = ReadPodFacts(
      R"({"metadata":{"name":"p","namespace":"ns"},"spec":{"containers":[{"resources":{"requests":{"cpu":"x"}}}]}})");
  ASSERT_FALSE(pod);
  EXPECT_EQ(pod.error().message.find("pod \"ns/p\": spec.containers[0].resources.requests"), 0u) << pod.error().message;
}

TEST(PodGroup, IsRead) {
  const auto group =
      ReadPodGroup(R"({"metadata":{"name":"pg","namespace":"ns","uid":"u","resourceVersion":"5",)"
                   R"("creationTimestamp":"2026-01-01T00:00:00Z"},"spec":{"minMember":3},)"
                   R"("status":{"phase":"Running","occupiedBy":"ns/job","running":2,"succeeded":1,"failed":4,)"
                   R"("scheduleStartTime":"2026-01-01T00:00:01Z"}})");
  ASSERT_TRUE(group);
  EXPECT_EQ(group->min_member, 3);
  EXPECT_EQ(group->status, (PodGroupStatus{"Running", "ns/job", 2, 1, 4}));
  EXPECT_EQ(group->schedule_start_unix_ns - group->meta.created_unix_ns, 1'000'000'000);
}

TEST(PodGroup, WithoutStatusIsNew) {
  const auto group = ReadPodGroup(R"({"metadata":{"name":"pg","namespace":"ns"},"spec":{"minMember":3}})");
  ASSERT_TRUE(group);
  EXPECT_EQ(group->status, PodGroupStatus());
  EXPECT_EQ(group->schedule_start_unix_ns, text::kNoTime);
}

TEST(PodGroup, NamesTheTimeThatCannotBeRead) {
  const auto group = ReadPodGroup(R"({"metadata":{"name":"pg"},"status":{"scheduleStartTime":"noon"}})");
  ASSERT_FALSE(group);
  EXPECT_EQ(group.error().message, "podgroup \"pg\": status.scheduleStartTime: expected an RFC 3339 time");
}

TEST(GroupStatusPatch, HasOnlyWhatHasChanged) {
  const PodGroupStatus before{"Scheduling", "ns/job", 1, 0, 0};
  EXPECT_EQ(GroupStatusPatch(before, before), std::nullopt);
  EXPECT_EQ(GroupStatusPatch(before, {"Running", "ns/job", 2, 0, 0}), R"({"status":{"phase":"Running","running":2}})");
  EXPECT_EQ(GroupStatusPatch(before, {"Scheduling", "ns/a", 0, 1, 1}),
            R"({"status":{"occupiedBy":"ns/a","running":0,"succeeded":1,"failed":1}})");
}

}  // namespace
}  // namespace berth::rules

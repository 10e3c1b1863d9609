#include "controllers/rules/pod_group_phase.h"

#include <gtest/gtest.h>

#include "base/clock.h"

namespace berth::rules {
namespace {

using namespace group_phase;

constexpr int64_t kCreated = 1'767'225'600 * base::kSecond;
constexpr int64_t kHour = 3600 * base::kSecond;

PodGroup Group(const std::string& phase, int64_t min_member) {
  PodGroup group;
  group.meta = {"default", "pg", "u1", "7", kCreated};
  group.min_member = min_member;
  group.status.phase = phase;
  group.status.occupied_by = "test";
  return group;
}

// As the controller does, reconciles once for each pod event.
std::string PhaseAfter(PodGroup group, const std::vector<GroupMembers>& events) {
  for (const GroupMembers& members : events) {
    if (!HasTimedOut(group)) group.status = NextStatus(group, members);
  }
  return group.status.phase;
}

// Test_Run in kubernetes-sigs/scheduler-plugins pkg/controllers/podgroup_controller_test.go. It stores two pods of each
// group, and reconciles once for each pod that the case names.
struct UpstreamCase {
  const char* name;
  int64_t min_member;
  const char* before;
  std::vector<GroupMembers> events;
  const char* want;
  int64_t scheduling_hours = 0;  // from the creation to scheduleStartTime
};

class UpstreamPhase : public testing::TestWithParam<UpstreamCase> {};

TEST_P(UpstreamPhase, Follows) {
  PodGroup group = Group(GetParam().before, GetParam().min_member);
  group.schedule_start_unix_ns = kCreated + GetParam().scheduling_hours * kHour;
  EXPECT_EQ(PhaseAfter(group, GetParam().events), GetParam().want);
}

const GroupMembers kTwoPending{.total = 2}, kTwoRunning{.total = 2, .running = 2};
const GroupMembers kTwoFailed{.total = 2, .failed = 2}, kTwoSucceeded{.total = 2, .succeeded = 2};
const GroupMembers kOneSucceeded{.total = 2, .succeeded = 1};

INSTANTIATE_TEST_SUITE_P(, UpstreamPhase,
                         testing::Values(UpstreamCase{.name = "Group running",
                                                      .min_member = 2,
                                                      .before = kScheduling,
                                                      .events = {kTwoRunning, kTwoRunning},
                                                      .want = kRunning},
                                         UpstreamCase{.name = "Group running, more than min member",
                                                      .min_member = 2,
                                                      .before = kScheduling,
                                                      .events = {kTwoRunning, kTwoRunning, kTwoRunning, kTwoRunning},
                                                      .want = kRunning},
                                         UpstreamCase{.name = "Group failed",
                                                      .min_member = 2,
                                                      .before = kScheduling,
                                                      .events = {kTwoFailed, kTwoFailed},
                                                      .want = kFailed},
                                         UpstreamCase{.name = "Group finished",
                                                      .min_member = 2,
                                                      .before = kScheduling,
                                                      .events = {kTwoSucceeded, kTwoSucceeded},
                                                      .want = kFinished},
                                         UpstreamCase{.name = "Group status convert from pending to prescheduling",
                                                      .min_member = 2,
                                                      .before = kPending,
                                                      .events = {kTwoPending, kTwoPending},
                                                      .want = kScheduling},
                                         UpstreamCase{.name = "Group status convert from scheduling to finished",
                                                      .min_member = 2,
                                                      .before = kScheduling,
                                                      .events = {kOneSucceeded, kTwoSucceeded},
                                                      .want = kFinished},
                                         UpstreamCase{.name = "Group status keeps pending",
                                                      .min_member = 3,
                                                      .before = kPending,
                                                      .events = {kTwoRunning, kTwoRunning},
                                                      .want = kPending},
                                         UpstreamCase{.name = "Group status convert from pending to finished",
                                                      .min_member = 2,
                                                      .before = kPending,
                                                      .events = {kOneSucceeded, kTwoSucceeded},
                                                      .want = kFinished},
                                         UpstreamCase{.name = "Group should not enqueue, created too long",
                                                      .min_member = 2,
                                                      .before = kPending,
                                                      .events = {kTwoRunning, kTwoRunning},
                                                      .want = kPending,
                                                      .scheduling_hours = 72},
                                         UpstreamCase{.name = "Group min member more than Pod number",
                                                      .min_member = 3,
                                                      .before = kPending,
                                                      .events = {kTwoPending, kTwoPending},
                                                      .want = kPending},
                                         UpstreamCase{.name = "Group status convert from running to pending",
                                                      .min_member = 4,
                                                      .before = kRunning,
                                                      .events = {kTwoPending, kTwoPending},
                                                      .want = kPending}));

// TestFillGroupStatusOccupied, ibid.
TEST(PodGroupPhase, NamesTheOwnersOfTheFirstPodWhenItLeavesPending) {
  struct Case {
    const char* name;
    std::vector<std::string> owners;
    const char* want;
  };
  for (const Case& c : {Case{"a single ownerReference", {"new-occupied"}, "default/new-occupied"},
                        Case{"multi ownerReferences",
                             {"new-occupied-2", "new-occupied-1"},
                             "default/new-occupied-1,default/new-occupied-2"},
                        Case{"no ownerReference: as before", {}, "test"}}) {
    const PodGroupStatus next = NextStatus(Group(kPending, 2), {.total = 2, .owners = c.owners});
    EXPECT_EQ(next.occupied_by, c.want) << c.name;
    EXPECT_EQ(next.phase, kScheduling) << c.name;
  }
}

struct StepCase {
  const char* name;
  const char* before;
  GroupMembers members;
  const char* want;
  int64_t min_member = 2;
};

class Step : public testing::TestWithParam<StepCase> {};

TEST_P(Step, LeadsTo) {
  EXPECT_EQ(NextStatus(Group(GetParam().before, GetParam().min_member), GetParam().members).phase, GetParam().want);
}

INSTANTIATE_TEST_SUITE_P(
    , Step,
    testing::Values(
        StepCase{.name = "new", .before = "", .members = {.total = 2, .running = 2}, .want = kPending},
        StepCase{.name = "new without pods", .before = "", .members = {}, .want = kPending},
        StepCase{.name = "one still waits",
                 .before = kScheduling,
                 .members = {.total = 2, .running = 1},
                 .want = kScheduling},
        StepCase{.name = "runs and has succeeded",
                 .before = kScheduling,
                 .members = {.total = 2, .running = 1, .succeeded = 1},
                 .want = kRunning},
        StepCase{
            .name = "a pod is deleted", .before = kRunning, .members = {.total = 1, .running = 1}, .want = kPending},
        StepCase{.name = "all pods are deleted", .before = kScheduling, .members = {}, .want = kPending},
        StepCase{.name = "a phase that nothing sets",
                 .before = "Unknown",
                 .members = {.total = 2, .running = 2},
                 .want = kRunning},
        StepCase{.name = "finished pods are collected", .before = kFinished, .members = {}, .want = kFinished},
        StepCase{.name = "failed pods are collected", .before = kFailed, .members = {}, .want = kFailed},
        // kubernetes-sigs/scheduler-plugins#386.
        StepCase{.name = "quorum runs beside a failed pod",
                 .before = kRunning,
                 .members = {.total = 3, .running = 2, .failed = 1},
                 .want = kRunning},
        StepCase{.name = "quorum of running and succeeded beside a failed pod",
                 .before = kScheduling,
                 .members = {.total = 4, .running = 1, .succeeded = 1, .failed = 2},
                 .want = kRunning},
        StepCase{.name = "a failed pod has a successor that waits",
                 .before = kRunning,
                 .members = {.total = 3, .running = 1, .failed = 1},
                 .want = kScheduling},
        StepCase{.name = "a failed pod has no successor",
                 .before = kRunning,
                 .members = {.total = 2, .running = 1, .failed = 1},
                 .want = kFailed},
        StepCase{.name = "failed before all have started",
                 .before = kScheduling,
                 .members = {.total = 2, .failed = 1},
                 .want = kScheduling},
        StepCase{.name = "the successor runs",
                 .before = kFailed,
                 .members = {.total = 3, .running = 2, .failed = 1},
                 .want = kRunning},
        StepCase{.name = "the successors have succeeded",
                 .before = kFailed,
                 .members = {.total = 3, .succeeded = 2, .failed = 1},
                 .want = kFinished},
        StepCase{.name = "the successor waits",
                 .before = kFailed,
                 .members = {.total = 3, .running = 1, .failed = 1},
                 .want = kFailed},
        StepCase{.name = "failed beside enough that have succeeded",
                 .before = kRunning,
                 .members = {.total = 3, .succeeded = 2, .failed = 1},
                 .want = kFinished},
        StepCase{.name = "without minMember: no pods",
                 .before = kScheduling,
                 .members = {},
                 .want = kPending,
                 .min_member = 0},
        StepCase{.name = "without minMember: one pod",
                 .before = kScheduling,
                 .members = {.total = 1, .running = 1},
                 .want = kRunning,
                 .min_member = 0}));

TEST(PodGroupPhase, CountsOnlyInPhasesAfterPending) {
  const GroupMembers members{.total = 4, .running = 1, .succeeded = 2, .failed = 1};
  PodGroupStatus status = NextStatus(Group(kPending, 2), members);
  EXPECT_EQ(status.running, 0);
  status = NextStatus(Group(kScheduling, 3), members);
  EXPECT_EQ(status.running, 1);
  EXPECT_EQ(status.succeeded, 2);
  EXPECT_EQ(status.failed, 1);
}

// For any pods, a quorum that runs or has succeeded is never Failed, and Finished never ends.
TEST(PodGroupPhase, NeverFailsAQuorum) {
  for (const char* before : {"", kPending, kScheduling, kRunning, kFailed, kFinished}) {
    for (int64_t code = 0; code < 4 * 4 * 4 * 4; ++code) {
      const int64_t waiting = code % 4, running = code / 4 % 4, succeeded = code / 16 % 4, failed = code / 64;
      const GroupMembers members{.total = waiting + running + succeeded + failed,
                                 .running = running,
                                 .succeeded = succeeded,
                                 .failed = failed};
      const std::string after = NextStatus(Group(before, 2), members).phase;
      if (std::string_view(before) == kFinished) {
        EXPECT_EQ(after, kFinished);
      } else if (running + succeeded >= 2) {
        EXPECT_NE(after, kFailed) << before << " " << code;
      }
      if (after == kFailed && std::string_view(before) != kFailed) {
        EXPECT_LT(members.total - failed, 2) << code;
      }
    }
  }
}

TEST(PodGroupPhase, TimesOutAfter48HoursWithoutARunningPod) {
  PodGroup group = Group(kScheduling, 2);
  EXPECT_FALSE(HasTimedOut(group)) << "no scheduleStartTime";
  group.schedule_start_unix_ns = kCreated + 48 * kHour;
  EXPECT_FALSE(HasTimedOut(group)) << "not longer than 48 hours";
  group.schedule_start_unix_ns += 1;
  EXPECT_TRUE(HasTimedOut(group));
  group.status.running = 1;
  EXPECT_FALSE(HasTimedOut(group)) << "a pod runs";
  group.status = {.phase = kRunning};
  EXPECT_FALSE(HasTimedOut(group)) << "it is scheduled";
}

}  // namespace
}  // namespace berth::rules

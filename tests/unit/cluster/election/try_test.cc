// One try of a candidate or a leader. The cases are those of
// k8s.io/client-go/tools/leaderelection/leaderelection_test.go.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>

#include "candidate.h"

namespace berth::election {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr const char* kGet = "GET /apis/coordination.k8s.io/v1/namespaces/kube-system/leases/kube-scheduler";
constexpr const char* kPut = "PUT /apis/coordination.k8s.io/v1/namespaces/kube-system/leases/kube-scheduler";
constexpr const char* kPost = "POST /apis/coordination.k8s.io/v1/namespaces/kube-system/leases";

ElectionRecord HeldBy(const std::string& holder, int64_t seconds = 15) {
  return {.holder = holder,
          .lease_duration_seconds = seconds,
          .acquire_time = "2025-12-31T00:00:00.000000Z",
          .renew_time = "2025-12-31T00:00:01.000000Z",
          .transitions = 7};
}

struct TryCase {
  const char* name;
  std::optional<ElectionRecord> before;
  int64_t seconds_since_observed = 0;  // > 0: an earlier try has observed the record
  bool leads = false;
  const char* holder = "";
  int64_t transitions = 0;
};

class ATry : public testing::TestWithParam<TryCase> {};

TEST_P(ATry, AcquiresWhatIsFree) {
  const TryCase& param = GetParam();
  LeaseServer server;
  if (param.before) server.Put(*param.before);
  Candidate me("me");
  me.Start(server);
  if (param.seconds_since_observed > 0) {
    ASSERT_FALSE(me.election.leading());
    me.clock.Advance(param.seconds_since_observed * base::kSecond);
    me.step = me.election.OnTime();
    me.Settle(server);
  }
  EXPECT_EQ(me.election.leading(), param.leads);
  EXPECT_EQ(me.Holds(), param.leads);
  EXPECT_EQ(server.record().holder, param.holder);
  EXPECT_EQ(server.record().transitions, param.transitions);
  EXPECT_EQ(me.step.kind, Step::Kind::kWait);
}

INSTANTIATE_TEST_SUITE_P(
    Of, ATry,
    testing::Values(
        TryCase{.name = "NoLease", .before = std::nullopt, .leads = true, .holder = "me", .transitions = 0},
        TryCase{
            .name = "ALeaseWithoutRecord", .before = ElectionRecord{}, .leads = true, .holder = "me", .transitions = 1},
        TryCase{.name = "AReleasedLease", .before = HeldBy("", 1), .leads = true, .holder = "me", .transitions = 8},
        TryCase{.name = "AnotherHoldersLeaseWithAnOldRenewTime",
                .before = HeldBy("other"),
                .leads = false,
                .holder = "other",
                .transitions = 7},
        TryCase{.name = "AnotherHoldersLeaseThatIsObservedForLess",
                .before = HeldBy("other"),
                .seconds_since_observed = 14,
                .leads = false,
                .holder = "other",
                .transitions = 7},
        TryCase{.name = "AnotherHoldersLeaseThatIsObservedForLonger",
                .before = HeldBy("other"),
                .seconds_since_observed = 15,
                .leads = true,
                .holder = "me",
                .transitions = 8},
        TryCase{.name = "TheDurationIsTheLeasesNotTheCandidates",
                .before = HeldBy("other", 40),
                .seconds_since_observed = 39,
                .leads = false,
                .holder = "other",
                .transitions = 7},
        TryCase{.name = "OnesOwnLease", .before = HeldBy("me"), .leads = true, .holder = "me", .transitions = 7}),
    [](const auto& info) { return std::string(info.param.name); });

TEST(Try, CreatesTheLeaseWithEveryField) {
  LeaseServer server;
  Candidate me("me");
  me.clock.wall += 123'456'789;
  me.Start(server);
  EXPECT_EQ(json::Dump(*server.lease->Find("spec")),
            R"({"holderIdentity":"me","leaseDurationSeconds":15,"acquireTime":"2026-01-01T00:00:00.123456Z",)"
            R"("renewTime":"2026-01-01T00:00:00.123456Z","leaseTransitions":0})");
}

TEST(Try, KeepsWhatItDoesNotKnow) {
  LeaseServer server;
  server.Put(HeldBy("me"));
  (*server.lease)["metadata"].Set("labels", *json::Parse(R"({"a":"b"})"));
  (*server.lease)["metadata"].Set("annotations", *json::Parse(R"({"c":"d"})"));
  (*server.lease)["spec"].Set("later", 5);
  Candidate me("me");
  me.Start(server);
  ASSERT_TRUE(me.election.leading());
  me.Next(server);
  EXPECT_EQ(json::TextAt(*server.lease, "metadata.labels.a"), "b");
  EXPECT_EQ(json::TextAt(*server.lease, "metadata.annotations.c"), "d");
  EXPECT_EQ(server.lease->FindPath("spec.later")->integer(), 5);
  EXPECT_EQ(server.record().acquire_time, HeldBy("me").acquire_time);
}

TEST(Try, ALeaderUpdatesWithoutReading) {
  LeaseServer server;
  Candidate me("me");
  me.Start(server);
  EXPECT_THAT(server.log, ElementsAre(kGet, kPost));
  server.log.clear();
  me.Next(server);  // the first renewal comes at once
  EXPECT_EQ(me.clock.mono, 1000 * base::kSecond);
  me.Next(server);
  EXPECT_EQ(me.clock.mono, 1002 * base::kSecond);
  EXPECT_THAT(server.log, ElementsAre(kPut, kPut));
  EXPECT_EQ(server.record().renew_time, "2026-01-01T00:00:02.000000Z");
  EXPECT_EQ(server.record().acquire_time, "2026-01-01T00:00:00.000000Z");
}

TEST(Try, ALeaderReadsAfterAConflict) {
  LeaseServer server;
  Candidate me("me");
  me.Start(server);
  (*server.lease)["metadata"].Set("resourceVersion", "999");  // an annotation has changed
  server.log.clear();
  me.Next(server);
  EXPECT_THAT(server.log, ElementsAre(kPut, kGet, kPut));
  EXPECT_TRUE(me.Holds());
}

TEST(Try, ALeaderReadsWhenItsRecordHasExpired) {
  LeaseServer server;
  Candidate me("me");
  me.Start(server);
  me.clock.Advance(20 * base::kSecond);
  EXPECT_FALSE(me.Holds());
  server.log.clear();
  me.Next(server);
  EXPECT_THAT(server.log, ElementsAre(kGet, kPut));
  EXPECT_TRUE(me.Holds());
}

struct FailureCase {
  const char* name;
  const char* method;
  int code;
  bool exists;
};
class AFailure : public testing::TestWithParam<FailureCase> {};

TEST_P(AFailure, LeavesTheCandidateWaiting) {
  LeaseServer server;
  if (GetParam().exists) server.Put(HeldBy("", 1));
  server.fault = [](const http::Request& request) -> std::optional<http::Reply> {
    if (request.method != GetParam().method) return std::nullopt;
    return GetParam().code == 0 ? http::LostReply("connection refused", false)
                                : LeaseServer::Status(GetParam().code, "Broken");
  };
  Candidate me("me");
  const Step& step = me.Start(server);
  EXPECT_EQ(step.kind, Step::Kind::kWait);
  EXPECT_GE(step.until_ns, me.clock.mono + 2 * base::kSecond);
  EXPECT_LT(step.until_ns, me.clock.mono + 4400 * base::kMillisecond);
  EXPECT_FALSE(me.Holds());
  server.fault = nullptr;
  me.Next(server);
  EXPECT_TRUE(me.Holds());
}

INSTANTIATE_TEST_SUITE_P(
    Of, AFailure,
    testing::Values(FailureCase{.name = "Get", .method = "GET", .code = 500, .exists = true},
                    FailureCase{.name = "NoServer", .method = "GET", .code = 0, .exists = true},
                    FailureCase{.name = "CreateRace", .method = "POST", .code = 409, .exists = false},
                    FailureCase{.name = "CreateForbidden", .method = "POST", .code = 403, .exists = false},
                    FailureCase{.name = "UpdateConflict", .method = "PUT", .code = 409, .exists = true},
                    FailureCase{.name = "LostReply", .method = "PUT", .code = 0, .exists = true}),
    [](const auto& info) { return std::string(info.param.name); });

TEST(Try, AReplyThatIsNoLeaseIsAFailure) {
  for (const char* body : {"", "[", "{}", "5", R"({"metadata":{"resourceVersion":5}})"}) {
    LeaseServer server;
    server.fault = [body](const http::Request&) { return http::ReplyOf(200, body); };
    Candidate me("me");
    me.Start(server);
    EXPECT_FALSE(me.election.leading()) << body;
  }
}

TEST(Try, ReportsLeadersOnce) {
  LeaseServer server;
  server.Put(HeldBy("other"));
  Candidate me("me");
  me.Start(server);
  me.Next(server);
  EXPECT_THAT(me.callbacks.calls, ElementsAre("leader other"));
  me.callbacks.calls.clear();
  server.Put(HeldBy("", 1));
  me.Next(server);
  EXPECT_THAT(me.callbacks.calls, ElementsAre("leader me", "event me became leader", "started"));
  ASSERT_EQ(me.callbacks.events.size(), 1u);
  EXPECT_EQ(me.callbacks.events[0].uid, "u1");
  EXPECT_EQ(me.callbacks.events[0].resource_version, json::TextAt(*server.lease, "metadata.resourceVersion"));
}

TEST(Try, AWakeUpMakesItEarlier) {
  LeaseServer server;
  server.Put(HeldBy("other"));
  Candidate me("me");
  me.Start(server);
  me.clock.Advance(base::kSecond);
  server.Put(HeldBy("", 1));
  me.step = me.election.OnWake();
  EXPECT_EQ(me.step.until_ns, me.clock.mono);
  me.Next(server);
  EXPECT_TRUE(me.Holds());
}

TEST(Try, IsAtTheEndOfTheLeaseOfALeaderThatIsGone) {
  LeaseServer server;
  server.Put(HeldBy("other"));
  Candidate me("me");
  me.Start(server);
  const int64_t observed = me.clock.mono;
  for (int i = 0; i < 20 && !me.Holds(); ++i) me.Next(server);
  EXPECT_TRUE(me.Holds());
  EXPECT_EQ(me.clock.mono - observed, 15 * base::kSecond);
}

TEST(Try, WakeUpsDoNotCauseAStorm) {
  LeaseServer server;
  server.Put(HeldBy("other"));
  Candidate me("me");
  me.Start(server);
  for (int i = 0; i < 100; ++i) {
    me.step = me.election.OnWake();
    EXPECT_EQ(me.step.until_ns, me.clock.mono + 20 * base::kMillisecond);
    me.Next(server);
  }
  EXPECT_EQ(server.log.size(), 101u);
}

// The clock of the wall may step without an effect on who leads.
TEST(Try, AStepOfTheWallClockChangesNothing) {
  for (const int64_t step : {-3600 * base::kSecond, 3600 * base::kSecond, -kStartWall - base::kSecond}) {
    LeaseServer server;
    server.Put(HeldBy("other"));
    Candidate waits("waits");
    waits.Start(server);
    waits.clock.wall += step;
    waits.Next(server);
    EXPECT_FALSE(waits.election.leading());

    LeaseServer mine;
    Candidate leads("leads");
    leads.Start(mine);
    leads.clock.wall += step;
    leads.Next(mine);
    leads.Next(mine);
    EXPECT_TRUE(leads.Holds());
  }
}

ElectionOptions Coordinated() {
  ElectionOptions options = OptionsOf("me");
  options.coordinated = true;
  return options;
}

TEST(CoordinatedTry, NeverTakesALease) {
  LeaseServer server;
  Candidate me(Coordinated());
  me.Start(server);
  EXPECT_FALSE(server.lease);  // upstream: "Lease lock not found"
  for (const ElectionRecord& record : {HeldBy("other"), HeldBy("", 1)}) {
    server.Put(record);
    me.Next(server);
    me.clock.Advance(60 * base::kSecond);
    me.Next(server);
    EXPECT_EQ(server.record(), record);
    EXPECT_FALSE(me.Holds());
  }
}

TEST(CoordinatedTry, RenewsTheLeaseThatNamesIt) {
  LeaseServer server;
  ElectionRecord record = HeldBy("me");
  record.strategy = "OldestEmulationVersion";
  server.Put(record);
  Candidate me(Coordinated());
  me.Start(server);
  EXPECT_TRUE(me.Holds());
  EXPECT_EQ(server.record().strategy, "OldestEmulationVersion");
  EXPECT_EQ(server.record().transitions, 7);
  server.log.clear();
  me.Next(server);
  EXPECT_THAT(server.log, ElementsAre(kGet, kPut));
}

TEST(CoordinatedTry, EndsItsTermWhenAnotherIsPreferred) {
  LeaseServer server;
  ElectionRecord record = HeldBy("me");
  record.strategy = "OldestEmulationVersion";
  server.Put(record);
  Candidate me(Coordinated());
  me.Start(server);
  record.preferred_holder = "better";
  server.Put(record);
  while (me.step.kind == Step::Kind::kWait) me.Next(server);
  EXPECT_EQ(me.step.reason, EndReason::kLost);
  EXPECT_EQ(server.record().holder, "");
}

TEST(CoordinatedTry, DoesNotRenewAnExpiredLease) {
  LeaseServer server;
  server.Put(HeldBy("me"));
  server.fault = [](const http::Request& request) -> std::optional<http::Reply> {
    if (request.method == "PUT") return LeaseServer::Status(500, "Broken");
    return std::nullopt;
  };
  Candidate me(Coordinated());
  me.Start(server);
  me.clock.Advance(16 * base::kSecond);
  server.fault = nullptr;
  server.log.clear();
  me.Next(server);
  EXPECT_THAT(server.log, ElementsAre(kGet));
  EXPECT_FALSE(me.election.leading());
}

}  // namespace
}  // namespace berth::election

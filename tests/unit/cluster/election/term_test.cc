// The end of a term: a renewal that fails for too long, and the release.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "candidate.h"

namespace berth::election {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::IsSupersetOf;
using testing::Not;

std::optional<http::Reply> Unreachable(const http::Request&) { return http::LostReply("connection refused", false); }

struct ALeader : testing::Test {
  ALeader() {
    me.Start(server);
    me.Next(server);  // the first renewal
    me.callbacks.calls.clear();
    server.log.clear();
  }
  LeaseServer server;
  Candidate me{"me"};
};

TEST_F(ALeader, GivesUpAfterRenewDeadline) {
  server.fault = Unreachable;
  me.Next(server);  // 2 s: the first failure
  const int64_t began = me.clock.mono;
  EXPECT_TRUE(me.Holds());
  while (me.election.leading()) me.Next(server);
  EXPECT_EQ(me.clock.mono, began + 10 * base::kSecond);
  EXPECT_EQ(me.step.kind, Step::Kind::kEnd);
  EXPECT_EQ(me.step.reason, EndReason::kLost);
  EXPECT_FALSE(me.Holds());
  EXPECT_THAT(me.callbacks.calls, ElementsAre("lost", "event me stopped leading"));
}

TEST_F(ALeader, RetriesEveryRetryPeriodUntilItSucceeds) {
  server.fault = Unreachable;
  me.Next(server);
  const int64_t began = me.clock.mono;
  me.Next(server);
  EXPECT_EQ(me.clock.mono, began + 2 * base::kSecond);
  server.fault = nullptr;
  me.Next(server);
  EXPECT_EQ(me.clock.mono, began + 4 * base::kSecond);
  EXPECT_TRUE(me.Holds());
  EXPECT_EQ(me.step.until_ns, me.clock.mono + 2 * base::kSecond);
}

// A request that hangs ends at its own time limit, and the last one at the deadline of the renewal.
TEST_F(ALeader, ARequestThatHangsDoesNotHoldIt) {
  me.clock.Advance(me.step.until_ns - me.clock.mono);
  me.step = me.election.OnTime();
  const int64_t began = me.clock.mono;
  std::vector<int64_t> limits;
  while (me.election.leading()) {
    me.clock.Advance(me.step.until_ns - me.clock.mono);
    limits.push_back((me.clock.mono - began) / base::kMillisecond);
    me.step = me.step.kind == Step::Kind::kSend
                  ? me.election.OnReply(http::LostReply("context deadline exceeded", true))
                  : me.election.OnTime();
  }
  EXPECT_THAT(limits, ElementsAre(5000, 10000));
}

TEST_F(ALeader, CanBeACandidateAgainAfterALoss) {
  server.fault = Unreachable;
  while (me.step.kind != Step::Kind::kEnd) me.Next(server);
  server.fault = nullptr;
  me.callbacks.calls.clear();
  me.Start(server);
  EXPECT_TRUE(me.Holds());
  EXPECT_EQ(server.record().transitions, 0);  // nobody else has held it
  EXPECT_THAT(me.callbacks.calls, ElementsAre("event me became leader", "started"));
}

TEST_F(ALeader, SeesAtOnceThatAnotherHoldsTheLease) {
  ElectionRecord theirs = server.record();
  theirs.holder = "other";
  server.Put(theirs);
  me.Next(server);
  EXPECT_FALSE(me.Holds());
  while (me.step.kind != Step::Kind::kEnd) me.Next(server);
  EXPECT_EQ(me.step.reason, EndReason::kLost);
  EXPECT_EQ(server.record(), theirs);  // the release leaves another's Lease alone
  EXPECT_THAT(me.callbacks.calls, ElementsAre("leader other", "lost", "event me stopped leading"));
}

TEST_F(ALeader, ReleasesTheLeaseAtACleanEnd) {
  me.clock.Advance(base::kSecond);
  const ElectionRecord before = server.record();
  me.Stop(server);
  EXPECT_EQ(me.step.reason, EndReason::kStopped);
  EXPECT_EQ(server.record(), (ElectionRecord{.holder = "",
                                             .lease_duration_seconds = 1,
                                             .acquire_time = "2026-01-01T00:00:01.000000Z",
                                             .renew_time = "2026-01-01T00:00:01.000000Z",
                                             .transitions = before.transitions}));
  EXPECT_NE(server.lease->FindPath("spec.holderIdentity"), nullptr);
  EXPECT_THAT(me.callbacks.calls, ElementsAre("stopped", "event me stopped leading"));
}

TEST_F(ALeader, DoesNotHoldTheLeaseWhenTheReleaseIsSent) {
  bool held = false;
  server.on_store = [&] { held = me.Holds(); };
  ASSERT_TRUE(me.Holds());
  me.Stop(server);
  EXPECT_EQ(server.record().holder, "");
  EXPECT_FALSE(held);
}

// A successor that takes a released Lease would not know of a binding that takes effect later.
TEST_F(ALeader, KeepsTheLeaseWhileItsRequestsAreNotAnswered) {
  me.callbacks.quiet = false;
  const ElectionRecord before = server.record();
  me.Stop(server);
  EXPECT_EQ(me.step.kind, Step::Kind::kEnd);
  EXPECT_FALSE(me.Holds());
  EXPECT_EQ(server.record(), before);
}

TEST_F(ALeader, RetriesTheReleaseAfterAConflict) {
  int conflicts = 0;
  server.fault = [&](const http::Request& request) -> std::optional<http::Reply> {
    if (request.method != "PUT" || ++conflicts > 3) return std::nullopt;
    return LeaseServer::Status(409, "Conflict");
  };
  me.Stop(server);
  EXPECT_EQ(server.record().holder, "");
  EXPECT_EQ(conflicts, 4);
}

TEST_F(ALeader, EndsTheReleaseAfterRenewDeadline) {
  server.fault = [](const http::Request& request) -> std::optional<http::Reply> {
    if (request.method != "PUT") return std::nullopt;
    return LeaseServer::Status(409, "Conflict");
  };
  const int64_t began = me.clock.mono;
  me.Stop(server);
  EXPECT_GE(me.clock.mono, began + 10 * base::kSecond);
  EXPECT_LT(me.clock.mono, began + 11 * base::kSecond);
}

struct ReleaseCase {
  const char* name;
  const char* method;
  int code;
};
class AFailedRelease : public testing::TestWithParam<ReleaseCase> {};

TEST_P(AFailedRelease, EndsTheElection) {
  LeaseServer server;
  Candidate me("me");
  me.Start(server);
  server.fault = [](const http::Request& request) -> std::optional<http::Reply> {
    if (request.method != GetParam().method) return std::nullopt;
    return LeaseServer::Status(GetParam().code, "Broken");
  };
  me.Stop(server);
  EXPECT_EQ(me.step.kind, Step::Kind::kEnd);
  EXPECT_EQ(server.record().holder, "me");
  EXPECT_FALSE(me.Holds());
}

INSTANTIATE_TEST_SUITE_P(Of, AFailedRelease,
                         testing::Values(ReleaseCase{.name = "NoLease", .method = "GET", .code = 404},
                                         ReleaseCase{.name = "Get", .method = "GET", .code = 500},
                                         ReleaseCase{.name = "Update", .method = "PUT", .code = 403}),
                         [](const auto& info) { return std::string(info.param.name); });

// Upstream: "release acquired lock on cancellation of update".
TEST_F(ALeader, ReleasesTheLeaseWhenItIsStoppedDuringARenewal) {
  me.clock.Advance(me.step.until_ns - me.clock.mono);
  me.step = me.election.OnTime();
  ASSERT_EQ(me.step.kind, Step::Kind::kSend);
  server.Answer(me.step.request);  // its reply comes too late
  me.Stop(server);
  EXPECT_EQ(server.record().holder, "");
}

TEST(ACandidate, ReleasesTheLeaseWhenItIsStoppedDuringTheAcquisition) {
  LeaseServer server;
  Candidate me("me");
  server.Put({.holder = "", .lease_duration_seconds = 1});
  me.step = me.election.Start();
  me.step = me.election.OnReply(server.Answer(me.step.request));
  ASSERT_EQ(me.step.request.method, "PUT");
  server.Answer(me.step.request);
  EXPECT_EQ(server.record().holder, "me");
  me.Stop(server);
  EXPECT_EQ(server.record().holder, "");
  EXPECT_THAT(me.callbacks.calls, Not(Contains("started")));
}

TEST(ACandidate, EndsAtOnceWhenItWaits) {
  LeaseServer server;
  server.Put({.holder = "other", .lease_duration_seconds = 15});
  Candidate me("me");
  me.Start(server);
  server.log.clear();
  me.Stop(server);
  EXPECT_EQ(me.step.reason, EndReason::kStopped);
  EXPECT_TRUE(server.log.empty());
  EXPECT_EQ(server.record().holder, "other");
}

// The time counts from the sending of the renewal, not from its reply.
TEST(Fence, HoldsUntilTheRequestsTimePlusLeaseDuration) {
  LeaseServer server;
  Candidate me("me");
  me.step = me.election.Start();
  me.step = me.election.OnReply(server.Answer(me.step.request));
  const int64_t sent = me.clock.mono;
  me.clock.Advance(4 * base::kSecond);
  me.step = me.election.OnReply(server.Answer(me.step.request));
  EXPECT_EQ(me.fence.valid_until_boot_ns(), sent + 15 * base::kSecond);
  EXPECT_TRUE(me.fence.Holds(sent + 15 * base::kSecond - 1));
  EXPECT_FALSE(me.fence.Holds(sent + 15 * base::kSecond));
  EXPECT_TRUE(me.fence.Holds(sent + 12 * base::kSecond, 3 * base::kSecond - 1));
  EXPECT_FALSE(me.fence.Holds(sent + 12 * base::kSecond, 3 * base::kSecond));
}

TEST(Fence, CountsTheWholeSecondsThatTheLeaseHas) {
  LeaseServer server;
  ElectionOptions options = OptionsOf("me");
  options.lease_duration = std::chrono::milliseconds(15'900);
  Candidate me(options);
  me.Start(server);
  EXPECT_EQ(server.record().lease_duration_seconds, 15);
  EXPECT_EQ(me.fence.valid_until_boot_ns(), me.clock.mono + 15 * base::kSecond);
}

TEST(Fence, DoesNotHoldBeforeTheFirstLease) { EXPECT_FALSE(FenceState().Holds(0)); }

}  // namespace
}  // namespace berth::election

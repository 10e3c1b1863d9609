#include "cluster/writer/status_patcher.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>

#include "eventually.h"
#include "fake_transport.h"

namespace berth::writer {
namespace {

using testing::ElementsAre;

constexpr int64_t kPatchTime = 1'767'225'600 * base::kSecond;  // 2026-01-01

api::PodRef PodOf(api::InternTables& intern, const std::string& status = "{}") {
  auto pod = api::DecodePod(
      intern, R"({"metadata":{"name":"p","namespace":"ns","uid":"u1","generation":3},"status":)" + status + "}");
  EXPECT_TRUE(pod) << pod.error().message;
  return *pod;
}

struct StatusPatcherTest : testing::Test {
  api::InternTables intern;
  http::FakeTransport server;
  base::RealClock clock;
  base::VirtualClock wall{kPatchTime};
  requests::RequestQueue queue{server, clock, {-1, 1, 8}};
  StatusPatcher patcher{queue, wall};

  api::PodRef Pod(const std::string& status = "{}") { return PodOf(intern, status); }
  std::vector<std::string> Bodies() {
    EXPECT_TRUE(queue.Flush(10 * base::kSecond));
    std::vector<std::string> bodies;
    for (const http::Request& request : server.requests()) bodies.push_back(request.body);
    return bodies;
  }
};

TEST_F(StatusPatcherTest, WritesTheConditionWithThePodsUid) {
  patcher.Patch(Pod(),
                {api::PodScheduledCondition{
                     .status = "False", .reason = "Unschedulable", .message = "0/1 nodes", .observed_generation = 3},
                 std::nullopt});
  EXPECT_THAT(Bodies(),
              ElementsAre(R"({"metadata":{"uid":"u1"},"status":{"conditions":[{"type":"PodScheduled","status":"False",)"
                          R"("lastProbeTime":null,"lastTransitionTime":"2026-01-01T00:00:00Z",)"
                          R"("reason":"Unschedulable","message":"0/1 nodes","observedGeneration":3}]}})"));
  EXPECT_THAT(server.Lines(), ElementsAre("PATCH /api/v1/namespaces/ns/pods/p/status"));
  EXPECT_EQ(server.requests()[0].content_type, "application/strategic-merge-patch+json");
}

TEST_F(StatusPatcherTest, KeepsTheTransitionTimeOfAnUnchangedCondition) {
  const api::PodRef pod = Pod(R"({"conditions":[{"type":"PodScheduled","status":"False","reason":"Unschedulable"}]})");
  patcher.Patch(pod, {api::PodScheduledCondition{.status = "False", .reason = "Unschedulable", .message = "again"},
                      std::nullopt});
  EXPECT_THAT(Bodies(),
              ElementsAre(R"({"metadata":{"uid":"u1"},"status":{"conditions":[{"type":"PodScheduled","status":"False",)"
                          R"("lastProbeTime":null,"reason":"Unschedulable","message":"again"}]}})"));
}

TEST_F(StatusPatcherTest, SetsAndClearsTheNominatedNode) {
  patcher.Patch(Pod(), {std::nullopt, "n1"});
  patcher.Patch(Pod(), {std::nullopt, ""});
  EXPECT_THAT(Bodies(), ElementsAre(R"({"metadata":{"uid":"u1"},"status":{"nominatedNodeName":"n1"}})",
                                    R"({"metadata":{"uid":"u1"},"status":{"nominatedNodeName":null}})"));
}

TEST_F(StatusPatcherTest, MergesChangesAndSendsTheNewestLast) {
  server.hold = true;
  for (const char* node : {"n1", "n2", "n3"}) patcher.Patch(Pod(), {std::nullopt, node});
  patcher.Patch(
      Pod(), {api::PodScheduledCondition{.status = "False", .reason = "SchedulerError", .message = "x"}, std::nullopt});
  ASSERT_EQ(server.requests().size(), 1u);
  EXPECT_TRUE(server.Release());
  EXPECT_TRUE(Eventually([&] { return server.requests().size() == 2; }));
  EXPECT_TRUE(server.Release());
  const auto bodies = Bodies();
  ASSERT_EQ(bodies.size(), 2u);
  EXPECT_THAT(bodies[1], testing::HasSubstr(R"("nominatedNodeName":"n3")"));
  EXPECT_THAT(bodies[1], testing::HasSubstr("SchedulerError"));
}

TEST_F(StatusPatcherTest, SendsNoPatchThatWaitsWhenThePodIsDeleted) {
  server.hold = true;
  patcher.Patch(Pod(), {std::nullopt, "n1"});
  patcher.Patch(Pod(), {std::nullopt, "n2"});
  patcher.PodDeleted("u1");
  while (server.Release()) {
  }
  EXPECT_THAT(Bodies(), ElementsAre(R"({"metadata":{"uid":"u1"},"status":{"nominatedNodeName":"n1"}})"));
}

TEST_F(StatusPatcherTest, DoesNotRetryAfterThePodIsDeleted) {
  server.hold = true;
  server.answer = [](const http::Request&) {
    http::Reply reply = http::ReplyOf(429);
    reply.retry_after_seconds = 0;
    return reply;
  };
  patcher.Patch(Pod(), {std::nullopt, "n1"});
  patcher.PodDeleted("u1");
  ASSERT_TRUE(server.Release());
  EXPECT_EQ(queue.Lengths().delayed, 0U);
  EXPECT_EQ(Bodies().size(), 1U);
}

TEST_F(StatusPatcherTest, SendsNoPatchOfADeletedPodWhoseTurnHasNotCome) {
  requests::RequestQueue narrow(server, clock, {-1, 1, 1});
  StatusPatcher waits(narrow, wall);
  server.hold = true;
  narrow.Post(http::Request{.path = "/first"}, [](const http::Reply&) {});
  waits.Patch(Pod(), {std::nullopt, "n1"});
  waits.PodDeleted("u1");
  waits.PodDeleted("u1");
  ASSERT_TRUE(server.Release());
  EXPECT_TRUE(narrow.Flush(base::kSecond));
  EXPECT_THAT(server.Lines(), ElementsAre("GET /first"));
}

TEST_F(StatusPatcherTest, RetriesServerErrors) {
  int asked = 0;
  server.answer = [&](const http::Request&) { return http::ReplyOf(++asked == 1 ? 500 : 200); };
  patcher.Patch(Pod(), {std::nullopt, "n1"});
  EXPECT_TRUE(Eventually([&] { return server.requests().size() == 2; }));
  const auto bodies = Bodies();
  EXPECT_EQ(bodies[0], bodies[1]);
}

TEST_F(StatusPatcherTest, SendsABindingAfterTheOpenPatch) {
  server.hold = true;
  std::vector<std::string> story;
  patcher.Patch(Pod(), {std::nullopt, "n1"});
  patcher.Patch(Pod(), {std::nullopt, "n2"});
  patcher.BeforeBinding("u1", [&] { story.emplace_back("bind"); });
  patcher.BeforeBinding("another", [&] { story.emplace_back("bind another"); });
  EXPECT_THAT(story, ElementsAre("bind another"));
  EXPECT_TRUE(server.Release());
  EXPECT_EQ(Bodies().size(), 1u) << "the second patch is unnecessary";
  EXPECT_THAT(story, ElementsAre("bind another", "bind"));
}

TEST_F(StatusPatcherTest, DropsUnsentPatchesOfABoundPod) {
  server.hold = true;
  requests::RequestQueue one_at_a_time(server, clock, {-1, 1, 1});
  StatusPatcher patcher(one_at_a_time, wall);
  one_at_a_time.Post(http::Request{}, [](const http::Reply&) {});
  patcher.Patch(Pod(), {std::nullopt, "n1"});
  bool bound = false;
  patcher.BeforeBinding("u1", [&] { bound = true; });
  EXPECT_TRUE(bound);
  EXPECT_TRUE(server.Release());
  EXPECT_TRUE(one_at_a_time.Flush(10 * base::kSecond));
  EXPECT_EQ(server.requests().size(), 1u);
  server.hold = false;
  patcher.Patch(Pod(), {std::nullopt, ""});  // the binding failed
  EXPECT_TRUE(one_at_a_time.Flush(10 * base::kSecond));
  EXPECT_EQ(server.requests().size(), 2u);
}

TEST_F(StatusPatcherTest, ContinuesAfterAFailure) {
  server.answer = [](const http::Request&) { return http::ReplyOf(403, "no"); };
  patcher.Patch(Pod(), {std::nullopt, "n1"});
  EXPECT_EQ(Bodies().size(), 1u);
  patcher.Patch(Pod(), {std::nullopt, "n2"});
  EXPECT_EQ(Bodies().size(), 2u);
}

// The states of a pod's patch when its binding starts, in virtual time. Seen: the server's requests in order; P a
// patch, B the binding.
struct PatchAndBinding : testing::Test {
  api::InternTables intern;
  http::FakeTransport server;
  base::VirtualClock clock{kPatchTime};
  requests::RequestQueue queue{server, clock, {-1, 1, 8}};
  StatusPatcher patcher{queue, clock};
  int bound = 0;
  int refusals = 0;  // the number of patches answered with `refusal`
  http::Reply refusal = http::ReplyOf(500);

  PatchAndBinding() {
    server.answer = [this](const http::Request& request) {
      return request.method == "PATCH" && refusals-- > 0 ? refusal : http::ReplyOf(200);
    };
  }
  void TearDown() override { queue.Stop(); }

  void Patch(const std::string& node) { patcher.Patch(PodOf(intern), {std::nullopt, node}); }
  void Fail() {
    patcher.Patch(
        PodOf(intern),
        {api::PodScheduledCondition{.status = "False", .reason = "Unschedulable", .message = "m"}, std::nullopt});
  }
  void Bind() {
    patcher.BeforeBinding("u1", [this] {
      http::Request request;
      request.method = "POST";
      const auto done = [this](const http::Reply&) { ++bound; };
      queue.Post(std::move(request), done, requests::Turn::kBinding);
    });
  }
  void Answer() {
    server.hold = false;
    EXPECT_TRUE(server.Release());
  }
  // Waits exactly as long as a patch waits before a retry: requests that are due are sent before the marker.
  void Wait(int64_t ns = 2 * base::kSecond) {
    clock.Advance(ns);
    std::promise<void> sent;
    queue.PostAfter(0, http::Request{}, [&](const http::Reply&) { sent.set_value(); });
    sent.get_future().wait();
  }
  std::string Seen() {
    std::string seen;
    for (const http::Request& request : server.requests()) {
      if (request.method != "GET") seen += request.method == "PATCH" ? 'P' : 'B';
    }
    return seen;
  }
};

TEST_F(PatchAndBinding, APatchThatWaitsForARetryIsNotSentAfterTheBinding) {
  refusals = 1;
  Fail();
  Bind();
  EXPECT_EQ(Seen(), "PB") << "the binding does not wait";
  Wait();
  EXPECT_EQ(Seen(), "PB");
  EXPECT_EQ(bound, 1);
}

TEST_F(PatchAndBinding, AFailedPatchIsNotRetriedWhileTheBindingWaits) {
  for (const int status : {0, 409, 429, 500, 503, 403, 404}) {
    server.hold = true;
    refusals = 1;
    refusal = http::ReplyOf(status);
    if (status == 503) refusal.retry_after_seconds = 1;
    const std::string before = Seen();
    Fail();
    Bind();
    EXPECT_EQ(Seen(), before + "P") << status;
    Answer();
    EXPECT_EQ(Seen(), before + "PB") << status;
    Wait();
    EXPECT_EQ(Seen(), before + "PB") << status;
  }
  EXPECT_EQ(bound, 7);
}

TEST_F(PatchAndBinding, TheBindingDoesNotWaitForThePatchsRetryAfter) {
  refusals = 1;
  refusal = http::ReplyOf(429);
  refusal.retry_after_seconds = 1;
  Fail();
  Bind();
  EXPECT_EQ(Seen(), "PB");
  Wait();
  EXPECT_EQ(Seen(), "PB");
}

TEST_F(PatchAndBinding, WithoutABindingThePatchWaitsForRetryAfter) {
  refusals = 6;  // more than the number of retries
  refusal = http::ReplyOf(503);
  refusal.retry_after_seconds = 5;
  Fail();
  Wait(4 * base::kSecond);
  EXPECT_EQ(Seen(), "P");
  for (int i = 0; i < 8; ++i) Wait(5 * base::kSecond);
  EXPECT_EQ(Seen(), "PPPPPPP");
}

TEST_F(PatchAndBinding, AFailedBindingIsReportedBeforeAnEarlierPatchsRetryAfter) {
  refusals = 1;
  Fail();
  Bind();
  Fail();  // the binding was refused
  EXPECT_EQ(Seen(), "PBP");
  Wait();
  EXPECT_EQ(Seen(), "PBP") << "the waiting patch is dropped";
  refusals = 1;
  Fail();
  Wait();
  EXPECT_EQ(Seen(), "PBPPP");
}

TEST_F(PatchAndBinding, AChangeIsMergedIntoAPatchThatWaitsForARetry) {
  refusals = 1;
  Patch("n1");
  Patch("n2");
  EXPECT_EQ(Seen(), "P");
  Wait();
  EXPECT_EQ(Seen(), "PP");
  EXPECT_THAT(server.requests()[1].body, testing::HasSubstr("n2"));
}

TEST_F(PatchAndBinding, AChangeDuringTheBindingFollowsIt) {
  server.hold = true;
  Patch("n1");
  Bind();
  Patch("");
  EXPECT_EQ(Seen(), "P");
  Answer();
  EXPECT_EQ(Seen(), "PBP");
  EXPECT_EQ(bound, 1);
}

TEST_F(PatchAndBinding, EveryBindingOfAPodIsSent) {
  server.hold = true;
  Patch("n1");
  Bind();
  Bind();
  Answer();
  EXPECT_EQ(Seen(), "PBB");
  EXPECT_EQ(bound, 2);
}

TEST_F(PatchAndBinding, APatchThatFollowsAnotherHasItsOwnRetries) {
  refusals = 3;
  Patch("n1");
  Wait();
  Wait();
  EXPECT_EQ(Seen(), "PPP");
  server.hold = true;
  clock.Advance(2 * base::kSecond);
  queue.PostAfter(0, http::Request{}, [](const http::Reply&) {});
  ASSERT_TRUE(Eventually([&] { return server.requests().size() == 3 + 2 + 2; }));  // with the markers
  Patch("n2");
  int asked = 0;
  server.answer = [&](const http::Request& r) {
    return http::ReplyOf(r.method == "PATCH" && ++asked == 2 ? 500 : 200);
  };
  server.hold = false;
  while (server.Release()) {
  }
  Wait();
  EXPECT_EQ(Seen(), "PPPPPP") << "n1 once more, and n2 twice";
}

TEST_F(PatchAndBinding, EndsWithTheClient) {
  server.hold = true;
  requests::RequestQueue one_at_a_time(server, clock, {-1, 1, 1});
  StatusPatcher patcher(one_at_a_time, clock);
  one_at_a_time.Post(http::Request{}, [](const http::Reply&) {});
  patcher.Patch(PodOf(intern), {std::nullopt, "n1"});
  one_at_a_time.Close();
  int binds = 0;
  patcher.BeforeBinding("u1", [&] { ++binds; });
  EXPECT_EQ(binds, 1);
  EXPECT_EQ(Seen(), "");
  Answer();
}

}  // namespace
}  // namespace berth::writer

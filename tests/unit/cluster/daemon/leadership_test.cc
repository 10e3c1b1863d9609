// Followers and leaders: who schedules, and when a new leader begins.
#include <gmock/gmock.h>

#include <atomic>

#include "daemon_fixture.h"

namespace berth::daemon {
namespace {

struct LeadershipTest : DaemonTest {
  std::atomic<bool> may_write{true};
  std::atomic<int> server_version{1};
  std::atomic<bool> lists{true};  // false: lists wait

  LeadershipTest() {
    options.leader_election = true;
    options.requests.may_write = [this] { return may_write.load(); };
    server.answer = [this](const http::Request& request) {
      if (request.method != "GET") return http::ReplyOf(201);
      EXPECT_TRUE(Eventually([this] { return lists.load(); }));
      return List(request.path.starts_with(kNodesPath) ? NodeJson("n1") : PodJson("p") + "," + PodJson("q"));
    };
  }
  ~LeadershipTest() override {
    lists = true;
    End();
  }
  http::Reply List(const std::string& items) const {
    return http::ReplyOf(200, R"({"kind":"List","metadata":{"resourceVersion":")" + std::to_string(server_version) +
                                  R"("},"items":[)" + items + "]}");
  }
};

TEST_F(LeadershipTest, AFollowerQueuesPodsAndBindsNone) {
  StartWithNode();
  server.Say(kPodsPath, "ADDED", PodJson("p"));
  ASSERT_TRUE(ReceivesPod("p"));
  OnSchedulingThread([](engine::Engine&) { return 0; });  // one more step
  EXPECT_EQ(server.Count("/binding"), 0u);
  daemon->leadership().Acquired();
  EXPECT_TRUE(Bound("p"));
}

TEST_F(LeadershipTest, ANewLeaderWaitsForTheStateOfTheServer) {
  StartWithNode();
  server.Say(kPodsPath, "ADDED", PodJson("p"));
  ASSERT_TRUE(ReceivesPod("p"));
  server_version = 7;  // the watches have not received all
  lists = false;
  daemon->leadership().Acquired();
  ASSERT_TRUE(Eventually([&] { return server.Count("limit=500") == 2; }));
  OnSchedulingThread([](engine::Engine&) { return 0; });
  EXPECT_EQ(server.Count("/binding"), 0u);
  lists = true;
  EXPECT_TRUE(Bound("p"));
  EXPECT_TRUE(Bound("q"));
}

TEST_F(LeadershipTest, AFormerLeaderBindsNoMoreAndThenAgain) {
  StartWithNode();
  daemon->leadership().Acquired();
  server.Say(kPodsPath, "ADDED", PodJson("p"));
  ASSERT_TRUE(Bound("p"));
  daemon->leadership().Lost();
  server.Say(kPodsPath, "ADDED", PodJson("q"));
  ASSERT_TRUE(ReceivesPod("q"));
  OnSchedulingThread([](engine::Engine&) { return 0; });
  EXPECT_EQ(server.Count("pods/q/binding"), 0u);
  daemon->leadership().Acquired();
  EXPECT_TRUE(Bound("q"));
}

TEST_F(LeadershipTest, AFormerLeaderSendsNoDecisionThatItHasMade) {
  StartWithNode();
  daemon->leadership().Acquired();
  server.Say(kPodsPath, "ADDED", PodJson("p"));
  ASSERT_TRUE(Bound("p"));
  may_write = false;  // the lease is over, and the process has not noticed it yet
  server.Say(kPodsPath, "ADDED", PodJson("q"));
  ASSERT_TRUE(ReceivesPod("q"));
  ASSERT_TRUE(Eventually(
      [&] { return OnSchedulingThread([](engine::Engine& engine) { return engine.attempts_in_flight() == 0; }); }));
  EXPECT_EQ(server.Count("pods/q/binding"), 0u);
  EXPECT_TRUE(OnSchedulingThread([](engine::Engine& engine) { return engine.CheckConsistency(); }).empty());
}

TEST_F(LeadershipTest, ListsNothingBeforeItLeadsIfTheCacheIsDelayed) {
  options.delay_cache_until_active = true;
  server.Say(kNodesPath, "ADDED", NodeJson("n1"));
  server.EndOfList(kNodesPath);
  server.Say(kPodsPath, "ADDED", PodJson("p"));
  server.EndOfList(kPodsPath);
  Start();
  OnSchedulingThread([](engine::Engine&) { return 0; });
  EXPECT_FALSE(daemon->handlers_synced());
  daemon->leadership().Acquired();
  EXPECT_TRUE(Bound("p"));
}

TEST_F(LeadershipTest, ALostTermDoesNotLeadWhenItHasCaughtUp) {
  StartWithNode();
  server_version = 7;
  lists = false;
  daemon->leadership().Acquired();
  ASSERT_TRUE(Eventually([&] { return server.Count("limit=500") == 2; }));
  daemon->leadership().Lost();
  lists = true;
  server.Say(kPodsPath, "ADDED", PodJson("last"));
  ASSERT_TRUE(ReceivesPod("last"));
  OnSchedulingThread([](engine::Engine&) { return 0; });
  EXPECT_EQ(server.Count("/binding"), 0u);
}

}  // namespace
}  // namespace berth::daemon

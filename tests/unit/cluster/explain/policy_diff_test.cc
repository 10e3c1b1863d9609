// POST /admin/v1/policy/diff: the answer, and what it refuses.
#include "cluster/explain/policy_diff.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "cluster/explain/policy_diff_request.h"
#include "codec/json/value.h"
#include "test_scheduler.h"

namespace berth::explain {
namespace {

using fixture::ScriptOf;
using fixture::TestScheduler;
using testing::HasSubstr;

constexpr const char* kPath = "/admin/v1/policy/diff";

// A prefers n1 by 10 and B prefers n2 by 20, each with weight 1, so that the pod goes to n2.
class PolicyDiff : public testing::Test {
 protected:
  static simulation::SimulationOptions Options() {
    simulation::SimulationOptions options = TestScheduler::DefaultOptions();
    options.engine.decisions.time_share = 1;
    return options;
  }
  static void Prefer(const std::string& plugin, const std::string& node, int64_t score) {
    ScriptOf(plugin).score = [plugin, node, score](fixture::Cycle&, const fixture::Pod&, sdk::Node on) {
      return on.name() == fixture::HostOf(plugin).Intern(node) ? score : 0;
    };
  }

  void SetUp() override {
    Prefer("A", "n1", 10);
    Prefer("B", "n2", 20);
    rig_.AddNodes({"n1", "n2"});
    rig_.AddPod("web");
    rig_.Run();
    AddPolicyDiffRoute(routes_, {rig_.simulation->engine(), rig_.intern});
    scheduling_ = std::jthread([this](const std::stop_token& stop) {
      while (!stop.stop_requested()) {
        if (!rig_.simulation->engine().Step()) rig_.simulation->engine().WaitFor(base::kMillisecond);
      }
    });
  }

  http::Answer Post(const std::string& body, http::Headers headers = {}) {
    return routes_.Serve({.method = "POST", .path = kPath, .headers = std::move(headers), .body = body});
  }
  json::Value Object(const std::string& body) {
    const http::Answer answer = Post(body);
    EXPECT_EQ(answer.status, 200) << answer.body;
    return json::Parse(answer.body).value_or(json::Value());
  }

  TestScheduler rig_{{{.plugins = {"A", "B"}}}, Options()};
  serve::Routes routes_;
  std::jthread scheduling_;
};

TEST_F(PolicyDiff, WithoutAChangeNothingMoves) {
  const json::Value answer = Object("");
  EXPECT_EQ(json::TextAt(answer, "kind"), "PolicyDiff");
  EXPECT_EQ(answer.FindPath("decisions.lookedAt")->integer(), 1);
  EXPECT_EQ(answer.FindPath("decisions.unchanged")->integer(), 1);
  EXPECT_TRUE(answer.Find("moves")->array().empty());
  EXPECT_EQ(answer.FindPath("before.nodesUsed")->integer(), 1);
}

TEST_F(PolicyDiff, ShowsWhatAWeightMoves) {
  const json::Value answer = Object(R"({"weights":{"A":3}})");
  ASSERT_EQ(answer.Find("moves")->array().size(), 1u);
  const json::Value& move = answer.Find("moves")->array()[0];
  EXPECT_EQ(json::TextAt(move, "pod"), "default/web");
  EXPECT_EQ(json::TextAt(move, "from"), "n2");
  EXPECT_EQ(json::TextAt(move, "to"), "n1");
  EXPECT_EQ(move.FindPath("fromTotal.after")->integer(), 20);
  EXPECT_EQ(move.FindPath("toTotal.before")->integer(), 10);
  EXPECT_EQ(move.FindPath("toTotal.after")->integer(), 30);
  EXPECT_NE(answer.FindPath("after.cpu.mean"), nullptr);
}

TEST_F(PolicyDiff, ShowsWhatADisabledScoreMoves) {
  const json::Value answer = Object(R"({"disabled":{"score":["B"]}})");
  ASSERT_EQ(answer.Find("moves")->array().size(), 1u);
  const json::Array& plugins = answer.Find("plugins")->array();
  const auto b =
      std::find_if(plugins.begin(), plugins.end(), [](const auto& one) { return json::TextAt(one, "plugin") == "B"; });
  ASSERT_NE(b, plugins.end());
  EXPECT_EQ(b->Find("weight")->integer(), 1);
  EXPECT_TRUE(b->Find("newWeight")->is_null());
}

TEST_F(PolicyDiff, NamesMistakes) {
  struct Case {
    const char *body, *text;
  };
  for (const Case& c : {Case{"{", "the body is no JSON"}, Case{"[]", "the body is not an object"},
                        Case{R"({"weight":{}})", "unknown member \"weight\""},
                        Case{R"({"disabled":{"bind":[]}})", "unknown member \"disabled.bind\""},
                        Case{R"({"profile":"none"})", "profile: there is no profile \"none\""},
                        Case{R"({"profile":7})", "profile: 7 is not a name"},
                        Case{R"({"limit":0})", "limit: 0 is not a whole number from 1 to 1000"},
                        Case{R"({"limit":1001})", "limit: 1001 is not a whole number from 1 to 1000"},
                        Case{R"({"weights":{"A":0}})", "weights[\"A\"]: 0 is not a whole number from 1 to 2147483647"},
                        Case{R"({"weights":{"A":1.5}})", "weights[\"A\"]: 1.5 is not a whole number"},
                        Case{R"({"weights":{"None":1}})", "weights[\"None\"]: profile"},
                        Case{R"({"disabled":{"score":["None"]}})", "disabled.score: \"None\": profile"},
                        Case{R"({"disabled":{"filter":["None"]}})", "has no Filter or PreFilter plugin of this name"},
                        Case{R"({"disabled":{"filter":[7]}})", "disabled.filter: 7 is not the name of a plugin"}}) {
    const http::Answer answer = Post(c.body);
    EXPECT_EQ(answer.status, 400) << c.body;
    EXPECT_THAT(answer.body, HasSubstr(c.text));
  }
}

TEST_F(PolicyDiff, AnswersOnlyItsOwnSite) {
  for (const char* site : {"cross-site", "same-site"}) {
    EXPECT_EQ(Post("", {{"sec-fetch-site", site}}).status, 403) << site;
  }
  for (const char* site : {"same-origin", "none"}) EXPECT_EQ(Post("", {{"sec-fetch-site", site}}).status, 200) << site;
}

TEST_F(PolicyDiff, IsLimited) {
  EXPECT_EQ(Post(std::string(kMaxPolicyDiffBody + 1, ' ')).status, 413);
  EXPECT_EQ(routes_.Serve({.method = "GET", .path = kPath}).status, 405);
  int status = 200;
  for (int i = 0; i < 10'000 && status == 200; ++i) status = Post("").status;
  EXPECT_EQ(status, 429);
}

TEST_F(PolicyDiff, SaysThatTheSchedulingThreadIsBusyOrNot) {
  EXPECT_EQ(Post("").status, 200);
  scheduling_ = {};
  EXPECT_EQ(Post("").status, 503);
}

// The promise is one second for 100 pods at 5,000 nodes, with everything that the request does.
TEST(PolicyDiffOfALargeCluster, TakesLessThanASecond) {
  simulation::SimulationOptions options = TestScheduler::DefaultOptions();
  options.engine.decisions.time_share = 1;
  options.check_consistency = false;
  options.record = cycle::RecordNodes::kNone;
  TestScheduler rig({{.plugins = {"A", "B"}}}, options);
  ScriptOf("A").score = [](fixture::Cycle&, const fixture::Pod&, sdk::Node on) { return int64_t{on.name() % 97}; };
  ScriptOf("B").score = [](fixture::Cycle&, const fixture::Pod&, sdk::Node on) {
    return on.name() % 97 == 0 ? int64_t{100} : 0;
  };
  // With equal weights, a node to which B gives 100 has more than one to which A gives 96.
  std::vector<std::string> nodes;
  for (int i = 0; i < 5000; ++i) nodes.push_back("node-" + std::to_string(i));
  rig.AddNodes(nodes);
  for (int i = 0; i < 100; ++i) rig.AddPod("pod-" + std::to_string(i));
  rig.Run();
  serve::Routes routes;
  AddPolicyDiffRoute(routes, {rig.simulation->engine(), rig.intern});
  std::jthread scheduling([&](const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      if (!rig.simulation->engine().Step()) rig.simulation->engine().WaitFor(base::kMillisecond);
    }
  });
  const auto began = std::chrono::steady_clock::now();
  const http::Answer answer = routes.Serve({.method = "POST", .path = kPath, .body = R"({"weights":{"A":9}})"});
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
  EXPECT_EQ(answer.status, 200) << answer.body;
  EXPECT_EQ(json::Parse(answer.body)->FindPath("decisions.lookedAt")->integer(), 100);
  EXPECT_EQ(json::Parse(answer.body)->FindPath("decisions.moving")->integer(), 100);
  EXPECT_LT(took.count(), 1.0);
  std::cout << "the request takes " << took.count() * 1000 << " ms\n";
}

TEST(PolicyDiffPath, IsNotServedInPlainHttpToOtherMachines) { EXPECT_TRUE(Explains(kPath)); }

}  // namespace
}  // namespace berth::explain

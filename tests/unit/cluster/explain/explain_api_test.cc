// The requests that explain decisions, with an engine whose scheduling thread runs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <stop_token>
#include <thread>

#include "cluster/explain/explain_api.h"
#include "cluster/explain/page.h"
#include "codec/json/value.h"
#include "scheduler/engine/ask.h"
#include "test_scheduler.h"

namespace berth::explain {
namespace {

using fixture::ScriptOf;
using fixture::TestScheduler;
using testing::HasSubstr;

simulation::SimulationOptions Options() {
  simulation::SimulationOptions options = TestScheduler::DefaultOptions();
  options.engine.decisions.time_share = 1;
  return options;
}

class ExplainApi : public testing::Test {
 protected:
  void SetUp() override {
    ScriptOf("A").filter = [](fixture::Cycle& c, const fixture::Pod& pod, sdk::Node, sdk::Verdict& verdict) {
      if (pod.name() == "web") verdict = sdk::Verdict::Unschedulable(c.Reasons("no room"));
      return fixture::Status::Ok();
    };
    rig_.AddNodes({"n1", "n2"});
    rig_.AddPod("placed");
    rig_.AddPod("web");
    rig_.Run();
    AddExplainRoutes(routes_, {rig_.simulation->engine(), rig_.intern});
    scheduling_ = std::jthread([this](const std::stop_token& stop) {
      while (!stop.stop_requested()) {
        if (!rig_.simulation->engine().Step()) rig_.simulation->engine().WaitFor(base::kMillisecond);
      }
    });
  }

  http::Answer Get(const std::string& path, const std::string& query = "") {
    return routes_.Serve({.path = path, .query = query});
  }
  json::Value Object(const std::string& path, const std::string& query = "") {
    const http::Answer answer = Get(path, query);
    EXPECT_EQ(answer.status, 200) << answer.body;
    EXPECT_EQ(answer.content_type, "application/json");
    return json::Parse(answer.body).value_or(json::Value());
  }

  TestScheduler rig_{{{}}, Options()};
  serve::Routes routes_;
  std::jthread scheduling_;
};

TEST_F(ExplainApi, ListsTheLastDecisions) {
  const json::Value list = Object("/admin/v1/decisions");
  EXPECT_EQ(json::TextAt(list, "kind"), "DecisionList");
  const json::Array& decisions = list.Find("decisions")->array();
  ASSERT_EQ(decisions.size(), 2u);
  EXPECT_EQ(json::TextAt(decisions[0], "pod"), "default/web");
  EXPECT_EQ(json::TextAt(decisions[0], "result"), "Unschedulable");
  EXPECT_EQ(json::TextAt(decisions[1], "pod"), "default/placed");
  EXPECT_EQ(json::TextAt(decisions[1], "result"), "Scheduled");
  EXPECT_EQ(list.Find("newest")->integer(), 2);
  EXPECT_EQ(json::TextAt(list, "instance").size(), 16u);
  EXPECT_EQ(list.FindPath("recorded.attempts")->integer(), 2);
  EXPECT_EQ(list.FindPath("recorded.withNodes")->integer(), 2);
}

TEST_F(ExplainApi, FiltersDecisions) {
  const auto count = [&](const std::string& query) {
    return Object("/admin/v1/decisions", query).Find("decisions")->array().size();
  };
  EXPECT_EQ(count("limit=1"), 1u);
  EXPECT_EQ(count("pod=default%2Fweb"), 1u);
  EXPECT_EQ(count("pod=default/none"), 0u);
  EXPECT_EQ(count("after=1"), 1u);
  EXPECT_EQ(count("before=2"), 1u);
  EXPECT_EQ(count("before=1"), 0u);
  EXPECT_EQ(count("profile=none"), 0u);
  EXPECT_EQ(count("result=Scheduled"), 1u);
  EXPECT_EQ(count("result=Error"), 0u);
  EXPECT_EQ(count("withNodes=1"), 2u);
}

TEST_F(ExplainApi, ShowsTheNodesOfADecision) {
  const json::Value one = Object("/admin/v1/decisions/2");
  EXPECT_EQ(json::TextAt(one, "kind"), "Decision");
  EXPECT_EQ(one.FindPath("nodes.names")->array().size(), 2u);
  EXPECT_EQ(one.FindPath("nodes.verdicts")->array()[0].integer(), 1);
  const json::Value& rejection = one.FindPath("nodes.rejections")->array().at(0);
  EXPECT_EQ(json::TextAt(rejection, "plugin"), "A");
  EXPECT_EQ(rejection.Find("reasons")->array().at(0).string(), "no room");
  EXPECT_TRUE(one.FindPath("nodes.totals")->array()[0].is_null());
  const json::Value placed = Object("/admin/v1/decisions/1");
  EXPECT_TRUE(placed.FindPath("nodes.totals")->array()[0].is_int());
  EXPECT_EQ(placed.FindPath("nodes.scores")->array().at(0).Find("weight")->integer(), 1);
}

TEST_F(ExplainApi, ExplainsPods) {
  const json::Value web = Object("/admin/v1/pods/default/web", "node=n2&suggest=1");
  EXPECT_EQ(json::TextAt(web, "kind"), "PodExplanation");
  EXPECT_EQ(json::TextAt(web, "state"), "Pending");
  EXPECT_THAT(json::TextAt(web, "summary"), HasSubstr("0 of 2 nodes fit: 2 rejected by A: no room."));
  EXPECT_EQ(json::TextAt(web, "onNode.plugin"), "A");
  EXPECT_EQ(web.FindPath("decision.id")->integer(), 2);
  EXPECT_EQ(json::TextAt(Object("/admin/v1/pods/default/placed"), "state"), "Scheduled");
}

TEST_F(ExplainApi, ListsTheQueue) {
  const json::Value queue = Object("/admin/v1/queue");
  EXPECT_EQ(queue.Find("unschedulable")->integer(), 1);
  EXPECT_EQ(queue.Find("total")->integer(), 1);
  const json::Value& pod = queue.Find("pods")->array().at(0);
  EXPECT_EQ(json::TextAt(pod, "pod"), "default/web");
  EXPECT_EQ(json::TextAt(pod, "where"), "unschedulable");
  EXPECT_EQ(pod.Find("rejectedBy")->array().at(0).string(), "A");
}

TEST_F(ExplainApi, ListsTheNodes) {
  const json::Value nodes = Object("/admin/v1/nodes", "label=kubernetes.io/hostname&label=none");
  EXPECT_EQ(nodes.Find("names")->array().size(), 2u);
  EXPECT_EQ(nodes.FindPath("allocatable.cpu")->array()[0].integer(), 4000);
  const int64_t pods = nodes.Find("pods")->array()[0].integer() + nodes.Find("pods")->array()[1].integer();
  EXPECT_EQ(pods, 1);
  EXPECT_TRUE(nodes.Find("labels")->Find("none")->array()[0].is_null());
}

TEST_F(ExplainApi, ServesThePageWithAStrictPolicy) {
  const http::Answer page = Get("/explain");
  EXPECT_EQ(page.status, 200);
  EXPECT_EQ(page.content_type, "text/html; charset=utf-8");
  EXPECT_THAT(page.body, HasSubstr("<script type=\"module\" src=\"explain/app.js\">"));
  EXPECT_THAT(page.headers, testing::Contains(testing::Pair("Content-Security-Policy",
                                                            HasSubstr("default-src 'none'; script-src 'self'; "))));
  EXPECT_EQ(Get("/explain/app.js").content_type, "text/javascript; charset=utf-8");
  EXPECT_EQ(Get("/explain/style.css").content_type, "text/css; charset=utf-8");
  EXPECT_EQ(Get("/explain/none.js").status, 404);
  EXPECT_EQ(Get("/explain/../admin.h").status, 404);
}

TEST(ExplainPage, IsSmall) {
  size_t bytes = 0;
  for (const PageFile& file : PageFiles()) bytes += file.text.size();
  EXPECT_LE(bytes, 100u * 1024);
}

// Line by line, where CMake uses regular expressions on the whole file.
std::string WithoutCommentsAndIndentation(std::istream& source, bool is_script) {
  std::string out, line;
  while (std::getline(source, line)) {
    line.erase(0, std::min(line.find_first_not_of(" \t"), line.size()));
    if (line.empty() || (is_script && line.starts_with("//"))) continue;
    EXPECT_EQ(std::count(line.begin(), line.end(), '`') % 2, 0) << "a template literal spans lines: " << line;
    out += line + "\n";
  }
  return out;
}

TEST(ExplainPage, IsServedWithoutCommentsAndIndentation) {
  size_t smaller = 0;
  for (const PageFile& file : PageFiles()) {
    const auto path = std::filesystem::path(BERTH_TEST_SOURCE_DIR) / "host/cluster/explain/page" / file.name;
    std::ifstream source(path);
    ASSERT_TRUE(source) << path;
    EXPECT_EQ(file.text, WithoutCommentsAndIndentation(source, file.name.ends_with(".js"))) << file.name;
    smaller += std::filesystem::file_size(path) - file.text.size();
  }
  EXPECT_GT(smaller, 0u);
}

TEST_F(ExplainApi, NamesMistakesOfTheClient) {
  struct Case {
    const char *path, *query;
    int status;
    const char* text;
  };
  for (const Case& c : {Case{"/admin/v1/decisions", "limit=0", 400, "limit: \"0\" is not a number from 1 to 1000"},
                        Case{"/admin/v1/decisions", "limit=x", 400, "limit: \"x\" is not a number"},
                        Case{"/admin/v1/decisions", "limits=5", 400, "unknown or repeated parameter \"limits\""},
                        Case{"/admin/v1/decisions", "pod=a&pod=b", 400, "unknown or repeated parameter \"pod\""},
                        Case{"/admin/v1/decisions", "result=Bound", 400, "result: \"Bound\" is none of Scheduled, "},
                        Case{"/admin/v1/decisions", "withNodes=2", 400, "withNodes: \"2\" is neither 0 nor 1"},
                        Case{"/admin/v1/decisions/x", "", 400, "\"x\" is not the ID of a decision"},
                        Case{"/admin/v1/decisions/99", "", 404, "decision 99 is not recorded"},
                        Case{"/admin/v1/pods/default/none", "", 404, "the scheduler knows no pod \"default/none\""},
                        Case{"/admin/v1/nodes", "label=a&label=b&label=c&label=d&label=e", 400, "at most 4 keys"}}) {
    const http::Answer answer = Get(c.path, c.query);
    EXPECT_EQ(answer.status, c.status) << c.path << "?" << c.query;
    EXPECT_THAT(answer.body, HasSubstr(c.text));
  }
}

TEST_F(ExplainApi, AnotherSiteMustNotAsk) {
  for (const char* path : {"/admin/v1/decisions", "/admin/v1/decisions/1", "/admin/v1/pods/default/none",
                           "/admin/v1/queue", "/admin/v1/nodes"}) {
    const auto status = [&](const char* site) {
      return routes_.Serve({.path = path, .headers = {{"sec-fetch-site", site}}}).status;
    };
    EXPECT_EQ(status("cross-site"), 403) << path;
    EXPECT_EQ(status("same-site"), 403) << path;
    EXPECT_NE(status("same-origin"), 403) << path;
    EXPECT_NE(status("none"), 403) << path;
  }
  EXPECT_EQ(routes_.Serve({.path = "/explain", .headers = {{"sec-fetch-site", "cross-site"}}}).status, 200)
      << "a link to the page may be on another site";
}

TEST_F(ExplainApi, AQuestionThatFailsHasNoAnswer) {
  const auto fails = []() -> int { throw std::runtime_error("no"); };
  EXPECT_EQ(engine::Ask(rig_.simulation->engine(), fails), std::nullopt);
  EXPECT_EQ(engine::Ask(rig_.simulation->engine(), [] { return 7; }), 7);
}

TEST_F(ExplainApi, AnswersThatTheSchedulingThreadIsBusy) {
  scheduling_ = {};
  EXPECT_EQ(Get("/admin/v1/queue").status, 503);
}

TEST_F(ExplainApi, TheEndOfTheSchedulerEndsTheWaitForTheSchedulingThread) {
  scheduling_ = {};
  std::stop_source ending;
  ending.request_stop();
  serve::Routes routes;
  AddExplainRoutes(routes, {rig_.simulation->engine(), rig_.intern, ending.get_token()});
  const auto began = std::chrono::steady_clock::now();
  for (const char* path : {"/admin/v1/decisions", "/admin/v1/decisions/1", "/admin/v1/pods/default/web",
                           "/admin/v1/queue", "/admin/v1/nodes"}) {
    EXPECT_EQ(routes.Serve({.path = path}).status, 503) << path;
  }
  EXPECT_EQ(routes.Serve({.method = "POST", .path = "/admin/v1/policy/diff"}).status, 503);
  EXPECT_LT(std::chrono::steady_clock::now() - began, engine::kLongestAnswer / 2);
}

TEST_F(ExplainApi, ADeadlineEndsTheWaitForTheSchedulingThread) {
  scheduling_ = {};
  const auto began = std::chrono::steady_clock::now();
  engine::Engine& engine = rig_.simulation->engine();
  EXPECT_EQ(engine::Ask(
                engine, [] { return 7; }, {}, began + std::chrono::milliseconds(20)),
            std::nullopt);
  EXPECT_LT(std::chrono::steady_clock::now() - began, engine::kLongestAnswer / 2);
}

TEST_F(ExplainApi, FindsDecisionsFarBackInSeveralQuestions) {
  ASSERT_TRUE(engine::Ask(rig_.simulation->engine(), [this] {
    for (int i = 0; i < 9000; ++i) {
      rig_.simulation->engine().decisions().ring().Add({}, {.pod = "default/p", .profile = "other"}, {});
    }
    return true;
  }));
  const json::Value list = Object("/admin/v1/decisions", "pod=default/web");
  EXPECT_EQ(list.Find("decisions")->array().size(), 1u);
  EXPECT_EQ(list.Find("newest")->integer(), 9002);
  EXPECT_EQ(Object("/admin/v1/decisions", "pod=default/web&after=2").Find("decisions")->array().size(), 0u);
  const http::Answer diff = routes_.Serve({.method = "POST", .path = "/admin/v1/policy/diff"});
  EXPECT_EQ(json::Parse(diff.body).value_or(json::Value()).FindPath("decisions.lookedAt")->integer(), 2) << diff.body;
}

TEST(ExplainPaths, AreTheOnesWithContentsOfTheCluster) {
  EXPECT_TRUE(Explains("/admin/v1/decisions"));
  EXPECT_TRUE(Explains("/admin/v1/decisions/5"));
  EXPECT_TRUE(Explains("/admin/v1/%70ods/a/b"));
  EXPECT_FALSE(Explains("/admin/v1/plugins"));
  EXPECT_FALSE(Explains("/admin/v1/podsx"));
}

}  // namespace
}  // namespace berth::explain

// Both controllers against an API server in this process.
#include "controllers/reconcile/manager.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "eventually.h"
#include "object_server.h"

namespace berth::reconcile {
namespace {

using testing::HasSubstr;

struct ManagerTest : testing::Test {
  ObjectServer server;
  metrics::Registry registry;
  std::optional<Manager> manager;
  std::jthread thread;

  void Start(bool leads = true, std::function<bool()> may_write = {}) {
    ManagerOptions options;
    options.requests = {-1, 1, 8, nullptr, std::move(may_write)};
    options.hostname = "host";
    options.unreadable_kind_timeout_ns = 0;
    manager.emplace(options, server, registry);
    if (leads) manager->SetLeading(true);
    thread = std::jthread([this] { manager->Run(); });
  }
  void Stop() {
    if (!thread.joinable()) return;
    manager->RequestEnd();
    thread.join();
  }
  ~ManagerTest() override { Stop(); }

  std::string Group(const std::string& name = "pg") { return server.Status(kGroupsPath, "ns/" + name); }
  bool GroupBecomes(const std::string& status, const std::string& name = "pg") {
    const bool became = Eventually([&] { return Group(name) == status; }, std::chrono::seconds(20));
    if (!became) ADD_FAILURE() << "it is " << Group(name) << ", not " << status;
    return became;
  }
  bool QuotaBecomes(const std::string& status, const std::string& name = "eq") {
    const auto is = [&] { return server.Status(kQuotasPath, "ns/" + name); };
    const bool became = Eventually([&] { return is() == status; }, std::chrono::seconds(20));
    if (!became) ADD_FAILURE() << "it is " << is() << ", not " << status;
    return became;
  }
};

TEST_F(ManagerTest, LeadsAGroupThroughItsPhases) {
  Start();
  server.Put(kGroupsPath, GroupText("pg", 2));
  ASSERT_TRUE(GroupBecomes(R"({"phase":"Pending"})"));
  server.Put(kPodsPath, PodText("a", "Pending", "pg", "", "job"));
  server.Put(kPodsPath, PodText("b", "Pending", "pg", "", "job"));
  ASSERT_TRUE(GroupBecomes(R"({"phase":"Scheduling","occupiedBy":"ns/job"})"));
  server.Put(kPodsPath, PodText("a", "Running", "pg"));
  server.Put(kPodsPath, PodText("b", "Running", "pg"));
  ASSERT_TRUE(GroupBecomes(R"({"phase":"Running","occupiedBy":"ns/job","running":2})"));
  server.Put(kPodsPath, PodText("a", "Succeeded", "pg"));
  ASSERT_TRUE(GroupBecomes(R"({"phase":"Running","occupiedBy":"ns/job","running":1,"succeeded":1})"));
  server.Put(kPodsPath, PodText("b", "Succeeded", "pg"));
  ASSERT_TRUE(GroupBecomes(R"({"phase":"Finished","occupiedBy":"ns/job","running":0,"succeeded":2})"));
  server.Delete(kPodsPath, "ns/a");
  server.Delete(kPodsPath, "ns/b");
  server.Put(kGroupsPath, GroupText("later", 1));
  ASSERT_TRUE(GroupBecomes(R"({"phase":"Pending"})", "later"));
  EXPECT_THAT(Group(), HasSubstr("Finished"));
}

TEST_F(ManagerTest, FollowsAFailedGroupThatRunsAgain) {
  Start();
  server.Put(kPodsPath, PodText("a", "Running", "pg"));
  server.Put(kPodsPath, PodText("b", "Failed", "pg"));
  server.Put(kGroupsPath, GroupText("pg", 2));
  ASSERT_TRUE(GroupBecomes(R"({"phase":"Failed","running":1,"failed":1})"));
  server.Put(kPodsPath, PodText("c", "Running", "pg"));
  ASSERT_TRUE(GroupBecomes(R"({"phase":"Running","running":2,"failed":1})"));
}

TEST_F(ManagerTest, CountsPodsOfTheOwnNamespaceAlone) {
  Start();
  server.Put(kGroupsPath, GroupText("pg", 1, "other"));
  server.Put(kPodsPath, PodText("a", "Running", "pg"));
  server.Put(kGroupsPath, GroupText("pg", 1));
  ASSERT_TRUE(GroupBecomes(R"({"phase":"Running","running":1})"));
  EXPECT_EQ(server.Status(kGroupsPath, "other/pg"), R"({"phase":"Pending"})");
}

TEST_F(ManagerTest, FollowsAPodThatChangesItsGroup) {
  server.Put(kGroupsPath, GroupText("pg", 1));
  server.Put(kGroupsPath, GroupText("other", 1));
  server.Put(kPodsPath, PodText("a", "Running", "pg"));
  Start();
  ASSERT_TRUE(GroupBecomes(R"({"phase":"Running","running":1})"));
  server.Put(kPodsPath, PodText("a", "Running", "other"));
  ASSERT_TRUE(GroupBecomes(R"({"phase":"Running","running":1})", "other"));
  ASSERT_TRUE(GroupBecomes(R"({"phase":"Pending","running":0})"));
}

TEST_F(ManagerTest, FollowsTheUseOfAQuota) {
  Start();
  server.Put(kQuotasPath, QuotaText("eq", "10"));
  ASSERT_TRUE(QuotaBecomes(R"({"used":{"cpu":"0"}})"));
  server.Put(kPodsPath, PodText("a", "Running", "", "1500m"));
  ASSERT_TRUE(QuotaBecomes(R"({"used":{"cpu":"1500m"}})"));
  server.Put(kPodsPath, PodText("b", "Pending", "", "1"));
  server.Put(kPodsPath, PodText("c", "Running", "", "1"));
  ASSERT_TRUE(QuotaBecomes(R"({"used":{"cpu":"2500m"}})"));
  server.Put(kPodsPath, PodText("a", "Succeeded", "", "1500m"));
  ASSERT_TRUE(QuotaBecomes(R"({"used":{"cpu":"1"}})"));
  server.Delete(kPodsPath, "ns/c");
  ASSERT_TRUE(QuotaBecomes(R"({"used":{"cpu":"0"}})"));
}

// The case "update pods" of TestElasticQuotaController_Run in kubernetes-sigs/scheduler-plugins
// pkg/controllers/elasticquota_controller_test.go: the second pod1 replaces the spec of the first, which runs.
TEST_F(ManagerTest, CountsAReplacedPodOnce) {
  server.Put(kQuotasPath, QuotaText("eq", "10"));
  server.Put(kPodsPath, PodText("pod1", "Running", "", "2"));
  Start();
  ASSERT_TRUE(QuotaBecomes(R"({"used":{"cpu":"2"}})"));
  server.Put(kPodsPath, PodText("pod1", "Running", "", "3"));
  ASSERT_TRUE(QuotaBecomes(R"({"used":{"cpu":"3"}})"));
}

TEST_F(ManagerTest, TakesTheFirstQuotaOfANamespace) {
  server.Put(kQuotasPath, QuotaText("b", "10"));
  server.Put(kQuotasPath, QuotaText("a", "10"));
  Start();
  ASSERT_TRUE(QuotaBecomes(R"({"used":{"cpu":"0"}})", "a"));
  EXPECT_EQ(server.Status(kQuotasPath, "ns/b"), "");
  server.Delete(kQuotasPath, "ns/a");
  ASSERT_TRUE(QuotaBecomes(R"({"used":{"cpu":"0"}})", "b"));
}

TEST_F(ManagerTest, WritesOnlyWhatHasChanged) {
  server.Put(kGroupsPath, GroupText("pg", 1));
  server.Put(kPodsPath, PodText("a", "Running", "pg"));
  Start();
  ASSERT_TRUE(GroupBecomes(R"({"phase":"Running","running":1})"));
  const size_t before = server.WritesOf("/podgroups/pg/status");
  EXPECT_EQ(before, 3u) << "Pending, Scheduling, Running";
  server.Put(kPodsPath, PodText("a", "Running", "pg", "1"));
  server.Put(kGroupsPath, GroupText("pg", 1));
  server.Put(kGroupsPath, GroupText("later", 1));
  ASSERT_TRUE(GroupBecomes(R"({"phase":"Pending"})", "later"));
  EXPECT_EQ(server.WritesOf("/podgroups/pg/status"), before);
}

TEST_F(ManagerTest, TellsAboutAQuotaInOneSeriesOfEvents) {
  server.Put(kQuotasPath, QuotaText("eq", "10"));
  Start();
  ASSERT_TRUE(QuotaBecomes(R"({"used":{"cpu":"0"}})"));
  server.Put(kPodsPath, PodText("a", "Running", "", "1"));
  ASSERT_TRUE(QuotaBecomes(R"({"used":{"cpu":"1"}})"));
  ASSERT_TRUE(Eventually([&] { return server.events.requests().size() == 2; }));
  const http::Request first = server.events.requests()[0], second = server.events.requests()[1];
  EXPECT_EQ(first.path, "/apis/events.k8s.io/v1/namespaces/ns/events");
  EXPECT_THAT(first.body, HasSubstr(R"("reportingController":"ElasticQuotaController")"));
  EXPECT_THAT(first.body, HasSubstr(R"("reason":"Synced","regarding":{"kind":"ElasticQuota","namespace":"ns",)"));
  EXPECT_THAT(first.body, HasSubstr(R"("note":"Elastic Quota ns/eq synced successfully","type":"Normal")"));
  EXPECT_EQ(second.method, "PATCH");
  EXPECT_THAT(second.body, HasSubstr(R"("series":{"count":2)"));
}

TEST_F(ManagerTest, TellsAboutAGroupThatIsNotScheduledFor48Hours) {
  std::string group = GroupText("pg", 1);
  group.insert(group.size() - 1, R"(,"status":{"phase":"Pending","scheduleStartTime":"2026-01-04T00:00:00Z"})");
  server.Put(kGroupsPath, group);
  server.Put(kPodsPath, PodText("a", "Running", "pg"));
  Start();
  ASSERT_TRUE(Eventually([&] { return !server.events.requests().empty(); }));
  const std::string body = server.events.requests()[0].body;
  EXPECT_THAT(body, HasSubstr(R"("reason":"Timeout")"));
  EXPECT_THAT(body, HasSubstr(R"("note":"schedule time longer than 48 hours","type":"Warning")"));
  EXPECT_THAT(body, HasSubstr(R"("reportingController":"PodGroupController")"));
  EXPECT_EQ(server.Writes().size(), 0u);
}

TEST_F(ManagerTest, TriesAFailedWriteAgain) {
  std::atomic<int> failures{3};
  server.fault = [&](const http::Request&) -> std::optional<http::Reply> {
    if (failures.fetch_sub(1) <= 0) return std::nullopt;
    return http::ReplyOf(500, R"({"kind":"Status","message":"etcd is away","code":500})");
  };
  server.Put(kGroupsPath, GroupText("pg", 1));
  Start();
  ASSERT_TRUE(GroupBecomes(R"({"phase":"Pending"})"));
  EXPECT_THAT(registry.Text(), HasSubstr("workqueue_retries_total{name=\"podgroup\"} 3\n"));
  EXPECT_THAT(registry.Text(),
              HasSubstr("controller_runtime_reconcile_total{controller=\"podgroup\",result=\"error\"} 3\n"));
}

TEST_F(ManagerTest, FollowsWithoutLeading) {
  server.Put(kGroupsPath, GroupText("pg", 1));
  Start(/*leads=*/false);
  ASSERT_TRUE(Eventually([&] { return manager->WhyNotSynced().empty(); }));
  server.Put(kPodsPath, PodText("a", "Running", "pg"));
  EXPECT_EQ(server.Writes().size(), 0u);
  manager->SetLeading(true);
  ASSERT_TRUE(GroupBecomes(R"({"phase":"Running","running":1})"));
  manager->SetLeading(false);
  const auto reached_loop = [&] { return registry.Text().find("berth_controllers_objects{resource=\"pods\"} 2\n"); };
  server.Put(kPodsPath, PodText("b", "Running", "pg"));
  ASSERT_TRUE(Eventually([&] { return reached_loop() != std::string::npos; }));
  EXPECT_EQ(Group(), R"({"phase":"Running","running":1})");
  manager->SetLeading(true);
  ASSERT_TRUE(GroupBecomes(R"({"phase":"Running","running":2})"));
}

// The Lease has ended, and the election has not said so yet.
TEST_F(ManagerTest, SendsNothingWithoutTheFence) {
  std::atomic<bool> fence{false};
  server.Put(kGroupsPath, GroupText("pg", 1));
  Start(/*leads=*/true, [&fence] { return fence.load(); });
  ASSERT_TRUE(Eventually([&] {
    return registry.Text().find("result=\"error\"} 0") == std::string::npos ||
           registry.Text().find("podgroup\",result=\"error\"} 0") == std::string::npos;
  }));
  EXPECT_EQ(server.Writes().size(), 0u);
  fence = true;
  ASSERT_TRUE(GroupBecomes(R"({"phase":"Pending"})"));
}

TEST_F(ManagerTest, ListsAgainAndForgetsWhatIsGone) {
  server.Put(kGroupsPath, GroupText("pg", 2));
  server.Put(kPodsPath, PodText("a", "Running", "pg"));
  server.Put(kPodsPath, PodText("b", "Running", "pg"));
  Start();
  ASSERT_TRUE(GroupBecomes(R"({"phase":"Running","running":2})"));
  server.Delete(kPodsPath, "ns/b");
  server.Compact();
  ASSERT_TRUE(GroupBecomes(R"({"phase":"Pending","running":1})"));
}

TEST_F(ManagerTest, WorksWithoutTheDefinitionOfTheOtherKind) {
  server.Undefine(kQuotasPath);
  server.Put(kGroupsPath, GroupText("pg", 1));
  Start();
  ASSERT_TRUE(GroupBecomes(R"({"phase":"Pending"})"));
}

TEST_F(ManagerTest, WritesNothingBeforePodsAreListed) {
  server.Undefine(kPodsPath);
  server.Put(kGroupsPath, GroupText("pg", 1));
  server.Put(kQuotasPath, QuotaText("eq", "1"));
  Start();
  ASSERT_TRUE(Eventually([&] {
    const std::string why = manager->WhyNotSynced();
    return why.starts_with("pods are not listed yet: ") && why.find(';') == std::string::npos;
  })) << manager->WhyNotSynced();
  EXPECT_EQ(server.Writes().size(), 0u);
}

TEST_F(ManagerTest, AnswersItsLastWritesBeforeItGivesUpTheLease) {
  server.Put(kGroupsPath, GroupText("pg", 1));
  Start();
  ASSERT_TRUE(GroupBecomes(R"({"phase":"Pending"})"));
  std::atomic<bool> released{false};
  manager->set_on_last_write([&] { released = manager->AwaitAnswers(0); });
  Stop();
  EXPECT_TRUE(released);
}

}  // namespace
}  // namespace berth::reconcile

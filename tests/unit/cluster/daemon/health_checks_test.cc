// The daemon's health while the API server is unreachable, and while the scheduling thread is stuck.
#include "cluster/daemon/health_checks.h"

#include <gmock/gmock.h>

#include <atomic>
#include <semaphore>

#include "daemon_fixture.h"
#include "telemetry/metrics/registry.h"

namespace berth::daemon {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;

struct Health : DaemonTest {
  metrics::Registry registry;
  std::unique_ptr<serve::Endpoints> endpoints;

  void StartServing() {
    StartWithNode();
    serve::Checks checks;
    AddHealthChecks(*daemon, checks);
    endpoints = std::make_unique<serve::Endpoints>(std::move(checks), registry);
  }
  http::Answer Get(const std::string& path) const { return endpoints->Get({.path = path, .query = "verbose"}); }
  bool Becomes(const std::string& path, int status) const {
    return Eventually([&] { return Get(path).status == status; });
  }
};

TEST_F(Health, PassesWhileRunning) {
  StartServing();
  EXPECT_EQ(Get("/livez").body, "[+]ping ok\n[+]scheduling-thread ok\nlivez check passed\n");
  EXPECT_EQ(Get("/healthz").body, "[+]ping ok\n[+]scheduling-thread ok\nhealthz check passed\n");
  EXPECT_EQ(Get("/readyz").body,
            "[+]shutdown ok\n[+]sched-handler-sync ok\n[+]watch-nodes ok\n[+]watch-pods ok\nreadyz check passed\n");
}

TEST_F(Health, IsNotReadyWhileTheApiServerIsAway) {
  options.watch_outage_timeout_ns = 100 * base::kMillisecond;
  StartServing();
  server.GoAway();
  // The first retry of a watch comes after 0.8 s or more.
  ASSERT_TRUE(Eventually([&] {
    const std::string body = Get("/readyz").body;
    return body.find("[-]watch-nodes") != std::string::npos && body.find("[-]watch-pods") != std::string::npos &&
           body.find("connection reset") == std::string::npos;
  }));
  const http::Answer answer = Get("/readyz");
  EXPECT_EQ(answer.status, 500);
  constexpr const char* kSince =
      " failed: broken since 20[0-9-]+T[0-9:]+Z \\([0-9]+ s\\): .*connect: connection refused\n";
  EXPECT_THAT(answer.body, ContainsRegex(std::string("\\[-\\]watch-nodes") + kSince));
  EXPECT_THAT(answer.body, ContainsRegex(std::string("\\[-\\]watch-pods") + kSince));
  EXPECT_THAT(answer.body, HasSubstr("[+]sched-handler-sync ok\n"));
  EXPECT_EQ(Get("/livez").status, 200) << "a restart would not help";

  server.ComeBack();
  EXPECT_TRUE(Becomes("/readyz", 200)) << "though nothing has happened in the cluster: " << Get("/readyz").body;
  server.Say(kPodsPath, "ADDED", PodJson("p1"));
  EXPECT_TRUE(Bound("p1"));
}

TEST_F(Health, IsReadyDuringAShortOutage) {
  options.watch_outage_timeout_ns = 3600 * base::kSecond;
  StartServing();
  server.GoAway();
  ASSERT_TRUE(Eventually([&] { return !daemon->trouble().empty(); }));
  EXPECT_EQ(Get("/readyz").status, 200);
}

TEST_F(Health, IsNotLiveWhileAStepDoesNotEnd) {
  options.step_timeout_ns = 200 * base::kMillisecond;
  std::binary_semaphore go_on(0);
  std::atomic<bool> stuck_before{false};
  fixture::ScriptOf("A").pre_filter = [&](fixture::Cycle&, const fixture::Pod&, sdk::NameSet&) {
    if (!stuck_before.exchange(true)) go_on.acquire();
    return fixture::Status::Ok();
  };
  StartServing();
  server.Say(kPodsPath, "ADDED", PodJson("p1"));
  EXPECT_TRUE(Becomes("/livez", 500));
  EXPECT_THAT(Get("/livez").body, ContainsRegex("\\[-\\]scheduling-thread failed: the scheduling thread has not ended "
                                                "its step for [0-9]+ s\n"));
  EXPECT_EQ(Get("/healthz").status, 500);
  go_on.release();
  EXPECT_TRUE(Becomes("/livez", 200));
  EXPECT_EQ(Get("/healthz").status, 200);
  End();
}

}  // namespace
}  // namespace berth::daemon

// The whole daemon over a scripted API server: lists, decisions, writes, and every way in which it may end.
#include "daemon/daemon.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "rig.h"
#include "scripted_server.h"

namespace berth::daemon {
namespace {

using fixture::Script;
using fixture::ScriptOf;
using http::Eventually;
using testing::Contains;
using testing::Not;

struct ADaemon : testing::Test {
  api::Vocabulary words;
  ScriptedServer server;
  DaemonOptions options;
  std::unique_ptr<Daemon> daemon;
  std::jthread running;

  ADaemon() {
    fixture::ClearScripts();
    fixture::BindThroughHost(ScriptOf("A"));
    options.requests = {-1, 1, 64};
    options.binding_threads = 2;
    options.hostname = "host";
    options.end_patience_ns = 300 * base::kMillisecond;
  }
  ~ADaemon() override { End(); }

  void Start() {
    daemon = std::make_unique<Daemon>(words, server, server, nullptr, options);
    auto profiles = fixture::BuildSet({{}}, daemon->services());
    ASSERT_TRUE(profiles) << profiles.error().message;
    daemon->SetProfiles(*profiles);
    running = std::jthread([this] { daemon->Run(); });
  }
  void End() {
    if (!daemon) return;
    daemon->RequestEnd();
    if (running.joinable()) running.join();
    daemon.reset();
  }
  void StartWithNode() {
    server.Say(kNodesPath, "ADDED", NodeJson("n1"));
    server.EndOfList(kNodesPath);
    server.EndOfList(kPodsPath);
    Start();
    ASSERT_TRUE(Eventually([&] { return daemon->handlers_synced(); }));
  }
  bool Bound(const std::string& pod) {
    return Eventually([&] { return server.Count("POST /api/v1/namespaces/default/pods/" + pod + "/binding") == 1; });
  }
};

TEST_F(ADaemon, BindsAndTellsOfIt) {
  StartWithNode();
  server.Say(kPodsPath, "ADDED", PodJson("p1"));
  EXPECT_TRUE(Bound("p1"));
  EXPECT_TRUE(Eventually([&] { return server.Count("POST /apis/events.k8s.io/v1/namespaces/default/events") == 1; }));
}

TEST_F(ADaemon, TriesNoPodBeforeBothListsAreWhole) {
  server.Say(kPodsPath, "ADDED", PodJson("p1"));
  server.EndOfList(kPodsPath);
  server.Say(kNodesPath, "ADDED", NodeJson("n1"));
  Start();
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  EXPECT_FALSE(daemon->handlers_synced());
  EXPECT_THAT(server.Lines(), testing::IsEmpty());
  server.EndOfList(kNodesPath);
  EXPECT_TRUE(Bound("p1"));
}

TEST_F(ADaemon, ForgetsWhatALaterListDoesNotHave) {
  StartWithNode();
  server.Say(kPodsPath, "ADDED", PodJson("old", "n1"));
  server.Forget(kPodsPath);
  server.Say(kPodsPath, "ADDED", PodJson("kept", "n1"));
  server.EndOfList(kPodsPath);
  std::atomic<size_t> pods{99};
  EXPECT_TRUE(Eventually([&] {
    daemon->engine().Post(engine::Task([&] { pods = daemon->engine().cache().n_pods(); }));
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    return pods == 1 && daemon->engine().synced();
  }));
  End();
}

TEST_F(ADaemon, LetsBindingsUnderWayEnd) {
  StartWithNode();
  options.end_patience_ns = 5 * base::kSecond;
  server.Hold();
  server.Say(kPodsPath, "ADDED", PodJson("p1"));
  ASSERT_TRUE(Bound("p1"));
  daemon->RequestEnd();
  server.Say(kPodsPath, "ADDED", PodJson("p2"));
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  server.Release();
  End();
  EXPECT_EQ(server.Count("/pods/p2/binding"), 0u);
  EXPECT_EQ(server.Count("POST /apis/events.k8s.io/v1/namespaces/default/events"), 1u) << "Scheduled of p1";
}

TEST_F(ADaemon, UnreservesWhatWaitsWhenItEnds) {
  std::atomic<int> unreserved{0};
  ScriptOf("A").permit = [](fixture::Cycle&, const fixture::Pod&, fixture::Id, std::chrono::nanoseconds& wait) {
    wait = std::chrono::hours(1);
    return fixture::Status::Wait();
  };
  ScriptOf("A").unreserve = [&](fixture::Cycle&, const fixture::Pod&, fixture::Id) { ++unreserved; };
  StartWithNode();
  server.Say(kPodsPath, "ADDED", PodJson("p1"));
  ASSERT_TRUE(Eventually([&] { return server.Count("PATCH /api/v1/namespaces/default/pods/p1/status") == 1; }))
      << "nominated while it waits";
  End();
  EXPECT_EQ(unreserved, 1);
  EXPECT_EQ(server.Count("/binding"), 0u);
  EXPECT_EQ(server.Count("/events"), 0u) << "that it failed is nobody's business";
}

TEST_F(ADaemon, UnreservesABindingThatDoesNotEnd) {
  std::atomic<int> unreserved{0};
  ScriptOf("A").unreserve = [&](fixture::Cycle&, const fixture::Pod&, fixture::Id) { ++unreserved; };
  StartWithNode();
  server.Hold();
  server.Say(kPodsPath, "ADDED", PodJson("p1"));
  ASSERT_TRUE(Bound("p1"));
  daemon->RequestEnd();
  ASSERT_TRUE(Eventually([&] { return unreserved == 1; }));
  server.Release();
  End();
  EXPECT_EQ(unreserved, 1);
}

TEST_F(ADaemon, MayEndBeforeItHasBegun) {
  Start();
  End();
}

}  // namespace
}  // namespace berth::daemon

// The whole daemon with a scripted API server: lists, decisions, writes, and the ways in which it ends.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <optional>

#include "berth/api.hpp"
#include "daemon_fixture.h"

namespace berth::daemon {
namespace {

using fixture::Script;
using fixture::ScriptOf;
using testing::Contains;
using testing::Not;

TEST_F(DaemonTest, BindsPodsAndWritesEvents) {
  StartWithNode();
  server.Say(kPodsPath, "ADDED", PodJson("p1"));
  EXPECT_TRUE(Bound("p1"));
  EXPECT_TRUE(Eventually([&] { return server.Count("POST /apis/events.k8s.io/v1/namespaces/default/events") == 1; }));
}

constexpr const char* kClassesPath = "/apis/storage.k8s.io/v1/storageclasses";
constexpr const char* kClass = R"({"metadata":{"name":"fast","resourceVersion":"3","managedFields":[]}})";

// Plugin A requires the StorageClass "fast" for its pods.
void WantClasses(sdk::ObjectKind& classes) {
  Script& script = ScriptOf("A");
  script.activate = [&](sdk::Objects& objects) {
    classes = objects.Need("storage.k8s.io", "v1", "storageclasses");
    return fixture::Status::Ok();
  };
  script.pre_filter = [&](fixture::Cycle&, const fixture::Pod&, sdk::NameSet&) {
    return fixture::ObjectsOf("A").Get(classes, "", "fast") ? fixture::Status::Ok()
                                                            : fixture::Status::Unresolvable("no class");
  };
  script.interests = {{"storage.k8s.io/StorageClass", BERTH_ACTION_ADD | BERTH_ACTION_DELETE}};
}

TEST_F(DaemonTest, WatchesTheKindsThatPluginsNeed) {
  sdk::ObjectKind classes = 0;
  WantClasses(classes);
  server.Say(kNodesPath, "ADDED", NodeJson("n1"));
  server.EndOfList(kNodesPath);
  server.Say(kPodsPath, "ADDED", PodJson("p1"));
  server.EndOfList(kPodsPath);
  // They come after the ends of both lists.
  server.Say(kNodesPath, "ADDED", NodeJson("n2"));
  server.Say(kPodsPath, "ADDED", PodJson("p2", "n2"));
  Start();
  ASSERT_TRUE(ReceivesNodes(2));
  ASSERT_TRUE(ReceivesPod("p2"));
  EXPECT_FALSE(OnSchedulingThread([](engine::Engine& engine) { return engine.synced(); }))
      << "a needed kind has not been listed";
  EXPECT_FALSE(daemon->handlers_synced());
  server.EndOfList(kClassesPath);
  ASSERT_TRUE(Eventually([&] { return daemon->handlers_synced(); }));
  ASSERT_TRUE(Eventually([&] { return server.Count("PATCH /api/v1/namespaces/default/pods/p1/status") == 1; }));
  server.Say(kClassesPath, "ADDED", kClass);
  EXPECT_TRUE(Bound("p1"));
}

TEST_F(DaemonTest, TreatsAnUnavailableKindAsEmpty) {
  sdk::ObjectKind classes = 0;
  WantClasses(classes);
  options.reading.unreadable_kind_timeout_ns = 20 * base::kMillisecond;
  server.Refuse(kClassesPath, 403);
  StartWithNode();
  server.Say(kPodsPath, "ADDED", PodJson("p1"));
  EXPECT_TRUE(Eventually([&] { return server.Count("PATCH /api/v1/namespaces/default/pods/p1/status") == 1; }));
  EXPECT_TRUE(Eventually([&] { return daemon->trouble().empty(); }));
}

TEST_F(DaemonTest, SchedulesNoPodBeforeBothListsAreComplete) {
  server.Say(kPodsPath, "ADDED", PodJson("p1"));
  server.EndOfList(kPodsPath);
  server.Say(kPodsPath, "ADDED", PodJson("p2", "n1"));  // it comes after the end of the list
  server.Say(kNodesPath, "ADDED", NodeJson("n1"));
  Start();
  ASSERT_TRUE(ReceivesNodes(1));
  ASSERT_TRUE(ReceivesPod("p2"));
  // A step tries a pod after it has read the inbox: the second step begins after the first one could have tried p1.
  for (int step = 0; step < 2; ++step) {
    EXPECT_EQ(OnSchedulingThread([](engine::Engine& engine) { return engine.queue().counts().active; }), 1u);
  }
  EXPECT_FALSE(daemon->handlers_synced());
  EXPECT_THAT(server.Lines(), testing::IsEmpty());
  server.EndOfList(kNodesPath);
  EXPECT_TRUE(Bound("p1"));
}

TEST_F(DaemonTest, RemovesObjectsMissingFromALaterList) {
  StartWithNode();
  server.Say(kPodsPath, "ADDED", PodJson("old", "n1"));
  server.Forget(kPodsPath);
  server.Say(kPodsPath, "ADDED", PodJson("kept", "n1"));
  server.EndOfList(kPodsPath);
  EXPECT_TRUE(Eventually([&] {
    return OnSchedulingThread([](engine::Engine& engine) { return engine.cache().n_pods() == 1 && engine.synced(); });
  }));
  EXPECT_TRUE(ReceivesPod("kept"));
  End();
}

TEST_F(DaemonTest, WaitsForOpenBindingsAtTheEnd) {
  options.shutdown_timeout_ns = 30 * base::kSecond;
  StartWithNode();
  server.Hold();
  server.Say(kPodsPath, "ADDED", PodJson("p1"));
  ASSERT_TRUE(Bound("p1"));
  daemon->RequestEnd();
  server.Say(kPodsPath, "ADDED", PodJson("p2"));
  ASSERT_TRUE(ReceivesPod("p2"));
  server.Release();
  End();
  EXPECT_EQ(server.Count("/pods/p2/binding"), 0u);
  EXPECT_EQ(server.Count("POST /apis/events.k8s.io/v1/namespaces/default/events"), 1u) << "Scheduled of p1";
}

TEST_F(DaemonTest, UnreservesWaitingPodsAtTheEnd) {
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
  EXPECT_EQ(server.Count("/events"), 0u) << "the failure causes no Event";
}

TEST_F(DaemonTest, UnreservesABindingThatDoesNotEnd) {
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

constexpr const char* kVolume = "PATCH /api/v1/persistentvolumes/pv";

// A's PreBind sends a request to the server, and ends with its answer.
void AskInPreBind(std::optional<sdk::Api>& api) {
  ScriptOf("A").pre_bind = [&api](fixture::Cycle&, const fixture::Pod& pod, fixture::Id, sdk::Op& op) {
    if (!api) api.emplace(fixture::HostOf("A"));
    api->Send({.verb = "PATCH",
               .resource = "persistentvolumes",
               .name = "pv",
               .content_type = sdk::kMergePatch,
               .body = "{}"},
              [&api, kept = std::move(op), subject = sdk::KeptPod(*api, pod)](const sdk::ApiReply& reply) mutable {
                if (reply.ok()) api->Event(subject, subject, "Normal", "Asked", "Asking", "a note");
                kept.Done(reply.ok() ? fixture::Status::Ok() : fixture::Status::Error(std::string(reply.message)));
              });
    return fixture::Status::Later();
  };
}

TEST_F(DaemonTest, SendsPluginsRequests) {
  std::optional<sdk::Api> api;
  AskInPreBind(api);
  StartWithNode();
  server.Say(kPodsPath, "ADDED", PodJson("p1"));
  EXPECT_TRUE(Bound("p1"));
  EXPECT_EQ(server.Count(kVolume), 1u);
  EXPECT_TRUE(Eventually([&] { return server.Count("POST /apis/events.k8s.io/v1/namespaces/default/events") == 2; }));
  End();
}

TEST_F(DaemonTest, AnswersPluginsRequestsAtTheEnd) {
  std::optional<sdk::Api> api;
  AskInPreBind(api);
  std::atomic<int> unreserved{0};
  ScriptOf("A").unreserve = [&](fixture::Cycle&, const fixture::Pod&, fixture::Id) { ++unreserved; };
  options.requests = {0.001, 1, 64};  // one request during the test
  StartWithNode();
  server.Say(kPodsPath, "ADDED", PodJson("p1"));
  ASSERT_TRUE(Eventually([&] { return server.Count("PATCH /api/v1/namespaces/default/pods/p1/status") == 1; }))
      << "nominated while PreBind works";
  const auto start = std::chrono::steady_clock::now();
  End();
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
  EXPECT_EQ(unreserved, 1);
  EXPECT_EQ(server.Count(kVolume), 0u);
}

TEST_F(DaemonTest, MayEndBeforeItRuns) {
  Start();
  End();
  EXPECT_THAT(server.Lines(), testing::IsEmpty());
}

}  // namespace
}  // namespace berth::daemon

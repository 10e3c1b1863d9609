// Tasks and requests through the C++ layer and the fakes: each posted one ends exactly once, in any order of shutdown.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "berth/api.hpp"
#include "berth/tasks.hpp"
#include "entries.h"

namespace berth::sdk::testing {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

struct Errand {
  static constexpr Info kInfo{.name = "errand"};
  static constexpr std::string_view kNeeds[] = {BERTH_SERVICE_TASKS, BERTH_SERVICE_API};
  static std::function<Status(Errand&, Op&)>& pre_bind() {
    static std::function<Status(Errand&, Op&)> act;
    return act;
  }
  static std::function<void(Errand&)>& reserve() {
    static std::function<void(Errand&)> act;
    return act;
  }
  explicit Errand(Host& host) : tasks(host), api(host) {}
  Status Reserve(Cycle&, const Pod& p, Id) {
    pod = p;
    reserve()(*this);
    return Status::Ok();
  }
  void Unreserve(Cycle&, const Pod&, Id) {}
  Status PreBind(Cycle&, const Pod&, Id, Op& op) { return pre_bind()(*this, op); }
  Tasks tasks;
  Api api;
  Pod pod;
};

class ErrandTest : public ::testing::Test {
 protected:
  ErrandTest() : plugin(TestPlugin<Errand>()) {
    plugin.cluster().Add(FakeNode("n1"));
    EXPECT_TRUE(plugin.Start().ok());
  }
  ~ErrandTest() override {
    plugin.Stop();  // ends the open tasks and requests; the plugin's destructor reports violations
    Errand::reserve() = nullptr;
    Errand::pre_bind() = nullptr;
  }
  void Do(std::function<void(Errand&)> act) {
    Errand::reserve() = std::move(act);
    attempt = plugin.Try(FakePod("p1").Namespace("default"));
    EXPECT_TRUE(attempt->Reserve("n1").ok());
  }
  FakeTasks& tasks() { return plugin.host().tasks(); }
  FakeApi& api() { return plugin.host().api(); }

  PluginUnderTest plugin;
  std::unique_ptr<Attempt> attempt;
  std::vector<std::string> told;
};

TEST_F(ErrandTest, TasksRunInTheOrderOfTheirTimesAndThenOfTheirPosts) {
  Do([&](Errand& e) {
    e.tasks.Post(seconds(2), [&] { told.push_back("b"); });
    e.tasks.Post(seconds(1), [&, &post = e.tasks] {
      told.push_back("a");
      post.Post(seconds(1), [&] { told.push_back("d"); });
    });
    e.tasks.Post(seconds(2), [&] { told.push_back("c"); });
    e.tasks.Post([&] { told.push_back("now"); });
  });
  EXPECT_THAT(told, IsEmpty());
  tasks().Advance();
  EXPECT_THAT(told, ElementsAre("now"));
  tasks().Advance(milliseconds(1999));
  EXPECT_THAT(told, ElementsAre("now", "a"));
  EXPECT_EQ(tasks().next(), 2'000'000'000);
  tasks().Advance(milliseconds(1));
  EXPECT_THAT(told, ElementsAre("now", "a", "b", "c", "d"));
  EXPECT_EQ(tasks().pending(), 0u);
}

TEST_F(ErrandTest, ATaskThatNeverRunsIsDestroyed) {
  auto held = std::make_shared<int>(1);
  Do([&](Errand& e) { e.tasks.Post(seconds(1), [this, held] { told.push_back("ran"); }); });
  EXPECT_EQ(held.use_count(), 2);
  plugin.Stop();
  EXPECT_EQ(held.use_count(), 1);
  EXPECT_THAT(told, IsEmpty());
}

TEST_F(ErrandTest, ATaskThatThrowsIsLogged) {
  Do([](Errand& e) { e.tasks.Post([] { throw std::runtime_error("no disk"); }); });
  tasks().Advance();
  ASSERT_EQ(plugin.host().Log().size(), 1u);
  EXPECT_EQ(plugin.host().Log()[0].message, "plugin errand: a task threw: no disk");
}

TEST_F(ErrandTest, ActivatesAndKnowsTheTime) {
  tasks().WallUnixNs(1000).Waiting({"u1"});
  std::vector<bool> answers;
  Do([&](Errand& e) {
    e.tasks.Post(seconds(1), [&, &post = e.tasks] {
      answers = {post.Activate("u1"), post.Activate("u2")};
      told.push_back(std::to_string(post.WallUnixNs()));
    });
  });
  tasks().Advance(seconds(1));
  EXPECT_THAT(answers, ElementsAre(true, false));
  EXPECT_THAT(tasks().activated(), ElementsAre("u1", "u2"));
  EXPECT_THAT(told, ElementsAre("1000001000"));
}

TEST_F(ErrandTest, ActivateIsASerialCall) {
  std::thread other;
  Do([&](Errand& e) { other = std::thread([&e] { (void)e.tasks.Activate("u1"); }); });
  other.join();
  EXPECT_THAT(plugin.Violations(), ElementsAre(HasSubstr("tasks activate() was called outside of any call")));
}

TEST_F(ErrandTest, RequestsAreRecordedAndAnsweredByTheTest) {
  Do([&](Errand& e) {
    const auto tell = [&](const ApiReply& reply) {
      told.push_back(std::to_string(reply.code) + " " + std::string(reply.reason) + " " + std::string(reply.message));
    };
    e.api.Send({.verb = "DELETE", .resource = "pods", .ns = "default", .name = "p1"}, tell);
    e.api.Send({.verb = "PATCH",
                .group = "storage.k8s.io",
                .resource = "things",
                .name = "t",
                .subresource = "status",
                .content_type = kMergePatch,
                .body = R"({"a":1})"},
               tell);
  });
  EXPECT_THAT(api().Lines(), ElementsAre("DELETE pods/default/p1", "PATCH storage.k8s.io/things/t/status"));
  EXPECT_EQ(api().requests()[1].body, R"({"a":1})");
  EXPECT_EQ(api().requests()[1].content_type, "application/merge-patch+json");
  api().Answer(1, FakeReply::Conflict("the object has been modified"));
  EXPECT_THAT(told, ElementsAre("409 Conflict the object has been modified"));
  EXPECT_EQ(api().unanswered(), 1u);
  EXPECT_THROW(api().Answer(1), std::logic_error);
  plugin.Stop();
  EXPECT_THAT(told, ElementsAre("409 Conflict the object has been modified", "0  the plugin's instance has ended"));
}

TEST_F(ErrandTest, PreBindThatWaitsForAReply) {
  Errand::pre_bind() = [](Errand& e, Op& op) {
    e.api.Send({.verb = "PATCH", .resource = "persistentvolumes", .name = "pv"},
               [kept = std::move(op)](const ApiReply& reply) mutable {
                 kept.Done(reply.ok() ? Status::Ok() : Status::Error(std::string(reply.message)));
               });
    return Status::Later();
  };
  const auto by_hand = plugin.Try(FakePod());
  const StartedCall call = by_hand->StartPreBind("n1");
  EXPECT_FALSE(call.ended());
  EXPECT_THROW(call.outcome(), std::logic_error);
  api().Answer(0, FakeReply::Failed("disk is gone"));
  EXPECT_EQ(call.outcome(), (Outcome{BERTH_ERROR, {"disk is gone"}}));

  api().AnswersBy([](const FakeRequest& r) { return r.name == "pv" ? FakeReply{} : FakeReply::NotFound(""); });
  EXPECT_TRUE(plugin.Try(FakePod())->PreBind("n1").ok());
}

TEST_F(ErrandTest, AKeptPodOutlivesItsAttempt) {
  KeptPod kept;
  Do([&](Errand& e) { kept = KeptPod(e.api, e.pod); });
  const KeptPod copy = kept;
  EXPECT_EQ(api().kept_pods(), 2u);
  const Api* through = nullptr;
  attempt.reset();
  EXPECT_EQ(copy->name(), "p1");
  Do([&](Errand& e) { through = &e.api; });
  through->Event(kept, copy, "Normal", "Preempted", "Preempting", "Preempted by pod u on node n1");
  through->Event(kept, Pod(), "Warning", "R", "A", "note");
  EXPECT_THAT(api().events(),
              ElementsAre("Normal Preempted Preempting default/p1 default/p1: Preempted by pod u on node n1",
                          "Warning R A default/p1 -: note"));
  kept = KeptPod();
  EXPECT_EQ(api().kept_pods(), 1u);
}

TEST_F(ErrandTest, WhatIsPostedAfterTheEndIsLetGoAtOnce) {
  Do([&](Errand& e) {
    tasks().End();
    api().End();
    e.tasks.Post([&] { told.push_back("ran"); });
    e.api.Send({.verb = "GET", .resource = "pods"}, [&](const ApiReply& r) { told.push_back(std::to_string(r.code)); });
  });
  EXPECT_THAT(told, ElementsAre("0"));
}

}  // namespace
}  // namespace berth::sdk::testing

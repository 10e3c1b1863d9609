// Generations of policy that come into force while pods are being scheduled.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <stdexcept>

#include "rig.h"

namespace berth::fixture {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::UnorderedElementsAre;

// Args that differ, as far as an instance can tell: a new one has to be made.
constexpr plugin::FaultPolicy kOtherwise{2 * base::kSecond, 0}, kStrict{2 * base::kSecond, 1};

class PublicationTest : public testing::Test {
 protected:
  void TearDown() override { rig_.reset(); }  // instances tell while they go
  void Begin(std::vector<ProfilePlan> plans) { rig_.emplace(std::move(plans)); }
  Rig& rig() { return *rig_; }
  engine::Engine& engine() { return rig_->simulation->engine(); }

  // Made in full knowledge of what is in force, then offered; how it ended is known after the next Run.
  void Offer(const std::vector<ProfilePlan>& plans) {
    end_.reset();
    const framework::ProfileSet& before = engine().profiles();
    auto set = BuildSet(plans, rig_->services, before.generation + 1, &before);
    ASSERT_TRUE(set) << set.error().message;
    engine().OfferProfiles(std::move(*set), [this](base::Result<void> end) { end_ = std::move(end); });
  }
  std::string End() const { return !end_ ? "open" : *end_ ? "in force" : end_->error().message; }
  void HearHolder() {
    ScriptOfHolder().tell = [this](const std::string& what) { told_.push_back(what); };
  }

  std::optional<Rig> rig_;
  std::optional<base::Result<void>> end_;
  std::vector<std::string> told_;
};

TEST_F(PublicationTest, TheNextPodIsDecidedByTheNewGeneration) {
  Begin({{}});
  ScriptOf("A").score = [](Cycle&, const Pod&, sdk::Node node) {
    return HostOf("A").Text(node.name()) == "n1" ? 9 : 0;
  };
  ScriptOf("B").score = [](Cycle&, const Pod&, sdk::Node node) {
    return HostOf("B").Text(node.name()) == "n2" ? 9 : 0;
  };
  rig().AddNodes({"n1", "n2"});
  rig().AddPod("p1");
  rig().Run();
  Offer({{.plugins = {"A", "B"}, .weights = {1, 5}}});
  rig().AddPod("p2");
  rig().Run();
  EXPECT_EQ(End(), "in force");
  EXPECT_THAT(rig().story.Lines(), ElementsAre("p1 Scheduled n1", "p2 Scheduled n2"));
  EXPECT_EQ(rig().story.entries[0].generation, 1u);
  EXPECT_EQ(rig().story.entries[1].generation, 2u);
}

TEST_F(PublicationTest, WhatStaysTheSameIsTheSameInstance) {
  Begin({{.plugins = {"A", "B"}, .holder = "H"}});
  rig().AddNodes({"n1", "n2"});
  rig().AddPod("p1");
  rig().Run();
  const auto before = engine().profiles().profiles[0];
  Offer({{.plugins = {"B", "A", "C"}, .weights = {3, 1, 1}, .holder = "H"}});
  rig().AddPod("p2");
  rig().Run();
  ASSERT_EQ(End(), "in force");
  const auto after = engine().profiles().profiles[0];
  for (const char* name : {"A", "B", "H", "FIFO"}) {
    const base::Id id = rig().words.ids.Find(name);
    EXPECT_EQ(before->Find(id), after->Find(id)) << name;
  }
  // The rig's consistency checker has compared H's counts with a fresh instance's: it was not told anything twice.
}

TEST_F(PublicationTest, ANewInstanceKnowsTheClusterBeforeItIsAsked) {
  Begin({{.holder = "H"}});
  HearHolder();
  rig().AddNodes({"n1", "n2", "n3"});
  rig().AddPod("p1");
  rig().Run();
  Offer({{.holder = "H", .holder_faults = kOtherwise}});
  rig().AddNodes({"n4"});
  rig().AddPod("p2");
  rig().Run();
  EXPECT_EQ(End(), "in force");
  EXPECT_THAT(told_, ElementsAre(HasSubstr("4 nodes, 1 pods"))) << "the old one's state was handed over at that moment";
}

TEST_F(PublicationTest, AnInstanceThatFailsWhileItIsToldNeverDecides) {
  Begin({{.holder = "H"}});
  rig().AddNodes({"n1"});
  rig().Run();
  Offer({{.holder = "H", .holder_faults = kOtherwise}});
  const auto before = engine().profiles().profiles[0];
  ScriptOfHolder().on_deltas = [] { throw std::runtime_error("no"); };
  for (int step = 0; step < 100 && !end_; ++step) engine().Step();
  ScriptOfHolder().on_deltas = nullptr;
  rig().Run();
  EXPECT_EQ(End(), "plugin \"H\" failed while it was told what the cluster has");
  EXPECT_EQ(engine().profiles().profiles[0], before);
}

// p1 waits in Permit, the offer is made while p2 is tried, p3 lets p1 go.
class OpenAttemptTest : public PublicationTest {
 protected:
  void Play(const std::vector<ProfilePlan>& next, const std::function<void()>& before_p3) {
    HearHolder();
    ScriptOf("A").permit = [=, this](Cycle&, const Pod& pod, Id, std::chrono::nanoseconds& wait) {
      if (pod.name() == "p1") {
        wait = std::chrono::seconds(60);
        return Status::Wait();
      }
      if (pod.name() == "p2") Offer(next);
      if (pod.name() == "p3") {
        before_p3();
        EXPECT_TRUE(HostOf("A").AllowWaiting("pod-p1"));
      }
      return Status::Ok();
    };
    rig().AddNodes({"n1"});
    for (const char* name : {"p1", "p2", "p3"}) rig().AddPod(name);
    rig().Run();
  }
};

TEST_F(OpenAttemptTest, IsHandedOverAndSettled) {
  Begin({{.holder = "H"}});
  Play({{.holder = "H", .holder_faults = kOtherwise}}, [&] { EXPECT_EQ(End(), "in force"); });
  EXPECT_THAT(told_, ElementsAre(HasSubstr("1 nodes, 2 pods"), "adopt p1 n1 from-n1", "settle p1 bound"));
  EXPECT_THAT(rig().story.Lines(), UnorderedElementsAre("p1 Scheduled n1", "p2 Scheduled n1", "p3 Scheduled n1"));
}

// A's reservations are its own, and its successor would not know of them.
TEST_F(OpenAttemptTest, IsWaitedForWhenItCannotBeHandedOver) {
  Begin({{.plugins = {"A"}}});
  Play({{.plugins = {"A"}, .faults = kOtherwise}}, [&] { EXPECT_EQ(End(), "open"); });
  EXPECT_EQ(End(), "in force");
  EXPECT_EQ(rig().story.entries.size(), 3u);
  for (const simulate::AttemptEntry& entry : rig().story.entries) EXPECT_EQ(entry.generation, 1u);
}

TEST_F(OpenAttemptTest, EndsWithTheGenerationItBeganWith) {
  Begin({{.plugins = {"A", "B"}}});
  std::vector<std::string> asked;
  ScriptOf("B").post_bind = [&](Cycle&, const Pod& pod, Id) { asked.emplace_back(pod.name()); };
  Play({{.plugins = {"A"}}}, [&] { EXPECT_EQ(End(), "in force"); });
  EXPECT_THAT(asked, UnorderedElementsAre("p1", "p2"));
}

// The successor of "S" is told of nothing that is handed over, and waits for no attempt: it shares what "S" holds.
TEST_F(OpenAttemptTest, IsNothingToWaitForWhenTheSuccessorWasPrepared) {
  Begin({{.holder = "S"}});
  Play({{.holder = "S", .holder_faults = kOtherwise}}, [&] { EXPECT_EQ(End(), "in force"); });
  EXPECT_THAT(told_, ElementsAre("prepare", "commit 1 of 1 nodes, holds p1 p2", "gone"));
  EXPECT_THAT(rig().story.Lines(), UnorderedElementsAre("p1 Scheduled n1", "p2 Scheduled n1", "p3 Scheduled n1"));
}

class SuccessionTest : public PublicationTest {
 protected:
  void SetUp() override {
    Begin({{.holder = "S"}});
    HearHolder();
    rig().AddNodes({"n1", "n2"});
    rig().AddPod("p1");
    rig().Run();
  }
  std::shared_ptr<plugin::Instance> InForce() {
    return engine().profiles().profiles[0]->Share(rig().words.ids.Find("S"));
  }
  // The first fault is its last.
  void PutStrictInForce() {
    Offer({{.holder = "S", .holder_faults = kStrict}});
    rig().Run();
    ASSERT_EQ(End(), "in force");
    told_.clear();
  }
  const std::vector<ProfilePlan> next_{{.holder = "S", .holder_faults = kOtherwise}};
};

TEST_F(SuccessionTest, IsCommittedWhenItComesIntoForce) {
  Offer(next_);
  EXPECT_THAT(told_, ElementsAre("prepare"));
  rig().AddPod("p2");
  rig().Run();
  EXPECT_EQ(End(), "in force");
  EXPECT_THAT(told_, ElementsAre("prepare", "commit 2 of 2 nodes, holds p1", "gone"));
}

TEST_F(SuccessionTest, IsLetGoUncommittedWhenItIsGivenUp) {
  Offer(next_);
  engine().WithdrawOffer();
  rig().Run();
  EXPECT_EQ(End(), "withdrawn");
  EXPECT_THAT(told_, ElementsAre("prepare", "gone"));
  rig().AddPod("p2");
  rig().Run();
  EXPECT_EQ(rig().story.Lines().back(), "p2 Scheduled n2") << "the one in force decides on";
}

TEST_F(SuccessionTest, RefusesTheChangeForItsReason) {
  ScriptOfHolder().on_prepare = [] { throw std::runtime_error("not these args"); };
  int quarantined = 0;
  rig().services.on_quarantine = [&](const plugin::Instance&) { ++quarantined; };
  const framework::ProfileSet& before = engine().profiles();
  const auto set = BuildSet({{.holder = "S", .holder_faults = kStrict}}, rig().services, 2, &before);
  EXPECT_EQ(quarantined, 0) << "the same bytes are in force";
  ASSERT_FALSE(set);
  EXPECT_THAT(set.error().message, AllOf(HasSubstr("initializing plugin \"S\""), HasSubstr("not these args")));
  EXPECT_EQ(before.profiles[0]->Share(rig().words.ids.Find("S"))->faults(), 0u) << "nor is it the other's fault";
}

TEST_F(SuccessionTest, IsNotAskedOfOneThatFailedInWhatIsTakenBack) {
  Offer({{.holder = "S", .holder_faults = kOtherwise, .anew = true}});
  rig().Run();
  EXPECT_THAT(told_, Contains("prepare")) << "this one has not failed";
  told_.clear();
  InForce()->Fault("Reserve", "made up");
  Offer({{.holder = "S", .anew = true}});
  rig().Run();
  EXPECT_EQ(End(), "in force");
  EXPECT_THAT(told_, ElementsAre("gone"));
}

TEST_F(SuccessionTest, IsGivenUpWhenTheOneBeforeComesIntoQuarantine) {
  PutStrictInForce();
  Offer(next_);
  InForce()->Fault("Reserve", "made up");
  rig().Run();
  EXPECT_EQ(End(), "plugin \"S\" was put into quarantine while its successor was prepared");
  EXPECT_THAT(told_, ElementsAre("prepare", "gone"));
}

// Whatever a plugin does at its end: it ends.
TEST_F(SuccessionTest, IsDestroyedThoughItsEndIsAFault) {
  PutStrictInForce();
  ScriptOfHolder().on_deactivate = [] { throw std::runtime_error("never"); };
  int quarantined = 0;
  rig().services.on_quarantine = [&](const plugin::Instance&) { ++quarantined; };
  Offer({{}});
  rig().Run();
  EXPECT_EQ(End(), "in force");
  EXPECT_THAT(told_, ElementsAre("gone"));
  EXPECT_EQ(quarantined, 0);
}

TEST_F(SuccessionTest, IsNotAskedOfOneInQuarantine) {
  PutStrictInForce();
  InForce()->Fault("Reserve", "made up");
  ASSERT_TRUE(InForce()->quarantined());
  Offer(next_);
  rig().Run();
  EXPECT_EQ(End(), "in force");
  EXPECT_THAT(told_, testing::Not(Contains("prepare")));
}

TEST_F(PublicationTest, WhoWasRejectedByWhatIsGoneIsTriedAgain) {
  Begin({{.plugins = {"A", "B"}}});
  ScriptOf("B").filter = [](Cycle& c, const Pod&, sdk::Node, sdk::Verdict& verdict) {
    verdict = sdk::Verdict::Unschedulable(c.Reasons("never"));
    return Status::Ok();
  };
  rig().AddNodes({"n1"});
  rig().AddPod("p1");
  rig().Run();
  Offer({{.plugins = {"A"}}});
  rig().Run();
  EXPECT_THAT(rig().story.Lines(),
              ElementsAre("p1 Unschedulable 0/1 nodes are available: 1 never.", "p1 Scheduled n1"));
}

TEST_F(PublicationTest, WhoWasRejectedByWhatStaysIsNot) {
  Begin({{.plugins = {"A", "B"}}});
  ScriptOf("A").filter = [](Cycle& c, const Pod&, sdk::Node, sdk::Verdict& verdict) {
    verdict = sdk::Verdict::Unschedulable(c.Reasons("never"));
    return Status::Ok();
  };
  rig().AddNodes({"n1"});
  rig().AddPod("p1");
  rig().Run();
  Offer({{.plugins = {"A"}}});
  rig().Run();
  EXPECT_EQ(End(), "in force");
  EXPECT_EQ(rig().story.Lines().size(), 1u);
}

TEST_F(PublicationTest, AProfileThatIsAddedServesPodsThatCameBefore) {
  Begin({{}});
  rig().AddNodes({"n1"});
  rig().AddPod("p1", R"("schedulerName":"other")");
  rig().Run();
  Offer({{}, {.scheduler_name = "other"}});
  rig().Run();
  EXPECT_EQ(rig().story.Lines().back(), "p1 Scheduled n1");
}

TEST_F(PublicationTest, AProfileThatIsRemovedLetsItsPodsGo) {
  Begin({{}, {.scheduler_name = "other"}});
  ScriptOf("A").filter = [](Cycle& c, const Pod&, sdk::Node, sdk::Verdict& verdict) {
    verdict = sdk::Verdict::Unschedulable(c.Reasons("never"));
    return Status::Ok();
  };
  rig().AddNodes({"n1"});
  rig().AddPod("p1", R"("schedulerName":"other")");
  rig().AddPod("p2");
  rig().Run();
  EXPECT_NE(engine().queue().Find("default/p1"), nullptr);
  Offer({{}});
  rig().Run();
  EXPECT_EQ(End(), "in force");
  EXPECT_EQ(engine().queue().Find("default/p1"), nullptr);
  EXPECT_NE(engine().queue().Find("default/p2"), nullptr);
  EXPECT_EQ(rig().story.entries.back().result, "Unserved");
}

TEST_F(PublicationTest, ASecondOfferEndsTheFirst) {
  Begin({{}});
  rig().AddNodes({"n1"});
  rig().Run();
  const framework::ProfileSet& before = engine().profiles();
  std::vector<std::string> ends;
  for (uint64_t generation : {2u, 3u}) {
    auto set = BuildSet({{}}, rig().services, generation, &before);
    ASSERT_TRUE(set);
    engine().OfferProfiles(std::move(*set), [&ends, generation](const base::Result<void>& end) {
      ends.push_back(std::to_string(generation) + (end ? " in force" : " " + end.error().message));
    });
  }
  rig().Run();
  EXPECT_THAT(ends, ElementsAre("2 another generation was offered", "3 in force"));
  EXPECT_EQ(engine().profiles().generation, 3u);
}

}  // namespace
}  // namespace berth::fixture

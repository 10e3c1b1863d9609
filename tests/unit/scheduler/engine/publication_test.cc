// Policies that the engine publishes while it schedules pods.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <optional>
#include <stdexcept>
#include <thread>

#include "test_scheduler.h"

namespace berth::fixture {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::UnorderedElementsAre;

// Different args, so that the candidate needs a new instance.
constexpr plugin::FaultPolicy kOtherwise{2 * base::kSecond, 0}, kStrict{2 * base::kSecond, 1};

class PublicationTest : public testing::Test {
 protected:
  void TearDown() override { rig_.reset(); }  // instances record their end
  void Begin(std::vector<ProfilePlan> plans) { rig_.emplace(std::move(plans), TestScheduler::ObservedBy(faults_)); }
  TestScheduler& rig() { return *rig_; }
  engine::Engine& engine() { return rig_->simulation->engine(); }

  // Builds a candidate from the published policy and submits it. Its end is known after the next Run.
  void Offer(const std::vector<ProfilePlan>& plans) {
    end_.reset();
    const framework::ProfileSet& before = engine().profiles();
    auto set = BuildSet(plans, rig_->services, before.generation + 1, &before);
    ASSERT_TRUE(set) << set.error().message;
    engine().SubmitCandidate(std::move(*set), [this](base::Result<void> end) { end_ = std::move(end); });
  }
  std::string End() const { return !end_ ? "open" : *end_ ? "active" : end_->error().message; }
  void HearHolder() {
    ScriptOfHolder().tell = [this](const std::string& what) { told_.push_back(what); };
  }

  FaultLog faults_;
  std::optional<TestScheduler> rig_;
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
  EXPECT_EQ(End(), "active");
  EXPECT_THAT(rig().story.Lines(), ElementsAre("p1 Scheduled n1", "p2 Scheduled n2"));
  EXPECT_EQ(rig().story.entries[0].generation, 1u);
  EXPECT_EQ(rig().story.entries[1].generation, 2u);
}

TEST_F(PublicationTest, AnUnchangedPluginKeepsItsInstance) {
  Begin({{.plugins = {"A", "B"}, .holder = "H"}});
  rig().AddNodes({"n1", "n2"});
  rig().AddPod("p1");
  rig().Run();
  const auto before = engine().profiles().profiles[0];
  Offer({{.plugins = {"B", "A", "C"}, .weights = {3, 1, 1}, .holder = "H"}});
  rig().AddPod("p2");
  rig().Run();
  ASSERT_EQ(End(), "active");
  const auto after = engine().profiles().profiles[0];
  for (const char* name : {"A", "B", "H", "FIFO"}) {
    const base::Id id = rig().intern.ids.Find(name);
    EXPECT_EQ(before->Find(id), after->Find(id)) << name;
  }
  // The rig's consistency check has compared H's counts with those of a second instance: H got nothing twice.
}

TEST_F(PublicationTest, ANewInstanceKnowsTheClusterBeforeItsFirstCall) {
  Begin({{.holder = "H"}});
  HearHolder();
  rig().AddNodes({"n1", "n2", "n3"});
  rig().AddPod("p1");
  rig().Run();
  Offer({{.holder = "H", .holder_faults = kOtherwise}});
  rig().AddNodes({"n4"});
  rig().AddPod("p2");
  rig().Run();
  EXPECT_EQ(End(), "active");
  EXPECT_THAT(told_, ElementsAre(HasSubstr("4 nodes, 1 pods"))) << "the old one's state was handed over at that moment";
}

TEST_F(PublicationTest, AFaultInTheInitialSyncEndsTheCandidate) {
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

// p1 waits on Permit, the test submits the candidate during the attempt of p2, and p3 allows p1.
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
  Play({{.holder = "H", .holder_faults = kOtherwise}}, [&] { EXPECT_EQ(End(), "active"); });
  EXPECT_THAT(told_, ElementsAre(HasSubstr("1 nodes, 2 pods"), "adopt p1 n1 from-n1", "settle p1 bound"));
  EXPECT_THAT(rig().story.Lines(), UnorderedElementsAre("p1 Scheduled n1", "p2 Scheduled n1", "p3 Scheduled n1"));
}

// A keeps its reservations in the instance, and the instance that replaces it would not know them.
TEST_F(OpenAttemptTest, IsWaitedForWhenItCannotBeHandedOver) {
  Begin({{.plugins = {"A"}}});
  Play({{.plugins = {"A"}, .faults = kOtherwise}}, [&] { EXPECT_EQ(End(), "open"); });
  EXPECT_EQ(End(), "active");
  EXPECT_EQ(rig().story.entries.size(), 3u);
  for (const results::AttemptEntry& entry : rig().story.entries) EXPECT_EQ(entry.generation, 1u);
}

TEST_F(OpenAttemptTest, EndsWithTheGenerationOfItsStart) {
  Begin({{.plugins = {"A", "B"}}});
  std::vector<std::string> asked;
  ScriptOf("B").post_bind = [&](Cycle&, const Pod& pod, Id) { asked.emplace_back(pod.name()); };
  Play({{.plugins = {"A"}}}, [&] { EXPECT_EQ(End(), "active"); });
  EXPECT_THAT(asked, UnorderedElementsAre("p1", "p2"));
}

// The successor of "S" gets no handover and waits for no attempt: it shares the state of "S".
TEST_F(OpenAttemptTest, DoesNotDelayAPreparedSuccessor) {
  Begin({{.holder = "S"}});
  Play({{.holder = "S", .holder_faults = kOtherwise}}, [&] { EXPECT_EQ(End(), "active"); });
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
  std::shared_ptr<plugin::Instance> Current() {
    return engine().profiles().profiles[0]->Share(rig().intern.ids.Find("S"));
  }
  // Publishes an instance that one fault puts into quarantine.
  void PublishStrict() {
    Offer({{.holder = "S", .holder_faults = kStrict}});
    rig().Run();
    ASSERT_EQ(End(), "active");
    told_.clear();
  }
  const std::vector<ProfilePlan> next_{{.holder = "S", .holder_faults = kOtherwise}};
};

TEST_F(SuccessionTest, IsCommittedWhenItIsPublished) {
  Offer(next_);
  EXPECT_THAT(told_, ElementsAre("prepare"));
  rig().AddPod("p2");
  rig().Run();
  EXPECT_EQ(End(), "active");
  EXPECT_THAT(told_, ElementsAre("prepare", "commit 2 of 2 nodes, holds p1", "gone"));
}

TEST_F(SuccessionTest, IsReleasedUncommittedWhenTheCandidateEnds) {
  Offer(next_);
  engine().WithdrawCandidate();
  rig().Run();
  EXPECT_EQ(End(), "withdrawn");
  EXPECT_THAT(told_, ElementsAre("prepare", "gone"));
  rig().AddPod("p2");
  rig().Run();
  EXPECT_EQ(rig().story.Lines().back(), "p2 Scheduled n2") << "the active instance decides as before";
}

TEST_F(SuccessionTest, RejectsTheChangeWithAReason) {
  ScriptOfHolder().on_prepare = [] { throw std::runtime_error("not these args"); };
  const framework::ProfileSet& before = engine().profiles();
  const auto set = BuildSet({{.holder = "S", .holder_faults = kStrict}}, rig().services, 2, &before);
  EXPECT_EQ(faults_.quarantined, 0) << "the same bytes are active";
  ASSERT_FALSE(set);
  EXPECT_THAT(set.error().message, AllOf(HasSubstr("initializing plugin \"S\""), HasSubstr("not these args")));
  EXPECT_EQ(before.profiles[0]->Share(rig().intern.ids.Find("S"))->faults(), 0u) << "the active instance has no fault";
}

TEST_F(SuccessionTest, IsNotPreparedInARollbackByAnInstanceWithFaults) {
  Offer({{.holder = "S", .holder_faults = kOtherwise, .recreate_faulty = true}});
  rig().Run();
  EXPECT_THAT(told_, Contains("prepare")) << "this one has not failed";
  told_.clear();
  Current()->Fault("Reserve", "made up");
  Offer({{.holder = "S", .recreate_faulty = true}});
  rig().Run();
  EXPECT_EQ(End(), "active");
  EXPECT_THAT(told_, ElementsAre("gone"));
}

TEST_F(SuccessionTest, EndsWhenThePredecessorIsQuarantined) {
  PublishStrict();
  Offer(next_);
  Current()->Fault("Reserve", "made up");
  rig().Run();
  EXPECT_EQ(End(), "plugin \"S\" was put into quarantine while its successor was prepared");
  EXPECT_THAT(told_, ElementsAre("prepare", "gone"));
}

// A fault in Deactivate does not keep the host from destroying the instance.
TEST_F(SuccessionTest, IsDestroyedAfterAFaultInDeactivate) {
  PublishStrict();
  ScriptOfHolder().on_deactivate = [] { throw std::runtime_error("never"); };
  Offer({{}});
  rig().Run();
  EXPECT_EQ(End(), "active");
  EXPECT_THAT(told_, ElementsAre("gone"));
  EXPECT_EQ(faults_.quarantined, 0);
}

TEST_F(SuccessionTest, IsNotPreparedByAQuarantinedInstance) {
  PublishStrict();
  Current()->Fault("Reserve", "made up");
  ASSERT_TRUE(Current()->quarantined());
  Offer(next_);
  rig().Run();
  EXPECT_EQ(End(), "active");
  EXPECT_THAT(told_, testing::Not(Contains("prepare")));
}

// B opens the columns of these labels in activate.
void OpenInActivate(std::vector<std::string> labels) {
  ScriptOf("B").activate = [labels = std::move(labels)](sdk::Objects&) {
    for (const std::string& label : labels) HostOf("B").OpenColumn(BERTH_NODE_LABEL, HostOf("B").Intern(label));
    return Status::Ok();
  };
}

class LabelColumnTest : public PublicationTest {
 protected:
  void SetUp() override {
    Begin({{}});
    SetZone("n1", "east");
    SetZone("n2", "west");
    rig().Run();
  }
  void SetZone(const std::string& node, const std::string& zone) {
    rig().cluster.SetNode(MakeNode(rig().intern, node, "", R"("labels":{"zone":")" + zone + R"("})"));
  }
  bool IsOpen(const char* label) {
    berth_column column{};
    const base::OwnedId key(rig().intern.ids, label);
    return engine().cache().FindColumn(BERTH_NODE_LABEL, key.get(), &column);
  }
  const std::vector<ProfilePlan> with_b_{{.plugins = {"A", "B"}}};
};

TEST_F(LabelColumnTest, IsThereForTheFirstPodOfTheNewGeneration) {
  OpenInActivate({"zone"});
  ScriptOf("B").score = [](Cycle& c, const Pod&, sdk::Node node) {
    const auto zones = c.snap().Ids(BERTH_NODE_LABEL, HostOf("B").Intern("zone"));
    return zones && HostOf("B").Text((*zones)[node.row()]) == "west" ? 9 : 0;
  };
  Offer(with_b_);
  EXPECT_FALSE(IsOpen("zone")) << "the thread that builds a candidate must not change the cache";
  SetZone("n1", "west");
  SetZone("n2", "east");
  rig().AddPod("p1");
  rig().Run();
  ASSERT_EQ(End(), "active");
  EXPECT_THAT(rig().story.Lines(), ElementsAre("p1 Scheduled n1"));
}

TEST_F(LabelColumnTest, IsNotOpenedForAWithdrawnCandidate) {
  OpenInActivate({"zone"});
  Offer(with_b_);
  engine().WithdrawCandidate();
  rig().Run();
  EXPECT_EQ(End(), "withdrawn");
  EXPECT_FALSE(IsOpen("zone"));
}

TEST_F(LabelColumnTest, IsRefusedOutsideOfActivate) {
  ScriptOf("A").pre_filter = [](Cycle&, const Pod&, sdk::NameSet&) {
    HostOf("A").OpenColumn(BERTH_NODE_LABEL, HostOf("A").Intern("zone"));
    return Status::Ok();
  };
  rig().AddPod("p1");
  rig().Run();
  EXPECT_THAT(rig().story.entries.front().message, HasSubstr("the host refused to open column 12 with key \"zone\""));
  EXPECT_FALSE(IsOpen("zone"));
}

// Under the thread sanitizer, this proves that activate and the cycles share nothing.
TEST_F(LabelColumnTest, IsOpenedWhileNodesChange) {
  std::vector<std::string> labels;
  for (int i = 0; i < 1000; ++i) labels.push_back("label-" + std::to_string(i));
  OpenInActivate(labels);
  std::atomic<bool> offered{false};
  std::thread watcher([&] {
    Offer(with_b_);
    offered = true;
  });
  for (int i = 0; !offered; ++i) {
    SetZone("n1", "zone-" + std::to_string(i));
    if (i < 100) rig().AddPod("p" + std::to_string(i));
    rig().Run();
  }
  watcher.join();
  rig().Run();
  EXPECT_EQ(End(), "active");
  for (const std::string& label : labels) EXPECT_TRUE(IsOpen(label.c_str())) << label;
}

TEST_F(PublicationTest, APodRejectedByARemovedPluginIsTriedAgain) {
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

TEST_F(PublicationTest, APodRejectedByAnUnchangedPluginIsNotTriedAgain) {
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
  EXPECT_EQ(End(), "active");
  EXPECT_EQ(rig().story.Lines().size(), 1u);
}

TEST_F(PublicationTest, AnAddedProfileSchedulesEarlierPods) {
  Begin({{}});
  rig().AddNodes({"n1"});
  rig().AddPod("p1", R"("schedulerName":"other")");
  rig().Run();
  Offer({{}, {.scheduler_name = "other"}});
  rig().Run();
  EXPECT_EQ(rig().story.Lines().back(), "p1 Scheduled n1");
}

TEST_F(PublicationTest, ARemovedProfileDropsItsPods) {
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
  EXPECT_EQ(End(), "active");
  EXPECT_EQ(engine().queue().Find("default/p1"), nullptr);
  EXPECT_NE(engine().queue().Find("default/p2"), nullptr);
  EXPECT_EQ(rig().story.entries.back().result, "Unserved");
}

TEST_F(PublicationTest, ASecondCandidateEndsTheFirst) {
  Begin({{}});
  rig().AddNodes({"n1"});
  rig().Run();
  const framework::ProfileSet& before = engine().profiles();
  std::vector<std::string> ends;
  for (uint64_t generation : {2u, 3u}) {
    auto set = BuildSet({{}}, rig().services, generation, &before);
    ASSERT_TRUE(set);
    engine().SubmitCandidate(std::move(*set), [&ends, generation](const base::Result<void>& end) {
      ends.push_back(std::to_string(generation) + (end ? " active" : " " + end.error().message));
    });
  }
  rig().Run();
  EXPECT_THAT(ends, ElementsAre("2 another generation was offered", "3 active"));
  EXPECT_EQ(engine().profiles().generation, 3u);
}

}  // namespace
}  // namespace berth::fixture

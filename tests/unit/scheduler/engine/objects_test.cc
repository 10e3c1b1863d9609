// Objects other than pods and nodes: plugins list them, plugins get their changes, and their events move pods.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "simulator/manifests/manifest_loader.h"
#include "simulator/simulation/manifest_feed.h"
#include "test_scheduler.h"

namespace berth::fixture {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

json::Value Json(const std::string& text) { return *json::Parse(text); }
json::Value Claim(const std::string& name, const std::string& spec = "{}") {
  return Json(R"({"metadata": {"name": ")" + name + R"(", "namespace": "default", "uid": "u-)" + name +
              R"("}, "spec": )" + spec + "}");
}

// A looks up the claim with the pod's name in PreFilter and records all changes of claims.
class Objects : public testing::Test {
 protected:
  explicit Objects(const std::vector<ProfilePlan>& plans = {{}})
      : rig(plans, TestScheduler::DefaultOptions(), [this] {
          ScriptOf("A").activate = [this](sdk::Objects& objects) {
            claims = objects.Need("", "v1", "persistentvolumeclaims");
            services = objects.Need("", "v1", "services");
            return Status::Ok();
          };
          ScriptOf("A").interests = {
              {"PersistentVolumeClaim", BERTH_ACTION_ADD | BERTH_ACTION_UPDATE | BERTH_ACTION_DELETE}};
        }) {
    ScriptOf("A").pre_filter = [this](Cycle&, const Pod& pod, sdk::NameSet&) {
      const sdk::Object claim = ObjectsOf("A").Get(claims, "default", pod.name());
      if (!claim) return Status::Unresolvable("no claim");
      if (claim.At("spec", "ready").AsBool()) return Status::Ok();
      return Status::Unresolvable("not ready");
    };
    ScriptOf("A").object_changed = [this](sdk::ObjectKind kind, sdk::Object before, sdk::Object now) {
      told.push_back((kind == claims ? "claim " : "service ") + Name(before) + " -> " + Name(now));
    };
    rig.AddNodes({"n1"});
  }
  static std::string Name(sdk::Object object) {
    return object ? std::string(object.name()) + Ready(object.value()) : "-";
  }
  static std::string Ready(sdk::Value value) { return value.Get("spec").Get("ready").AsBool() ? "!" : ""; }

  sdk::ObjectKind claims = 0, services = 0;
  std::vector<std::string> told;
  TestScheduler rig;
};

TEST_F(Objects, BeforeThePodAreListed) {
  rig.cluster.SetObject(claims, Claim("p", R"({"ready": true})"));
  rig.AddPod("p");
  rig.Run();
  EXPECT_THAT(rig.story.Lines(), ElementsAre("p Scheduled n1"));
  EXPECT_THAT(told, ElementsAre("claim - -> p!"));
}

TEST_F(Objects, ChangesMoveThePodsThatTheyMayHelp) {
  std::vector<std::string> hinted;
  ScriptOf("A").hint = [&](Cycle&, const sdk::Event& event, const Pod&) {
    EXPECT_EQ(event.resource(), "PersistentVolumeClaim");
    const auto text = [](sdk::Value v) {
      return v ? std::string(v.Get("metadata").Get("name").AsString()) + Ready(v) : "-";
    };
    // The instance has got the change before.
    EXPECT_FALSE(told.empty());
    hinted.push_back(std::to_string(event.actions()) + ": " + text(event.old_value()) + " -> " +
                     text(event.new_value()));
    return Ready(event.new_value()) == "!";
  };
  rig.simulation->SetProfiles(*BuildSet({{}}, rig.services, 2));
  rig.AddPod("p");
  rig.Run();
  rig.cluster.SetObject(claims, Claim("p"));
  rig.Run();
  EXPECT_THAT(rig.story.Lines(), ElementsAre("p Unschedulable 0/1 nodes are available: no claim."));
  rig.cluster.SetObject(claims, Claim("p", R"({"ready": true})"));
  rig.Run();
  EXPECT_EQ(rig.story.Lines().back(), "p Scheduled n1");
  EXPECT_THAT(hinted, ElementsAre("1: - -> p", std::to_string(BERTH_ACTION_UPDATE) + ": p -> p!"));
}

TEST_F(Objects, DeletedAreNotListed) {
  rig.cluster.SetObject(claims, Claim("p", R"({"ready": true})"));
  rig.Run();
  rig.cluster.RemoveObject(claims, "default/p");
  rig.AddPod("p");
  rig.Run();
  EXPECT_THAT(rig.story.Lines(), ElementsAre("p Unschedulable 0/1 nodes are available: no claim."));
  EXPECT_THAT(told, ElementsAre("claim - -> p!", "claim p! -> -"));
}

TEST_F(Objects, WithoutAnUpstreamEventMovePodsOfPluginsThatRegisterThem) {
  rig.AddPod("p");
  rig.Run();
  rig.cluster.SetObject(services, Claim("s"));
  rig.Run();
  EXPECT_EQ(rig.story.entries.size(), 1u);
  EXPECT_THAT(told, ElementsAre("service - -> s"));
  ScriptOf("A").interests = {{"services.v1.", BERTH_ACTION_ADD}};
  rig.simulation->SetProfiles(*BuildSet({{}}, rig.services, 2));
  rig.cluster.SetObject(services, Claim("t"));
  rig.Run();
  EXPECT_EQ(rig.story.entries.size(), 2u);
}

TEST_F(Objects, AreDeliveredToALaterInstance) {
  rig.cluster.SetObject(claims, Claim("p"));
  rig.Run();
  told.clear();
  rig.simulation->SetProfiles(*BuildSet({{}}, rig.services, 2));
  EXPECT_THAT(told, ElementsAre("claim - -> p"));
}

TEST_F(Objects, AssumedAreListedForTheNextPods) {
  ScriptOf("A").reserve = [this](Cycle&, const Pod&, Id) {
    EXPECT_TRUE(ObjectsOf("A").Assume(claims, "default", "q", R"({"spec": {"ready": true}})"));
    EXPECT_TRUE(ObjectsOf("A").Get(claims, "default", "q").At("spec", "ready").AsBool());
    return Status::Ok();
  };
  rig.cluster.SetObject(claims, Claim("p", R"({"ready": true})"));
  rig.cluster.SetObject(claims, Claim("q"));
  rig.AddPod("p");
  rig.AddPod("q");
  rig.Run();
  EXPECT_THAT(rig.story.Lines(), ElementsAre("p Scheduled n1", "q Scheduled n1"));
  EXPECT_THAT(told, ElementsAre("claim - -> p!", "claim - -> q", "claim q -> q!", "claim q! -> q!"));
}

TEST_F(Objects, AssumedAreForgottenWhenTheBindingFails) {
  ScriptOf("A").reserve = [this](Cycle&, const Pod&, Id) {
    EXPECT_TRUE(ObjectsOf("A").Assume(claims, "default", "q", R"({"spec": {"ready": true}})"));
    return Status::Ok();
  };
  ScriptOf("A").unreserve = [this](Cycle&, const Pod&, Id) { ObjectsOf("A").Revert(claims, "default", "q"); };
  ScriptOf("A").pre_bind = [](Cycle&, const Pod&, Id, sdk::Op&) { return Status::Error("the disk is gone"); };
  rig.cluster.SetObject(claims, Claim("p", R"({"ready": true})"));
  rig.cluster.SetObject(claims, Claim("q"));
  rig.AddPod("p");
  rig.Run();
  EXPECT_EQ(rig.story.entries.at(0).result, "Error");
  rig.AddPod("q");
  rig.Run();
  EXPECT_THAT(rig.story.Lines(), testing::Contains("q Unschedulable 0/1 nodes are available: not ready."));
  EXPECT_THAT(told, testing::IsSupersetOf({"claim q -> q!", "claim q! -> q"}));
}

TEST_F(Objects, ListsDeleteWhatTheyDoNotContain) {
  engine::Engine& engine = rig.simulation->engine();
  EXPECT_FALSE(engine.synced());
  rig.cluster.SetObject(claims, Claim("p"));
  rig.cluster.SetObject(claims, Claim("q"));
  engine.Post(engine::NodesListed{});
  engine.Post(engine::PodsListed{});
  engine.Post(engine::ObjectsListed{services, nullptr});
  rig.Run();
  EXPECT_FALSE(engine.synced());
  engine.Post(engine::ObjectsListed{claims, std::make_shared<const base::TextSet>(base::TextSet{"default/q"})});
  rig.Run();
  EXPECT_TRUE(engine.synced());
  EXPECT_EQ(told.back(), "claim p -> -");
  EXPECT_EQ(engine.objects().Get(claims, "default", "p"), nullptr);
  EXPECT_NE(engine.objects().Get(claims, "default", "q"), nullptr);
}

TEST_F(Objects, KindsAreRequestedOnlyInActivate) {
  std::string text;
  ScriptOf("A").pre_filter = [&](Cycle&, const Pod&, sdk::NameSet&) {
    try {
      ObjectsOf("A").Need("", "v1", "configmaps");
    } catch (const std::exception& e) {
      text = e.what();
    }
    return Status::Ok();
  };
  rig.AddPod("p");
  rig.Run();
  EXPECT_THAT(text, testing::HasSubstr("configmaps"));
  EXPECT_EQ(rig.simulation->engine().objects().NeededKinds().size(), 2u);
}

TEST_F(Objects, NodeSelectorsOfDocumentsAreMatched) {
  rig.cluster.SetNode(MakeNode(rig.intern, "n2", "", R"("labels":{"zone":"b"})"));
  rig.cluster.SetObject(claims, Claim("p", R"({"ready": true, "nodes": {"nodeSelectorTerms": [
      {"matchExpressions": [{"key": "zone", "operator": "Gt", "values": ["x"]}]},
      {"matchExpressions": [{"key": "zone", "operator": "In", "values": ["b", "c"]}]}]}})"));
  const berth_node_affinity* selector = nullptr;
  ScriptOf("A").pre_filter = [&](Cycle&, const Pod&, sdk::NameSet&) {
    const sdk::Object claim = ObjectsOf("A").Get(claims, "default", "p");
    selector = ObjectsOf("A").KeepNodeSelector(claim.At("spec", "nodes"));
    EXPECT_EQ(ObjectsOf("A").KeepNodeSelector(claim.At("spec", "ready")), nullptr);
    EXPECT_EQ(ObjectsOf("A").KeepNodeSelector(claim.At("spec", "none")), nullptr);
    EXPECT_NE(selector, nullptr);
    return selector == nullptr ? Status::Error("no selector") : Status::Ok();
  };
  ScriptOf("A").filter = [&](Cycle& c, const Pod&, sdk::Node node, sdk::Verdict& verdict) {
    if (!HostOf("A").Selectors().MatchNode(node.view(), *selector)) {
      verdict = sdk::Verdict::Unschedulable(c.Reasons("elsewhere"));
    }
    return Status::Ok();
  };
  rig.AddPod("p");
  rig.Run();
  EXPECT_THAT(rig.story.Lines(), ElementsAre("p Scheduled n2"));
}

TEST_F(Objects, AreReadFromManifests) {
  const std::string path =
      std::filesystem::temp_directory_path() / ("berth-engine-objects-" + std::to_string(getpid()) + ".yaml");
  std::ofstream(path) << R"(
apiVersion: v1
kind: Pod
metadata: {name: p}
spec: {containers: [{name: c, image: i}]}
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: p}
spec: {ready: true}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: unread}
)";
  simulation::ManifestFeed feed(rig.cluster);
  manifests::Loader loader(rig.intern, feed, 0);
  const auto done = loader.Apply({path}, manifests::Applying::kStart);
  std::filesystem::remove(path);
  ASSERT_TRUE(done) << done.error().message;
  rig.Run();
  EXPECT_THAT(rig.story.Lines(), ElementsAre("p Scheduled n1"));
  EXPECT_THAT(loader.ignored(), ElementsAre(testing::Pair("ConfigMap", 1)));
}

TEST_F(Objects, QuantitiesHaveTheFormatOfKubernetes) {
  EXPECT_EQ(ObjectsOf("A").Units("1.5Gi"), 3ll << 29);
  EXPECT_EQ(ObjectsOf("A").Units("100m"), 1);
  EXPECT_EQ(ObjectsOf("A").Milli("100m"), 100);
  EXPECT_EQ(ObjectsOf("A").Units("much"), std::nullopt);
}

}  // namespace
}  // namespace berth::fixture

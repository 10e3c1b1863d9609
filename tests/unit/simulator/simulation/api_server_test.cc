// The simulated API server's answers to plugins' requests about pods.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "asking.h"
#include "berth/tasks.hpp"

namespace berth::fixture {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

struct PodRequests : Asking {
  PodRequests() {
    rig.AddNodes({"n1"});
    rig.AddPod("p1");
    rig.Run();
  }
  api::PodRef pod() { return rig.cluster.FindPod("default/p1"); }
};

TEST_F(PodRequests, DeleteRemovesThePodAtOnce) {
  const Told told = Ask({.verb = "DELETE", .resource = "pods", .ns = "default", .name = "p1"});
  EXPECT_EQ(told.code, 200);
  EXPECT_THAT(told.body, HasSubstr(R"("uid":"pod-p1")"));
  EXPECT_FALSE(pod());
  EXPECT_EQ(rig.simulation->engine().cache().n_pods(), 0u);
  const Told again = Ask({.verb = "DELETE", .resource = "pods", .ns = "default", .name = "p1"});
  EXPECT_EQ(again.code, 404);
  EXPECT_EQ(again.reason, "NotFound");
  EXPECT_EQ(again.message, R"(pods "p1" not found)");
  EXPECT_THAT(again.body, HasSubstr(R"("kind":"Status")"));
}

TEST_F(PodRequests, DeleteChecksPreconditions) {
  const auto with = [&](std::string_view body) {
    return Ask({.verb = "DELETE",
                .resource = "pods",
                .ns = "default",
                .name = "p1",
                .content_type = sdk::kJsonBody,
                .body = body});
  };
  const Told other = with(R"({"preconditions":{"uid":"other"}})");
  EXPECT_EQ(other.code, 409);
  EXPECT_EQ(other.reason, "Conflict");
  EXPECT_EQ(
      other.message,
      R"(Operation cannot be fulfilled on Pod "p1": the UID in the precondition (other) does not match the UID in )"
      R"(record (pod-p1). The object might have been deleted and then recreated)");
  EXPECT_EQ(with(R"({"preconditions":{"resourceVersion":"1"}})").code, 409);
  EXPECT_TRUE(pod());
  EXPECT_EQ(with(R"({"preconditions":{"uid":"pod-p1","resourceVersion":")" + std::string(pod()->resource_version()) +
                 R"("}})")
                .code,
            200);
}

TEST_F(PodRequests, PatchOfTheStatusChangesConditionsAndNomination) {
  const std::string before(pod()->resource_version());
  const Told told = PatchStatus(
      "p1", R"({"status":{"nominatedNodeName":"n1","conditions":[)"
            R"({"type":"DisruptionTarget","status":"True","reason":"PreemptionByScheduler","message":"m"}]}})");
  EXPECT_EQ(told.code, 200);
  EXPECT_NE(pod()->abi.has & BERTH_POD_HAS_PREEMPTED, 0u);
  EXPECT_EQ(rig.intern.ids.Text(pod()->abi.nominated_node), "n1");
  EXPECT_EQ(pod()->scheduled_condition().status, "True");  // merged, not replaced
  EXPECT_EQ(pod()->abi.scheduled_unix_ns, simulation::SimulationOptions().start_unix_ns)
      << "the time of the binding, in seconds";
  EXPECT_EQ(rig.intern.ids.Text(pod()->abi.node_name), "n1");
  const std::string after(pod()->resource_version());
  EXPECT_NE(after, before);
  EXPECT_EQ(PatchStatus("p1", R"({"status":{"nominatedNodeName":"n1"}})").code, 200);
  EXPECT_EQ(pod()->resource_version(), after);  // no change
  EXPECT_EQ(PatchStatus("p1", R"({"status":{"nominatedNodeName":null,"conditions":[]}})").code, 200);
  EXPECT_EQ(pod()->abi.nominated_node, base::kNoId);

  const Told merge = Ask({.verb = "PATCH",
                          .resource = "pods",
                          .ns = "default",
                          .name = "p1",
                          .subresource = "status",
                          .content_type = sdk::kMergePatch,
                          .body = R"({"status":{"conditions":[]}})"});
  EXPECT_EQ(merge.code, 200);
  EXPECT_EQ(pod()->abi.has & BERTH_POD_HAS_PREEMPTED, 0u);
  EXPECT_EQ(pod()->scheduled_condition().status, "");
  EXPECT_EQ(pod()->abi.scheduled_unix_ns, BERTH_NO_TIME);
}

TEST_F(PodRequests, PatchIsRefusedWhenItMeansAnotherPod) {
  EXPECT_EQ(PatchStatus("nobody", "{}").code, 404);
  EXPECT_EQ(PatchStatus("p1", R"({"metadata":{"uid":"other"}})").code, 422);
  const Told stale = PatchStatus("p1", R"({"metadata":{"resourceVersion":"1"}})");
  EXPECT_EQ(stale.code, 409);
  EXPECT_EQ(stale.message,
            R"(Operation cannot be fulfilled on pods "p1": the object has been modified; please apply your changes to )"
            R"(the latest version and try again)");
  EXPECT_EQ(PatchStatus("p1", "{").code, 400);
}

TEST_F(PodRequests, OtherRequestsAreRefused) {
  EXPECT_EQ(Ask({.verb = "GET", .resource = "pods", .ns = "default", .name = "p1"}).code, 200);
  EXPECT_EQ(Ask({.verb = "PUT", .resource = "pods", .ns = "default", .name = "p1", .body = "{}"}).code, 405);
  const Told unknown = Ask({.verb = "GET", .group = "apps", .resource = "replicasets", .ns = "default", .name = "r"});
  EXPECT_EQ(unknown.code, 404);
  EXPECT_EQ(unknown.message, "the server could not find the requested resource");
}

// A task, then two rounds of requests, each after the previous answer. The released resources are available to the next
// pod.
TEST(Victims, LeaveBeforeTheNextAttemptAndAreReported) {
  TestScheduler rig;
  ScriptOf("A").interests = {{"Pod", BERTH_ACTION_DELETE}};
  rig.simulation->SetProfiles(*BuildSet({{}}, rig.services, 2));
  rig.AddNodes({"n1"});
  const sdk::Api api(HostOf("A"));
  const sdk::Tasks tasks(HostOf("A"));
  for (const char* name : {"victim-1", "victim-2"}) rig.AddPod(name);
  rig.Run();
  std::vector<uint32_t> victims_seen;
  ScriptOf("A").filter = [&](Cycle& c, const Pod& pod, sdk::Node node, sdk::Verdict& verdict) {
    uint32_t victims = 0;
    for (const Pod& other : node.pods()) victims += other.name().starts_with("victim") ? 1 : 0;
    if (pod.name() == "next") victims_seen.push_back(victims);
    if (pod.name() == "preemptor" && victims > 0) verdict = sdk::Verdict::Unschedulable(c.Reasons("full"));
    return Status::Ok();
  };
  const auto remove = [&](std::string_view name, std::function<void(const sdk::ApiReply&)> done) {
    api.Send({.verb = "DELETE", .resource = "pods", .ns = "default", .name = name}, std::move(done));
  };
  sdk::KeptPod preemptor, victim;
  ScriptOf("A").post_filter = [&](Cycle& c, const Pod& pod, const sdk::Diagnosis&, sdk::Nomination& out) {
    preemptor = sdk::KeptPod(api, pod);
    victim = sdk::KeptPod(api, *c.snap().At(0).pods().begin());
    tasks.Post([&] {
      remove("victim-1", [&](const sdk::ApiReply&) {
        remove("victim-2", [&](const sdk::ApiReply& reply) {
          EXPECT_TRUE(reply.ok());
          api.Event(victim, preemptor, "Normal", "Preempted", "Preempting", "Preempted by pod u on node n1");
        });
      });
    });
    out.Set(c.snap().At(0).name());
    return Status::Ok();
  };
  rig.AddPod("preemptor");
  rig.AddPod("next");
  rig.Run();
  EXPECT_THAT(victims_seen, testing::Each(0u));  // with the nominated pod, and without it
  ASSERT_EQ(rig.story.entries.size(), 5u);
  for (size_t i = 0; i < 5; ++i) {
    const results::AttemptEntry& entry = rig.story.entries[i];
    if (i != 2) {
      EXPECT_THAT(entry.victims, IsEmpty()) << entry.pod;
      EXPECT_EQ(entry.result, "Scheduled");
      continue;
    }
    EXPECT_EQ(entry.pod, "default/preemptor");
    EXPECT_EQ(entry.nominated_node, "n1");
    EXPECT_THAT(entry.victims, ElementsAre("default/victim-1", "default/victim-2"));
  }
  const auto event = std::find_if(rig.cluster.events().begin(), rig.cluster.events().end(),
                                  [](const auto& e) { return e.reason == "Preempted"; });
  ASSERT_NE(event, rig.cluster.events().end());
  EXPECT_EQ(event->related, "default/preemptor");
  EXPECT_EQ(event->note, "Preempted by pod u on node n1");
}

}  // namespace
}  // namespace berth::fixture

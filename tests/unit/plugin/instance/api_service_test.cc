// Requests of an instance: each gets one reply, from the server or when the instance ends.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "berth/api.hpp"
#include "ports.h"

namespace berth::plugin {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

struct ApiService : testing::Test, World {
  ~ApiService() override { instance.reset(); }  // must run before the destructors of members that it may call
  void Send() {
    sdk::Api(host()).Send({.verb = "DELETE", .resource = "pods", .ns = "default", .name = "p1"},
                          [this](const sdk::ApiReply& reply) {
                            told.push_back(std::to_string(reply.code) + " " + std::string(reply.body) + "|" +
                                           std::string(reply.reason) + "|" + std::string(reply.message));
                          });
  }
  std::vector<std::string> told;
};

TEST_F(ApiService, PassesRequestAndReply) {
  Send();
  ASSERT_EQ(api.requests.size(), 1u);
  EXPECT_EQ(api.requests[0].verb, "DELETE");
  EXPECT_EQ(api.requests[0].version, "v1");
  EXPECT_EQ(api.requests[0].resource, "pods");
  EXPECT_EQ(api.requests[0].ns + "/" + api.requests[0].name, "default/p1");
  EXPECT_THAT(told, IsEmpty());
  api.waiting[0]({.code = 404, .body = "{}", .reason = "NotFound", .message = "pods \"p1\" not found"});
  EXPECT_THAT(told, ElementsAre("404 {}|NotFound|pods \"p1\" not found"));
  api.waiting[0]({.code = 200, .body = "{}"});  // a second call has no effect
  instance.reset();
  EXPECT_EQ(told.size(), 1u);
}

TEST_F(ApiService, OpenRequestsGetAReplyWhenTheInstanceEnds) {
  Send();
  instance.reset();
  EXPECT_THAT(told, ElementsAre("0 the plugin's instance has ended||the plugin's instance has ended"));
  api.waiting[0]({.code = 200, .body = "{}"});
  EXPECT_EQ(told.size(), 1u);
}

TEST_F(ApiService, NeverRepliesBeforeSendReturns) {
  api.at_once = true;
  Send();
  EXPECT_THAT(told, IsEmpty());
  tasks.RunAll();
  EXPECT_THAT(told, ElementsAre("503 ||too early"));
}

TEST_F(ApiService, WithoutAServerRepliesWithAnError) {
  RestartWith({.tasks = &tasks});
  Send();
  tasks.RunAll();
  EXPECT_THAT(told, ElementsAre("0 this host has no API server||this host has no API server"));
}

TEST_F(ApiService, OfAQuarantinedInstanceGetsNoAnswer) {
  Restart({.quarantine_after = 1});
  Send();
  instance->Fault("a test", "broke");
  api.waiting[0]({.code = 200, .body = "{}"});
  EXPECT_THAT(told, ElementsAre("0 the plugin is quarantined||the plugin is quarantined"));
}

TEST_F(ApiService, KeepsPodsForTheirEvents) {
  api::PodRef victim = fixture::MakePod(intern, "victim"), preemptor = fixture::MakePod(intern, "preemptor");
  const sdk::Api through(host());
  sdk::KeptPod kept(through, sdk::Pod(&victim->abi));
  const sdk::KeptPod copy = kept;
  const std::string_view name = copy->name();
  victim = api::PodRef();
  EXPECT_EQ(name, "victim");
  through.Event(kept, sdk::Pod(&preemptor->abi), "Normal", "Preempted", "Preempting", "Preempted by pod u on node n1");
  through.Event(kept, sdk::Pod(), "Warning", "R", "A", "note");
  EXPECT_THAT(api.events, ElementsAre("default-scheduler default/victim default/preemptor Normal Preempted Preempting "
                                      "Preempted by pod u on node n1",
                                      "default-scheduler default/victim - Warning R A note"));
}

TEST_F(ApiService, CutsNotesThatTheServerWouldRefuse) {
  const api::PodRef pod = fixture::MakePod(intern, "p1");
  const sdk::Api through(host());
  const std::string longest(1024, 'x'), letters = std::string(1019, 'x') + "\xC3\xA4\xC3\xA4\xC3\xA4";
  through.Event(sdk::Pod(&pod->abi), sdk::Pod(), "Normal", "R", "A", longest);
  through.Event(sdk::Pod(&pod->abi), sdk::Pod(), "Normal", "R", "A", letters);
  ASSERT_EQ(api.events.size(), 2u);
  EXPECT_THAT(api.events[0], testing::EndsWith(" " + longest));
  EXPECT_THAT(api.events[1], testing::EndsWith(" " + std::string(1019, 'x') + " ..."));
}

}  // namespace
}  // namespace berth::plugin

// The ConfigMap extension-apiserver-authentication: read once, followed, changed, broken.
#include "cluster/access/cluster_settings.h"

#include <gmock/gmock.h>

#include "access_rig.h"
#include "eventually.h"
#include "telemetry/log/capture.h"

namespace berth::access {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

std::string ConfigMap(int version, const std::string& client_ca, const std::string& proxy_ca,
                      const std::string& usernames = R"([\"X-Remote-User\"])") {
  return R"({"kind":"ConfigMap","apiVersion":"v1","metadata":{"namespace":"kube-system",)"
         R"("name":"extension-apiserver-authentication","resourceVersion":")" +
         std::to_string(version) + R"("},"data":{"client-ca-file":")" + client_ca +
         R"(","requestheader-client-ca-file":")" + proxy_ca + R"(","requestheader-username-headers":")" + usernames +
         R"(","requestheader-group-headers":"[\"X-Remote-Group\"]","requestheader-allowed-names":"[\"front\"]"}})";
}

struct ClusterSettingsTest : testing::Test {
  ApiServer server;
  log::Capture logged;
  ClusterSettings settings{server.transport, {.client_ca = true, .request_header = true}, MakeFakeVerifier};

  static bool Accepts(const CaBundle& bundle, const std::string& certificate) {
    const auto verify = bundle.verifier();
    return verify != nullptr && (*verify)({certificate}).has_value();
  }
  std::string ReadError() {
    const auto read = settings.ReadOnce();
    return read ? "" : read.error().message;
  }
};

TEST_F(ClusterSettingsTest, ReadsAllParts) {
  server.settings = http::ReplyOf(200, ConfigMap(1, "CA a", "CA p"));
  EXPECT_EQ(ReadError(), "");
  EXPECT_TRUE(Accepts(settings.client_ca(), "a/alice"));
  EXPECT_TRUE(Accepts(settings.request_header_ca(), "p/front"));
  EXPECT_THAT(settings.header_names()->usernames, ElementsAre("X-Remote-User"));
  EXPECT_THAT(settings.header_names()->groups, ElementsAre("X-Remote-Group"));
  EXPECT_THAT(settings.header_names()->uids, IsEmpty());
  EXPECT_THAT(settings.header_names()->allowed_names, ElementsAre("front"));
}

TEST_F(ClusterSettingsTest, NoConfigMapIsNoErrorAndNobodyIsVerified) {
  EXPECT_EQ(ReadError(), "");
  EXPECT_EQ(settings.client_ca().verifier(), nullptr);
  EXPECT_EQ(settings.request_header_ca().verifier(), nullptr);
}

TEST_F(ClusterSettingsTest, AFailureNamesItsReason) {
  server.settings = http::LostReply("Get \"https://h\": connect: connection refused", false);
  EXPECT_THAT(ReadError(), HasSubstr("connection refused"));
  EXPECT_THAT(logged.Messages(), IsEmpty());
  server.settings = http::ReplyOf(403, Failure("Forbidden", 403, "cannot get resource configmaps"));
  EXPECT_THAT(ReadError(), HasSubstr("cannot get resource configmaps"));
  EXPECT_THAT(logged.Messages(), ElementsAre(HasSubstr("--role=extension-apiserver-authentication-reader")));
  server.settings = http::ReplyOf(200, ConfigMap(1, "CA a", "CA p", "not JSON"));
  EXPECT_THAT(ReadError(), HasSubstr("data.requestheader-username-headers"));
  server.settings = http::ReplyOf(200, ConfigMap(1, "CA a", "CA p", "[1]"));
  EXPECT_THAT(ReadError(), HasSubstr("it is no list of strings"));
}

TEST_F(ClusterSettingsTest, AnUnusablePartLeavesItsLastValueAndTheOtherPartsChange) {
  ASSERT_TRUE(settings.Set(ConfigMap(1, "CA a", "CA p")));
  EXPECT_TRUE(settings.Set(ConfigMap(2, "", "CA q")));
  EXPECT_FALSE(settings.Set(ConfigMap(3, "CA b", "junk", "{}")));
  EXPECT_TRUE(Accepts(settings.client_ca(), "b/alice"));
  EXPECT_TRUE(Accepts(settings.request_header_ca(), "q/front"));
  EXPECT_THAT(settings.header_names()->usernames, ElementsAre("X-Remote-User"));
  settings.Gone("kube-system/extension-apiserver-authentication");
  EXPECT_TRUE(Accepts(settings.client_ca(), "b/alice"));
}

TEST_F(ClusterSettingsTest, PartsThatFlagsGiveAreNotUsed) {
  ClusterSettings only_proxies(server.transport, {.request_header = true}, MakeFakeVerifier);
  ASSERT_TRUE(only_proxies.Set(ConfigMap(1, "CA a", "CA p")));
  EXPECT_EQ(only_proxies.client_ca().verifier(), nullptr);
  EXPECT_NE(only_proxies.request_header_ca().verifier(), nullptr);
}

TEST_F(ClusterSettingsTest, FollowsTheConfigMap) {
  std::atomic<bool> rotate{false};
  server.transport.stream = [&](const http::Request& request) -> http::FakeTransport::StreamScript {
    const auto added = [](const std::string& object) { return R"({"type":"ADDED","object":)" + object + "}\n"; };
    if (request.path.find("sendInitialEvents") != std::string::npos) {
      return {{added(ConfigMap(1, "CA a", "CA p")),
               R"({"type":"BOOKMARK","object":{"metadata":{"resourceVersion":"2","annotations":)"
               R"({"k8s.io/initial-events-end":"true"}}}})"
               "\n"}};
    }
    if (!Eventually([&] { return rotate.load(); })) return {};
    return {{R"({"type":"MODIFIED","object":)" + ConfigMap(3, "CA b", "CA q") + "}\n"}, http::ReplyOf(200), true};
  };
  settings.Start();
  ASSERT_TRUE(Eventually([&] { return Accepts(settings.client_ca(), "a/alice"); }));
  rotate = true;
  ASSERT_TRUE(Eventually([&] { return Accepts(settings.client_ca(), "b/alice"); }));
  EXPECT_TRUE(Eventually([&] { return Accepts(settings.request_header_ca(), "q/front"); }));
  EXPECT_FALSE(Accepts(settings.client_ca(), "a/alice"));
  const std::vector<http::Request> requests = server.transport.requests();
  EXPECT_THAT(requests[0].path, HasSubstr("/api/v1/namespaces/kube-system/configmaps?watch=true"));
  EXPECT_THAT(requests[0].path, HasSubstr("fieldSelector=metadata.name%3Dextension-apiserver-authentication"));
}

}  // namespace
}  // namespace berth::access

// The result of the flags for a cluster that can be read, one that cannot, and none.
#include "cluster/access/delegation.h"

#include <gmock/gmock.h>

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "access_rig.h"
#include "eventually.h"
#include "telemetry/log/capture.h"

namespace berth::access {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

struct DelegationTest : testing::Test {
  base::VirtualClock clock{0};
  ApiServer server;
  log::Capture logged;
  options::Authentication authentication;
  options::Authorization authorization;
  bool has_server = true;
  std::filesystem::path file;

  ~DelegationTest() override {
    if (!file.empty()) std::filesystem::remove(file);
  }
  std::string CaFile(const std::string& text) {
    std::string name = std::filesystem::temp_directory_path() / "berth-delegation-XXXXXX";
    close(mkstemp(name.data()));
    file = name;
    std::ofstream(file) << text;
    return file;
  }
  base::Result<std::unique_ptr<Delegation>> Make() {
    http::Transport* transport = has_server ? &server.transport : nullptr;
    return Delegation::Make(authentication, authorization, {transport, transport, &clock, MakeFakeVerifier, {}});
  }
  // The name that a certificate proves, or "".
  static std::string NameOf(const Delegation& delegation, const std::string& certificate) {
    const auto result = delegation.authentication().Authenticate(WithCertificate(Get("/"), certificate));
    return result.user ? result.user->name : "";
  }
};

TEST_F(DelegationTest, AFailedLookupIsToleratedWithUpstreamsWarnings) {
  server.settings = http::ReplyOf(500, Failure("InternalError", 500, "etcd is away"));
  const auto made = Make();
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_THAT(logged.Messages(),
              ElementsAre("Error looking up in-cluster authentication configuration: etcd is away",
                          "Continuing without authentication configuration. This may treat all requests as anonymous.",
                          "To require authentication configuration lookup to succeed, set "
                          "--authentication-tolerate-lookup-failure=false"));
  EXPECT_EQ(NameOf(**made, "a/alice"), "system:anonymous");
}

TEST_F(DelegationTest, AFailedLookupEndsTheStartIfItIsNotTolerated) {
  authentication.tolerate_lookup_failure = false;
  server.settings = http::ReplyOf(500, Failure("InternalError", 500, "etcd is away"));
  EXPECT_EQ(Make().error().message, "unable to load configmap based request-header-client-ca-file: etcd is away");
  server.settings = http::ReplyOf(404, Failure("NotFound", 404, "no such ConfigMap"));
  EXPECT_TRUE(Make());
}

TEST_F(DelegationTest, SkippedLookupAsksForNothing) {
  authentication.skip_lookup = true;
  const auto made = Make();
  ASSERT_TRUE(made);
  EXPECT_THAT(server.transport.requests(), IsEmpty());
  EXPECT_THAT(logged.Messages(), IsEmpty());
  EXPECT_EQ((*made)->cluster_settings(), nullptr);
}

TEST_F(DelegationTest, WithoutAServerWarningsSayWhatDoesNotWork) {
  has_server = false;
  authorization.always_allow_paths = {"/a"};
  const auto made = Make();
  ASSERT_TRUE(made);
  EXPECT_THAT(logged.Messages(),
              ElementsAre("No authentication-kubeconfig provided in order to lookup client-ca-file in "
                          "configmap/extension-apiserver-authentication in kube-system, so client certificate "
                          "authentication won't work.",
                          "No authentication-kubeconfig provided in order to lookup requestheader-client-ca-file in "
                          "configmap/extension-apiserver-authentication in kube-system, so request-header client "
                          "certificate authentication won't work.",
                          "No authorization-kubeconfig provided, so SubjectAccessReview of authorization tokens "
                          "won't work."));
}

TEST_F(DelegationTest, FlagsComeBeforeTheConfigMap) {
  authentication.client_ca_file = CaFile("CA f");
  server.settings = http::ReplyOf(
      200, R"({"metadata":{"name":"x"},"data":{"client-ca-file":"CA a","requestheader-client-ca-file":"CA p",)"
           R"("requestheader-username-headers":"[\"X-Remote-User\"]"}})");
  const auto made = Make();
  ASSERT_TRUE(made);
  EXPECT_EQ(NameOf(**made, "f/alice"), "alice");
  EXPECT_EQ(NameOf(**made, "a/alice"), "");
  const auto proxied =
      (*made)->authentication().Authenticate(WithCertificate(Get("/", {{"x-remote-user", "bob"}}), "p/any"));
  ASSERT_TRUE(proxied.user);
  EXPECT_EQ(proxied.user->name, "bob");
}

TEST_F(DelegationTest, RequestHeaderFlagsAreUsedWithTheirFile) {
  authentication.requestheader_client_ca_file = CaFile("CA p");
  authentication.allowed_names = {"front"};
  authentication.skip_lookup = true;
  const auto made = Make();
  ASSERT_TRUE(made);
  const http::Headers headers = {{"x-remote-user", "bob"}};
  const auto by = [&](const char* certificate) {
    return (*made)->authentication().Authenticate(WithCertificate(Get("/", headers), certificate));
  };
  EXPECT_EQ(by("p/front").user->name, "bob");
  EXPECT_EQ(by("p/other").error, "x509: subject with cn=other is not in the allowed list");
}

TEST_F(DelegationTest, HeadersThatAggregationDoesNotUseAreAWarning) {
  authentication.skip_lookup = true;
  authentication.username_headers = {"x-my-user"};
  authentication.extra_headers_prefix = {"x-my-"};
  ASSERT_TRUE(Make());
  EXPECT_THAT(logged.Messages(),
              ElementsAre("--requestheader-username-headers is set without specifying the standard X-Remote-User "
                          "header - API aggregation will not work",
                          "--requestheader-extra-headers-prefix is set without specifying the standard "
                          "X-Remote-Extra- header prefix - API aggregation will not work"));
}

TEST_F(DelegationTest, UnusableFilesAndPathsEndTheStart) {
  authentication.client_ca_file = CaFile("junk");
  EXPECT_THAT(Make().error().message,
              testing::AllOf(HasSubstr("unable to load client CA provider: "), HasSubstr(file)));
  authentication.client_ca_file = "";
  authentication.requestheader_client_ca_file = file;
  EXPECT_THAT(Make().error().message, HasSubstr("unable to create request header authentication config: "));
  authentication.requestheader_client_ca_file = "";
  authorization.always_allow_paths = {"/a*b"};
  EXPECT_EQ(Make().error().message, "only trailing * allowed in \"a*b\"");
}

TEST_F(DelegationTest, StartFollowsFilesAndTheConfigMap) {
  authentication.client_ca_file = CaFile("CA f");
  server.transport.stream = [](const http::Request&) -> http::FakeTransport::StreamScript {
    return {
        {R"({"type":"ADDED","object":{"metadata":{"name":"x","resourceVersion":"1"},)"
         R"("data":{"requestheader-client-ca-file":"CA p","requestheader-username-headers":"[\"X-Remote-User\"]"}}})"
         "\n"},
        http::ReplyOf(200),
        true};
  };
  const auto made = Make();
  ASSERT_TRUE(made);
  (*made)->Start();
  std::ofstream(file) << "CA g and more";
  const auto proxied = [&] {
    return (*made)->authentication().Authenticate(WithCertificate(Get("/", {{"x-remote-user", "bob"}}), "p/any"));
  };
  EXPECT_TRUE(Eventually([&] { return proxied().user && proxied().user->name == "bob"; }));
  EXPECT_TRUE(Eventually([&] { return NameOf(**made, "f/alice").empty(); }));
}

}  // namespace
}  // namespace berth::access

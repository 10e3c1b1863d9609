// The user of a request, by its credentials; the rule of upstream's union of authenticators.
#include "cluster/access/authentication.h"

#include <gmock/gmock.h>

#include "access_rig.h"

namespace berth::access {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

struct AuthenticationTest : testing::Test {
  base::VirtualClock clock{0};
  CaBundle clients{"clients", MakeFakeVerifier}, proxies{"proxies", MakeFakeVerifier};
  std::shared_ptr<RequestHeaderNames> names = std::make_shared<RequestHeaderNames>(StandardHeaderNames());
  TokenCache tokens{[](const base::Secret& token) -> AuthenticationResult {
                      if (token.Reveal() == "good") return AuthenticationResult::Of({.name = "tim", .groups = {"dev"}});
                      if (token.Reveal() == "silent") return {};
                      return AuthenticationResult::Failed("token has expired");
                    },
                    std::chrono::seconds(10), clock};

  AuthenticationTest() {
    names->allowed_names = {"front"};
    EXPECT_TRUE(clients.Set("CA a"));
    EXPECT_TRUE(proxies.Set("CA p"));
  }
  AuthenticationParts All() {
    return {&proxies, [this] { return names; }, &clients, &tokens};
  }
  // "name:group,group" or "error: ..."
  static std::string Text(const AuthenticationResult& result) {
    if (!result.user) return "error: " + result.error;
    std::string text = result.user->name + ":";
    for (const std::string& group : result.user->groups) text += (text.back() == ':' ? "" : ",") + group;
    return text;
  }
};

TEST_F(AuthenticationTest, TheFirstUserCountsAndAnErrorWithoutAUserRejects) {
  const char* untrusted = "x509: certificate signed by unknown authority";
  const http::Headers as_bob = {{"x-remote-user", "bob"}, {"x-remote-group", "dev"}};
  struct {
    const char* name;
    std::string certificate;
    http::Headers headers;
    std::string want;
  } const cases[] = {
      {"nothing", "", {}, "system:anonymous:system:unauthenticated"},
      {"certificate", "a/alice/dev", {}, "alice:dev,system:authenticated"},
      {"certificate of another CA",
       "z/alice",
       {},
       std::string("error: [") + untrusted + ", verifying certificate  failed: " + untrusted + "]"},
      {"certificate of another CA, good token", "z/alice", Bearer("good"), "tim:dev,system:authenticated"},
      {"certificate before token", "a/alice", Bearer("good"), "alice:system:authenticated"},
      {"certificate and bad token", "a/alice", Bearer("bad"), "alice:system:authenticated"},
      {"certificate without a name", "a/", {}, std::string("error: ") + untrusted},
      {"masters", "a/root/system:masters", {}, "root:system:masters,system:authenticated"},
      {"token", "", Bearer("good"), "tim:dev,system:authenticated"},
      {"bad token", "", Bearer("bad"), "error: token has expired"},
      {"token refused without a reason", "", Bearer("silent"), "error: invalid bearer token"},
      {"another scheme", "", {{"authorization", "Basic dXNlcg=="}}, "system:anonymous:system:unauthenticated"},
      {"proxy", "p/front", as_bob, "bob:dev,system:authenticated"},
      {"proxy without a user, and unknown to the client CA",
       "p/front",
       {},
       std::string("error: verifying certificate  failed: ") + untrusted},
      {"proxy that is not allowed", "p/other", as_bob,
       std::string("error: [x509: subject with cn=other is not in the allowed list, verifying certificate  failed: ") +
           untrusted + "]"},
      {"headers without a certificate", "", as_bob, "system:anonymous:system:unauthenticated"},
      {"headers with a certificate of a client", "a/alice", as_bob, "alice:system:authenticated"},
  };
  const Authentication authentication(All());
  for (const auto& one : cases) {
    SCOPED_TRACE(one.name);
    http::Incoming request = Get("/", one.headers);
    if (!one.certificate.empty()) request = WithCertificate(request, one.certificate);
    EXPECT_EQ(Text(authentication.Authenticate(request)), one.want);
  }
}

TEST_F(AuthenticationTest, PartsThatAreMissingIgnoreTheirCredentials) {
  const std::string nobody = "system:anonymous:system:unauthenticated";
  const http::Incoming request = WithCertificate(Get("/", Bearer("bad")), "z/alice");
  EXPECT_EQ(Text(Authentication(AuthenticationParts{}).Authenticate(request)), nobody);
  CaBundle empty("none yet", MakeFakeVerifier);
  EXPECT_EQ(Text(Authentication(AuthenticationParts{.request_header_ca = &empty,
                                                    .header_names = [this] { return names; },
                                                    .client_ca = &empty})
                     .Authenticate(request)),
            nobody);
  EXPECT_EQ(
      Text(Authentication(AuthenticationParts{.client_ca = &clients}).Authenticate(WithCertificate(Get("/"), "a/"))),
      nobody);
}

TEST_F(AuthenticationTest, AnAuthenticatedGroupOfTheTokenStays) {
  TokenCache said(
      [](const base::Secret&) { return AuthenticationResult::Of({.name = "system:anonymous", .groups = {}}); },
      std::chrono::seconds(0), clock);
  EXPECT_EQ(Text(Authentication(AuthenticationParts{.tokens = &said}).Authenticate(Get("/", Bearer("x")))),
            "system:anonymous:");
}

TEST_F(AuthenticationTest, TheCertificatesDigestIsTheCredentialId) {
  const AuthenticationResult alice = Authentication(All()).Authenticate(WithCertificate(Get("/"), "a/alice"));
  ASSERT_TRUE(alice.user);
  EXPECT_THAT(alice.user->extra.at("authentication.kubernetes.io/credential-id"), ElementsAre("X509SHA256=5a"));
}

TEST_F(AuthenticationTest, AnUnusableUidRejectsTheCertificate) {
  CaBundle odd("odd", [](const std::string&) -> base::Result<Verifier> {
    return Verifier([](const std::vector<std::string>&) -> base::Result<http::ClientName> {
      http::ClientName name;
      name.common_name = "alice";
      name.uid_error = "UID cannot be an empty string";
      return name;
    });
  });
  ASSERT_TRUE(odd.Set("any"));
  EXPECT_EQ(Text(Authentication(AuthenticationParts{.client_ca = &odd}).Authenticate(WithCertificate(Get("/"), "x"))),
            "error: UID cannot be an empty string");
}

TEST_F(AuthenticationTest, NowKnowsAnonymousAndKeptTokensOnly) {
  const Authentication authentication(All());
  EXPECT_EQ(Text(*authentication.AuthenticateNow(Get("/"), 0)), "system:anonymous:system:unauthenticated");
  EXPECT_FALSE(authentication.AuthenticateNow(WithCertificate(Get("/"), "a/alice"), 0));
  EXPECT_FALSE(authentication.AuthenticateNow(Get("/", Bearer("good")), 0));
  authentication.Authenticate(Get("/", Bearer("good")));
  EXPECT_EQ(Text(*authentication.AuthenticateNow(Get("/", Bearer("good")), base::kSecond)),
            "tim:dev,system:authenticated");
  clock.Advance(9 * base::kSecond);
  EXPECT_FALSE(authentication.AuthenticateNow(Get("/", Bearer("good")), base::kSecond));
}

TEST_F(AuthenticationTest, HandlersSeeNoCredentials) {
  names->usernames = {"X-My-User"};
  const http::Incoming bare = Authentication(All()).WithoutCredentials(
      Get("/x", {{"authorization", "Bearer good"}, {"x-my-user", "a"}, {"x-remote-user", "b"}, {"accept", "*/*"}}));
  EXPECT_THAT(bare.headers, ElementsAre(testing::Pair("accept", "*/*")));
  EXPECT_EQ(bare.path, "/x");
}

}  // namespace
}  // namespace berth::access

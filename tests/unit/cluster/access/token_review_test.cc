// The requests of TokenReviews and SubjectAccessReviews, and the meaning of the answers.
#include "cluster/access/token_review.h"

#include <gmock/gmock.h>

#include "access_rig.h"
#include "cluster/access/access_review.h"
#include "telemetry/log/capture.h"

namespace berth::access {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;
using namespace std::chrono_literals;

struct TokenReviewTest : testing::Test {
  base::VirtualClock clock{0};
  ApiServer server;
  log::Capture logged;
  ReviewCall call{server.transport, clock, {.tries = 1}};

  AuthenticationResult Review(const std::string& token) { return TokenReviewer(call).Review(token); }
};

TEST_F(TokenReviewTest, ReadsTheUser) {
  const AuthenticationResult alice = Review("alice");
  ASSERT_TRUE(alice.user);
  EXPECT_EQ(*alice.user, (User{"alice", "u-1", {"dev"}, {{"scopes", {"a", "b"}}}}));
  EXPECT_THAT(server.BodiesOf(kTokenPath),
              ElementsAre(R"({"kind":"TokenReview","apiVersion":"authentication.k8s.io/v1","metadata":{},)"
                          R"("spec":{"token":"alice"}})"));
}

TEST_F(TokenReviewTest, ARefusalHasTheServersReason) {
  EXPECT_EQ(Review("x").error, "[invalid bearer token, Token has been invalidated]");
  EXPECT_FALSE(Review("x").user);
  EXPECT_EQ(Review("silent").error, "");
  EXPECT_FALSE(Review("silent").user);
}

TEST_F(TokenReviewTest, NoErrorAndNoLogLineContainsTheToken) {
  server.instead[kTokenPath] = http::ReplyOf(502, "proxy cannot forward token s3cr3t and s3cr3t");
  EXPECT_THAT(Review("s3cr3t").error, testing::AllOf(HasSubstr(base::kRedacted), Not(HasSubstr("s3cr3t"))));
  ASSERT_THAT(logged.Lines(), SizeIs(1));
  EXPECT_THAT(logged.Lines()[0],
              testing::AllOf(HasSubstr("Failed to make webhook authenticator request: "), Not(HasSubstr("s3cr3t"))));
}

struct AccessReviewTest : TokenReviewTest {
  AccessReviewer reviewer{call, {.allowed = 10s, .denied = 5s}, clock, 4};
  static Attributes Ask(const std::string& user, const std::string& path) { return {{.name = user}, path, "get"}; }
};

TEST_F(AccessReviewTest, SendsAllOfTheUser) {
  reviewer.Authorize({{"alice", "u-1", {"dev", "ops"}, {{"scopes", {"a"}}}}, "/metrics", "get"});
  EXPECT_THAT(server.BodiesOf(kAccessPath),
              ElementsAre(R"({"kind":"SubjectAccessReview","apiVersion":"authorization.k8s.io/v1","metadata":{},)"
                          R"("spec":{"nonResourceAttributes":{"path":"/metrics","verb":"get"},"user":"alice",)"
                          R"("groups":["dev","ops"],"extra":{"scopes":["a"]},"uid":"u-1"}})"));
}

TEST_F(AccessReviewTest, ReadsTheDecision) {
  struct {
    const char *user, *path;
    Decision want;
    const char *reason, *error;
  } const cases[] = {
      {"alice", "/metrics", Decision::kAllow, "RBAC: allowed", ""},
      {"alice", "/configz", Decision::kNoOpinion, "", ""},
      {"alice", "/reason", Decision::kNoOpinion, "not you", ""},
      {"alice", "/torn", Decision::kDeny, "", "webhook subject access review returned both allow and deny response"},
  };
  for (const auto& one : cases) {
    SCOPED_TRACE(one.path);
    const Ruling ruling = reviewer.Authorize(Ask(one.user, one.path));
    EXPECT_EQ(ruling.decision, one.want);
    EXPECT_EQ(ruling.reason, one.reason);
    EXPECT_EQ(ruling.error, one.error);
  }
}

TEST_F(AccessReviewTest, KeepsAnAllowanceAndADenialForTheirTimes) {
  reviewer.Authorize(Ask("alice", "/metrics"));
  reviewer.Authorize(Ask("bob", "/metrics"));
  clock.Advance(5 * base::kSecond - 1);
  reviewer.Authorize(Ask("alice", "/metrics"));
  reviewer.Authorize(Ask("bob", "/metrics"));
  EXPECT_EQ(server.CountOf(kAccessPath), 2u);
  clock.Advance(1);
  reviewer.Authorize(Ask("alice", "/metrics"));
  reviewer.Authorize(Ask("bob", "/metrics"));
  EXPECT_EQ(server.CountOf(kAccessPath), 3u);
  clock.Advance(5 * base::kSecond);
  EXPECT_FALSE(reviewer.Cached(Ask("alice", "/metrics"), 0));
}

TEST_F(AccessReviewTest, EveryPartOfTheSpecIsPartOfTheKey) {
  const Attributes base{{"alice", "u", {"g"}, {{"k", {"v"}}}}, "/metrics", "get"};
  reviewer.Authorize(base);
  EXPECT_TRUE(reviewer.Cached(base, 0));
  Attributes other = base;
  other.verb = "put";
  EXPECT_FALSE(reviewer.Cached(other, 0));
  other = base;
  other.user.groups = {"g", "h"};
  EXPECT_FALSE(reviewer.Cached(other, 0));
  other = base;
  other.user.extra["k"] = {"w"};
  EXPECT_FALSE(reviewer.Cached(other, 0));
  other = base;
  other.user.uid = "v";
  EXPECT_FALSE(reviewer.Cached(other, 0));
}

TEST_F(AccessReviewTest, TheNumberOfAnswersIsLimitedAndLongPathsAreNotKept) {
  for (int i = 0; i < 100; ++i) reviewer.Authorize(Ask("alice", "/" + std::to_string(i)));
  EXPECT_EQ(reviewer.size(), 4u);
  const Attributes longest = Ask("alice", "/" + std::string(10'000, 'x'));
  reviewer.Authorize(longest);
  EXPECT_FALSE(reviewer.Cached(longest, 0));
}

TEST_F(AccessReviewTest, AFailureIsNotKept) {
  server.instead[kAccessPath] = http::ReplyOf(403, Failure("Forbidden", 403, "cannot create subjectaccessreviews"));
  const Ruling ruling = reviewer.Authorize(Ask("alice", "/metrics"));
  EXPECT_EQ(ruling.decision, Decision::kNoOpinion);
  EXPECT_EQ(ruling.error, "cannot create subjectaccessreviews");
  server.instead.clear();
  EXPECT_EQ(reviewer.Authorize(Ask("alice", "/metrics")).decision, Decision::kAllow);
}

}  // namespace
}  // namespace berth::access

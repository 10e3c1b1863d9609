// How often a token is reviewed. The clock is virtual.
#include "cluster/access/token_cache.h"

#include <gmock/gmock.h>

#include <atomic>
#include <latch>
#include <stdexcept>
#include <thread>

#include "eventually.h"
#include "telemetry/log/capture.h"

namespace berth::access {
namespace {

using namespace std::chrono_literals;

struct TokenCacheTest : testing::Test {
  base::VirtualClock clock{0};
  std::atomic<int> reviews{0};
  std::function<AuthenticationResult(const base::Secret&)> review = [](const base::Secret& token) {
    return AuthenticationResult::Of({.name = token.Reveal()});
  };
  std::chrono::nanoseconds ttl = 10s;
  size_t limit = TokenCache::kLimit;

  TokenCache Make() {
    return {[this](const base::Secret& token) {
              ++reviews;
              return review(token);
            },
            ttl, clock, limit};
  }
};

TEST_F(TokenCacheTest, KeepsAUserForTheTtl) {
  TokenCache cache = Make();
  EXPECT_EQ(cache.Find("a")->user->name, "a");
  EXPECT_EQ(cache.Find("b")->user->name, "b");
  clock.Advance(10 * base::kSecond - 1);
  EXPECT_EQ(cache.Find("a")->user->name, "a");
  EXPECT_EQ(reviews, 2);
  clock.Advance(1);
  cache.Find("a");
  EXPECT_EQ(reviews, 3);
}

TEST_F(TokenCacheTest, KeepsARefusalAndNoError) {
  review = [](const base::Secret&) { return AuthenticationResult{}; };
  TokenCache cache = Make();
  cache.Find("a");
  cache.Find("a");
  EXPECT_EQ(reviews, 1);
  review = [](const base::Secret&) { return AuthenticationResult::Failed("boom"); };
  EXPECT_EQ(cache.Find("b")->error, "boom");
  cache.Find("b");
  EXPECT_EQ(reviews, 3);
}

TEST_F(TokenCacheTest, ATtlOfZeroKeepsNothing) {
  ttl = 0s;
  TokenCache cache = Make();
  cache.Find("a");
  cache.Find("a");
  EXPECT_EQ(reviews, 2);
}

TEST_F(TokenCacheTest, CachedDoesNotReview) {
  TokenCache cache = Make();
  EXPECT_EQ(cache.Cached("a", 0), nullptr);
  EXPECT_EQ(reviews, 0);
  cache.Find("a");
  EXPECT_NE(cache.Cached("a", base::kSecond), nullptr);
  clock.Advance(9 * base::kSecond);
  EXPECT_EQ(cache.Cached("a", base::kSecond), nullptr);
  EXPECT_NE(cache.Cached("a", 0), nullptr);
}

TEST_F(TokenCacheTest, CallersOfOneTokenShareAReview) {
  constexpr int kCallers = 50;
  std::atomic<bool> answer{false};
  review = [&](const base::Secret&) {
    Eventually([&] { return answer.load(); });
    return AuthenticationResult::Of({.name = "alice"});
  };
  ttl = 0s;  // the calls share the review in flight, not the cache
  TokenCache cache = Make();
  std::atomic<int> asking{0}, found{0};
  std::vector<std::jthread> callers;
  for (int i = 0; i < kCallers; ++i) {
    callers.emplace_back([&] {
      ++asking;
      found += cache.Find("t")->user->name == "alice" ? 1 : 0;
    });
  }
  ASSERT_TRUE(Eventually([&] { return asking == kCallers && cache.waiting() == kCallers - 1; }));
  answer = true;
  callers.clear();
  EXPECT_EQ(found, kCallers);
  EXPECT_EQ(reviews, 1);
}

TEST_F(TokenCacheTest, DifferentTokensAreReviewedAtTheSameTime) {
  std::latch both(2);
  review = [&](const base::Secret& token) {
    both.arrive_and_wait();
    return AuthenticationResult::Of({.name = token.Reveal()});
  };
  TokenCache cache = Make();
  std::jthread other([&] { EXPECT_EQ(cache.Find("b")->user->name, "b"); });
  EXPECT_EQ(cache.Find("a")->user->name, "a");
}

TEST_F(TokenCacheTest, TheNumberOfTokensIsLimited) {
  limit = 10;
  TokenCache cache = Make();
  for (int i = 0; i < 1000; ++i) cache.Find(std::to_string(i));
  EXPECT_EQ(cache.size(), 10u);
  reviews = 0;
  for (int i = 990; i < 1000; ++i) cache.Find(std::to_string(i));
  EXPECT_EQ(reviews, 0);
}

TEST_F(TokenCacheTest, AReviewThatThrowsIsAnErrorForItsCallers) {
  log::Capture quiet;
  review = [](const base::Secret&) -> AuthenticationResult { throw std::runtime_error("no memory"); };
  TokenCache cache = Make();
  EXPECT_EQ(cache.Find("a")->error, "authentication failed unexpectedly");
  review = [](const base::Secret&) { return AuthenticationResult::Of({.name = "alice"}); };
  EXPECT_EQ(cache.Find("a")->user->name, "alice");
}

}  // namespace
}  // namespace berth::access

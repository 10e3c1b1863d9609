#include "cluster/reflector/outage.h"

#include <gtest/gtest.h>

namespace berth::reflector {
namespace {

using base::kSecond;

struct OutageTest : testing::Test {
  base::VirtualClock clock{1'000 * kSecond};
  Outage outage{clock};
};

TEST_F(OutageTest, StartsWithTheFirstFailure) {
  EXPECT_FALSE(outage.state());
  outage.Broke("connection reset by peer");
  clock.Advance(2 * kSecond);
  outage.Broke("connection refused");
  clock.Advance(40 * kSecond);
  const auto state = outage.state();
  ASSERT_TRUE(state);
  EXPECT_EQ(state->since_unix_ns, 1'000 * kSecond);
  EXPECT_EQ(state->lasted_ns, 42 * kSecond);
  EXPECT_EQ(state->why, "connection refused");
}

TEST_F(OutageTest, EndsWhenTheServerSendsSomething) {
  outage.Broke("no");
  outage.Accepted();
  EXPECT_TRUE(outage.state());
  outage.Mended();
  EXPECT_FALSE(outage.state());
  clock.Advance(100 * kSecond);
  outage.Broke("again");
  EXPECT_EQ(outage.state()->since_unix_ns, 1'100 * kSecond);
}

TEST_F(OutageTest, EndsWhenAQuietWatchStaysOpen) {
  outage.Broke("no");
  outage.Accepted();
  clock.Advance(kSecond - 1);
  EXPECT_TRUE(outage.state());
  clock.Advance(1);
  EXPECT_FALSE(outage.state());
  clock.Advance(100 * kSecond);
  outage.Broke("again");
  ASSERT_TRUE(outage.state());
  EXPECT_EQ(outage.state()->since_unix_ns, 1'101 * kSecond);
}

TEST_F(OutageTest, ContinuesWhileEveryWatchEndsAtOnce) {
  for (int i = 0; i < 20; ++i) {
    outage.Accepted();
    outage.Broke("EOF");
    clock.Advance(3 * kSecond);
  }
  EXPECT_EQ(outage.state()->lasted_ns, 60 * kSecond);
}

}  // namespace
}  // namespace berth::reflector

// The memory limit and the environment of the child process.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include "reload/canary/canary_environment.h"
#include "reload/canary/memory_limit.h"

namespace berth::canary {
namespace {

using testing::Contains;
using testing::Not;
using testing::StartsWith;

TEST(Headroom, IsHalfOfWhatIsLeftWithinBounds) {
  EXPECT_EQ(HeadroomOf(uint64_t{1200} << 20), uint64_t{600} << 20);
  EXPECT_EQ(HeadroomOf(0), kLeastHeadroom);
  EXPECT_EQ(HeadroomOf(~uint64_t{0}), kMostHeadroom);
}

TEST(MemoryLimit, IsNotNotableWhereThereIsNone) { EXPECT_FALSE(MemoryLimit::Taken().notable); }

TEST(ScrubbedEnvironment, KeepsLanguageZoneAndPathAndWhatIsNamed) {
  setenv("TZ", "UTC", 1);
  setenv("LC_ALL", "C", 1);
  setenv("KUBECONFIG", "/home/somebody/config", 1);
  setenv("BERTH_TEST_STATE", "4,5", 1);
  setenv("BERTH_TEST_TOKEN", "secret", 1);
  const auto scrubbed = ScrubbedEnvironment({"BERTH_TEST_STATE"});
  EXPECT_THAT(scrubbed, Contains("TZ=UTC"));
  EXPECT_THAT(scrubbed, Contains("LC_ALL=C"));
  EXPECT_THAT(scrubbed, Contains("BERTH_TEST_STATE=4,5"));
  EXPECT_THAT(scrubbed, Not(Contains(StartsWith("KUBECONFIG"))));
  EXPECT_THAT(scrubbed, Not(Contains(StartsWith("BERTH_TEST_TOKEN"))));
  for (const char* name : {"TZ", "LC_ALL", "KUBECONFIG", "BERTH_TEST_STATE", "BERTH_TEST_TOKEN"}) unsetenv(name);
}

}  // namespace
}  // namespace berth::canary

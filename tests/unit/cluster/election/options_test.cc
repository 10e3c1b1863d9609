#include "cluster/election/election_options.h"

#include <gtest/gtest.h>

namespace berth::election {
namespace {

using std::chrono::nanoseconds;
using std::chrono::seconds;

struct OptionsCase {
  const char* name;
  nanoseconds lease = seconds(15), renew = seconds(10), retry = seconds(2);
  const char* identity = "me";
  const char* want;
};
class Options : public testing::TestWithParam<OptionsCase> {};

// The errors of k8s.io/client-go/tools/leaderelection NewLeaderElector.
TEST_P(Options, AreChecked) {
  ElectionOptions options;
  options.lease_duration = GetParam().lease;
  options.renew_deadline = GetParam().renew;
  options.retry_period = GetParam().retry;
  options.identity = GetParam().identity;
  const auto checked = CheckOptions(options);
  EXPECT_EQ(checked ? "" : checked.error().message, GetParam().want);
}

INSTANTIATE_TEST_SUITE_P(
    Of, Options,
    testing::Values(
        OptionsCase{.name = "Defaults", .want = ""},
        OptionsCase{.name = "Lease", .lease = seconds(10), .want = "leaseDuration must be greater than renewDeadline"},
        OptionsCase{.name = "Renew",
                    .renew = nanoseconds(2'400'000'000),
                    .want = "renewDeadline must be greater than retryPeriod*JitterFactor"},
        OptionsCase{.name = "Retry", .retry = nanoseconds(0), .want = "retryPeriod must be greater than zero"},
        OptionsCase{.name = "Identity", .identity = "", .want = "Lock identity is empty"}),
    [](const auto& info) { return std::string(info.param.name); });

TEST(RequestTimeout, IsHalfOfRenewDeadlineAndAtLeastASecond) {
  EXPECT_EQ(RequestTimeout(seconds(10)), seconds(5));
  EXPECT_EQ(RequestTimeout(seconds(1)), seconds(1));
}

}  // namespace
}  // namespace berth::election

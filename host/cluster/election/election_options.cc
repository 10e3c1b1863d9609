#include "cluster/election/election_options.h"

#include <algorithm>

namespace berth::election {

base::Result<void> CheckOptions(const ElectionOptions& options) {
  using std::chrono::nanoseconds;
  const auto jittered =
      nanoseconds(static_cast<int64_t>(kJitterFactor * static_cast<double>(options.retry_period.count())));
  if (options.lease_duration <= options.renew_deadline) {
    return base::Fail("leaseDuration must be greater than renewDeadline");
  }
  if (options.renew_deadline <= jittered)
    return base::Fail("renewDeadline must be greater than retryPeriod*JitterFactor");
  if (options.lease_duration.count() < 1) return base::Fail("leaseDuration must be greater than zero");
  if (options.renew_deadline.count() < 1) return base::Fail("renewDeadline must be greater than zero");
  if (options.retry_period.count() < 1) return base::Fail("retryPeriod must be greater than zero");
  if (options.identity.empty()) return base::Fail("Lock identity is empty");
  return {};
}

std::chrono::nanoseconds RequestTimeout(std::chrono::nanoseconds renew_deadline) {
  return std::max<std::chrono::nanoseconds>(renew_deadline / 2, std::chrono::seconds(1));
}

}  // namespace berth::election

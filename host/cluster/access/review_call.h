// Creates a review object (TokenReview, SubjectAccessReview) and waits for the answer: with a rate limit, a time limit,
// and repetitions after temporary failures. Sources: k8s.io/apiserver pkg/util/webhook/webhook.go
// (WithExponentialBackoff, DefaultShouldRetry), pkg/server/options/authentication.go (DefaultAuthWebhookRetryBackoff,
// getClient). Thread: any, concurrently; Create blocks. It must not be called on a thread of the transport. Ownership:
// transport and clock outlive it.
#pragma once

#include <chrono>
#include <functional>
#include <stop_token>
#include <string>

#include "base/clock.h"
#include "base/random.h"
#include "base/result.h"
#include "base/thread_annotations.h"
#include "client/http/transport.h"
#include "client/requests/rate_limiter.h"
#include "codec/json/value.h"
#include "telemetry/metrics/access_metrics.h"

namespace berth::access {

struct ReviewLimits {
  std::chrono::nanoseconds try_time{std::chrono::seconds(10)};    // for one answer
  std::chrono::nanoseconds total_time{std::chrono::seconds(10)};  // for all tries and pauses; 0 = unlimited
  double qps = 200;                                               // of all calls
  int burst = 400;
  int tries = 5;
  std::chrono::nanoseconds first_pause{std::chrono::milliseconds(500)};
  double pause_factor = 1.5, pause_jitter = 0.2;
};

class ReviewCall {
 public:
  // Waits that long; false: stop was requested.
  using Pause = std::function<bool(std::chrono::nanoseconds, const std::stop_token&)>;

  // metrics: get each answer; may be null, and outlive the object.
  ReviewCall(http::Transport& transport, const base::Clock& clock, ReviewLimits limits = {},
             metrics::ReviewMetrics* metrics = nullptr);
  ReviewCall(http::Transport& transport, const base::Clock& clock, ReviewLimits limits, Pause pause,
             metrics::ReviewMetrics* metrics = nullptr);

  // The object as the server returns it. path: "/apis/authorization.k8s.io/v1/subjectaccessreviews". The error is that
  // of the last try.
  base::Result<json::Value> Create(const std::string& path, const json::Value& review);
  // Ends all calls, and all later ones, with an error.
  void Close() { stop_.request_stop(); }

 private:
  struct Try {
    base::Result<json::Value> result;
    bool again = false;
    std::chrono::nanoseconds server_pause{0};  // that the server requests
  };
  Try Once(const std::string& path, const std::string& body, int64_t deadline_ns);
  http::Reply SendMeasured(http::Request request, std::chrono::nanoseconds time);
  http::Reply SendWithin(http::Request request, std::chrono::nanoseconds time);
  base::Result<void> WaitForTurn(int64_t deadline_ns);
  std::chrono::nanoseconds Jittered(std::chrono::nanoseconds pause);
  int64_t Left(int64_t deadline_ns) const;

  http::Transport& transport_;
  const base::Clock& clock_;
  const ReviewLimits limits_;
  const Pause pause_;
  metrics::ReviewMetrics* const metrics_;
  std::stop_source stop_;
  base::Mutex mutex_;
  requests::RateLimiter rate_ GUARDED_BY(mutex_);
  base::Random random_ GUARDED_BY(mutex_);
};

}  // namespace berth::access

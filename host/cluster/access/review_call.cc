#include "cluster/access/review_call.h"

#include <algorithm>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <optional>
#include <random>
#include <utility>

#include "base/pause.h"
#include "base/text.h"
#include "client/requests/api_status.h"

namespace berth::access {
namespace {

constexpr int64_t kForever = INT64_MAX;
constexpr const char* kLate = "context deadline exceeded";
constexpr const char* kEnds = "context canceled";

// The reply may come after the caller has given up.
struct Pending {
  base::Mutex mutex;
  std::condition_variable_any arrived;
  std::optional<http::Reply> reply GUARDED_BY(mutex);
};

// Source: k8s.io/apiserver pkg/util/webhook/webhook.go DefaultShouldRetry. A reply without a v1.Status gets its reason
// from its code, as in apimachinery's NewGenericServerResponse.
bool MayWorkLater(const http::Reply& reply, const requests::ApiStatus& status) {
  if (reply.status == 0) return reply.error.find("connection reset by peer") != std::string::npos;
  if (status.retry_after_seconds.value_or(0) > 0 || status.reason == "ServerTimeout") return true;
  if (status.code == 429 || status.reason == "InternalError" || status.reason == "Timeout") return true;
  return status.reason.empty() && (status.code == 500 || status.code == 504);
}

http::Reply NoReply(const http::Request& request, const char* why) {
  http::Reply reply;
  reply.error = "Post " + base::Quoted(request.path) + ": " + why;
  return reply;
}

}  // namespace

ReviewCall::ReviewCall(http::Transport& transport, const base::Clock& clock, ReviewLimits limits,
                       metrics::ReviewMetrics* metrics)
    : ReviewCall(transport, clock, limits, base::PauseFor, metrics) {}

ReviewCall::ReviewCall(http::Transport& transport, const base::Clock& clock, ReviewLimits limits, Pause pause,
                       metrics::ReviewMetrics* metrics)
    : transport_(transport),
      clock_(clock),
      limits_(limits),
      pause_(std::move(pause)),
      metrics_(metrics),
      rate_(limits.qps, limits.burst),
      random_(std::random_device()()) {}

base::Result<json::Value> ReviewCall::Create(const std::string& path, const json::Value& review) {
  const std::string body = json::Dump(review);
  const int64_t total = limits_.total_time.count();
  const int64_t deadline = total > 0 ? clock_.MonoNs() + total : kForever;
  std::chrono::nanoseconds pause = limits_.first_pause;
  for (int tries = 1;; ++tries) {
    Try one = Once(path, body, deadline);
    if (!one.again || tries >= limits_.tries) return std::move(one.result);
    const std::chrono::nanoseconds wait = std::max(Jittered(pause), one.server_pause);
    if (wait.count() >= Left(deadline) || !pause_(wait, stop_.get_token())) return std::move(one.result);
    pause = std::chrono::nanoseconds(static_cast<int64_t>(static_cast<double>(pause.count()) * limits_.pause_factor));
  }
}

ReviewCall::Try ReviewCall::Once(const std::string& path, const std::string& body, int64_t deadline_ns) {
  if (auto turn = WaitForTurn(deadline_ns); !turn) return {tl::unexpected(turn.error())};
  http::Request request{.method = "POST", .path = path, .body = body, .content_type = "application/json"};
  const auto time = std::min<int64_t>(limits_.try_time.count(), Left(deadline_ns));
  const http::Reply reply = SendMeasured(std::move(request), std::chrono::nanoseconds(time));
  if (reply.ok()) {
    base::Result<json::Value> answer = json::Parse(reply.body);
    if (!answer) return {base::Fail("the answer to a review is no JSON: " + answer.error().message)};
    return {std::move(answer)};
  }
  requests::ApiStatus status = requests::StatusOf(reply, "create " + path);
  const std::chrono::seconds server_pause(std::clamp<int64_t>(status.retry_after_seconds.value_or(0), 0, 60));
  return {base::Fail(status.message), MayWorkLater(reply, status), server_pause};
}

http::Reply ReviewCall::SendMeasured(http::Request request, std::chrono::nanoseconds time) {
  const int64_t began = clock_.MonoNs();
  http::Reply reply = SendWithin(std::move(request), time);
  if (metrics_ != nullptr) metrics_->Answered(reply.status, base::InSeconds(clock_.MonoNs() - began));
  return reply;
}

http::Reply ReviewCall::SendWithin(http::Request request, std::chrono::nanoseconds time) {
  auto pending = std::make_shared<Pending>();
  const http::Reply late = NoReply(request, kLate);
  const http::Reply closed = NoReply(request, kEnds);
  transport_.Send(std::move(request), [pending](http::Reply reply) {
    base::MutexLock lock(pending->mutex);
    pending->reply = std::move(reply);
    pending->arrived.notify_all();
  });
  Pending& here = *pending;
  base::MutexLock lock(here.mutex);
  here.arrived.wait_for(lock, stop_.get_token(), time,
                        [&here]() REQUIRES(here.mutex) { return here.reply.has_value(); });
  if (here.reply) return std::move(*here.reply);
  return stop_.stop_requested() ? closed : late;
}

base::Result<void> ReviewCall::WaitForTurn(int64_t deadline_ns) {
  while (true) {
    if (stop_.stop_requested()) return base::Fail(kEnds);
    int64_t wait = 0;
    {
      base::MutexLock lock(mutex_);
      wait = rate_.Take(clock_.MonoNs());
    }
    if (wait == 0) return {};
    if (wait >= Left(deadline_ns))
      return base::Fail("client rate limiter Wait returned an error: " + std::string(kLate));
    pause_(std::chrono::nanoseconds(wait), stop_.get_token());
  }
}

std::chrono::nanoseconds ReviewCall::Jittered(std::chrono::nanoseconds pause) {
  base::MutexLock lock(mutex_);
  constexpr uint64_t kSteps = 1'000'000;
  const double part = static_cast<double>(random_.Below(kSteps)) / kSteps;
  return pause + std::chrono::nanoseconds(
                     static_cast<int64_t>(static_cast<double>(pause.count()) * limits_.pause_jitter * part));
}

int64_t ReviewCall::Left(int64_t deadline_ns) const {
  return deadline_ns == kForever ? kForever : std::max<int64_t>(0, deadline_ns - clock_.MonoNs());
}

}  // namespace berth::access

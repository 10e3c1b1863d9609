#include "cluster/election/lease_watch.h"

#include <chrono>
#include <utility>

#include "client/http/await.h"
#include "client/http/io_thread.h"
#include "client/requests/api_status.h"
#include "client/requests/line_sink.h"
#include "client/requests/watch_event.h"
#include "cluster/election/lease_lock.h"
#include "cluster/election/requests.h"
#include "telemetry/log/log.h"

namespace berth::election {
namespace {

// How long until the watch starts again. If the server refuses the watch, it starts again after a minute.
std::chrono::milliseconds DelayAfter(const http::Reply& reply, base::Random& random) {
  const bool refused = reply.status >= 400 && reply.status < 500 && reply.status != 429;
  const uint64_t base = refused ? 60'000 : reply.ok() && reply.error.empty() ? 500 : 1'000;
  return std::chrono::milliseconds(base + random.Below(base));
}

}  // namespace

bool ShowsChange(std::string_view line) {
  const auto event = requests::WatchEvent::Split(line);
  return event && (event->type() == "ADDED" || event->type() == "MODIFIED" || event->type() == "DELETED");
}

LeaseWatch::LeaseWatch(http::Transport& transport, const ElectionOptions& options, std::function<void()> on_change,
                       uint64_t seed)
    : transport_(transport), options_(options), on_change_(std::move(on_change)), random_(seed) {
  http::StartOnIo([this] { return Loop(); });
}

base::Async<void> LeaseWatch::End() {
  RequestStop();
  co_await base::Bell::Rung(*ended_, http::PostToIo, {});
}

// The bell is the last action: this object may be destroyed after it.
base::Async<void> LeaseWatch::Loop() {
  while (!stopping()) {
    // The server ends the watch after this time. It is random, so that followers start watches at different times.
    const http::Reply reply = co_await WatchOnce(300 + static_cast<int64_t>(random_.Below(300)));
    if (stopping()) break;
    if (!reply.ok()) {
      ReportFailure(requests::StatusOf(reply, "watch lease " + options_.lock()).message);
    } else if (!reply.error.empty()) {
      ReportFailure(reply.error);
    }
    co_await http::PauseAsync(DelayAfter(reply, random_), stop_.get_token());
  }
  ended_->Ring();
}

base::Async<http::Reply> LeaseWatch::WatchOnce(int64_t timeout_seconds) {
  const std::function<bool(std::string_view)> line = [this](std::string_view text) {
    if (ShowsChange(text)) on_change_();
    return true;
  };
  const std::function<void(int)> status = [this](int code) {
    if (code >= 200 && code < 300) failing_ = false;
  };
  requests::LineSink sink(line, status, requests::LineFramer(kLongestObject));
  http::Request request = WatchRequest(LeasesPath(options_.ns), options_.name, timeout_seconds);
  co_return co_await http::StreamAsync(transport_, std::move(request), sink, stop_.get_token());
}

void LeaseWatch::ReportFailure(const std::string& why) {
  if (std::exchange(failing_, true)) return;
  log::Info("Cannot watch the leader lease; its release is noticed at the next retry",
            {{"lock", options_.lock()}, {"err", why}});
}

}  // namespace berth::election

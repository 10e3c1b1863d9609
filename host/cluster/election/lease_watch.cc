#include "cluster/election/lease_watch.h"

#include <chrono>
#include <utility>

#include "base/pause.h"
#include "base/random.h"
#include "base/thread_name.h"
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
    : transport_(transport),
      options_(options),
      on_change_(std::move(on_change)),
      seed_(seed),
      thread_([this](const std::stop_token& stop) { Loop(stop); }) {}

void LeaseWatch::Loop(const std::stop_token& stop) {
  base::NameThread("lease-watch");
  base::Random random(seed_);
  while (!stop.stop_requested()) {
    // The server ends the watch after this time. It is random, so that followers start watches at different times.
    const http::Reply reply = WatchOnce(stop, 300 + static_cast<int64_t>(random.Below(300)));
    if (stop.stop_requested()) return;
    if (!reply.ok()) {
      ReportFailure(requests::StatusOf(reply, "watch lease " + options_.lock()).message);
    } else if (!reply.error.empty()) {
      ReportFailure(reply.error);
    }
    base::PauseFor(DelayAfter(reply, random), stop);
  }
}

http::Reply LeaseWatch::WatchOnce(const std::stop_token& stop, int64_t timeout_seconds) {
  const auto line = [this](std::string_view text) {
    if (ShowsChange(text)) on_change_();
    return true;
  };
  const auto status = [this](int code) {
    if (code >= 200 && code < 300) failing_ = false;
  };
  requests::LineSink sink(line, status, requests::LineFramer(kLongestObject));
  return transport_.Stream(WatchRequest(LeasesPath(options_.ns), options_.name, timeout_seconds), sink, stop);
}

void LeaseWatch::ReportFailure(const std::string& why) {
  if (std::exchange(failing_, true)) return;
  log::Info("Cannot watch the leader lease; its release is noticed at the next retry",
            {{"lock", options_.lock()}, {"err", why}});
}

}  // namespace berth::election

#include "cluster/election/candidate_keeper.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/pause.h"
#include "client/requests/api_status.h"
#include "client/requests/line_sink.h"
#include "client/requests/watch_event.h"
#include "cluster/election/requests.h"
#include "telemetry/log/log.h"

namespace berth::election {
namespace {

constexpr int64_t kRenewEvery = 300 * base::kSecond;  // requeueInterval

}  // namespace

CandidateKeeper::CandidateKeeper(CandidateOptions options, http::Transport& transport, const base::Clock& clock,
                                 uint64_t seed)
    : options_(std::move(options)), transport_(transport), clock_(clock), random_(seed) {}

void CandidateKeeper::Run(const std::stop_token& stop) {
  constexpr uint64_t kShortest = 500, kLongest = 8'000;  // ms; a ping waits for no longer than this
  uint64_t delay = kShortest;
  while (!stop.stop_requested()) {
    const bool good = Ensure() && Watch(stop);
    delay = good ? kShortest : std::min(2 * delay, kLongest);
    base::PauseFor(std::chrono::milliseconds(delay / 2 + random_.Below(delay / 2)), stop);
  }
}

bool CandidateKeeper::Ensure() {
  http::Request read;
  read.path = options_.Path();
  const http::Reply reply = transport_.SendAndWait(std::move(read));
  if (reply.status == 404) {
    log::V(2, "Creating lease candidate");
    return Write(CreateCandidate(options_, clock_.WallUnixNs()), "create");
  }
  if (!reply.ok()) return Failed(reply, "get");
  auto candidate = json::Parse(reply.body);
  if (!candidate) {
    http::Reply unreadable;
    unreadable.error = "the reply is no LeaseCandidate: " + candidate.error().message;
    return Failed(unreadable, "get");
  }
  if (!IsPinged(*candidate) && clock_.MonoNs() < renew_at_ns_) return true;
  log::V(2, "Lease candidate exists. Renewing.");
  return Write(RenewCandidate(options_, std::move(*candidate), clock_.WallUnixNs()), "update");
}

bool CandidateKeeper::Write(http::Request request, const char* verb) {
  const http::Reply reply = transport_.SendAndWait(std::move(request));
  if (!reply.ok()) return Failed(reply, verb);
  renew_at_ns_ = clock_.MonoNs() + kRenewEvery;
  failing_ = false;
  synced_.store(true, std::memory_order_release);
  return true;
}

bool CandidateKeeper::Watch(const std::stop_token& stop) {
  const int64_t left = std::max<int64_t>(1, (renew_at_ns_ - clock_.MonoNs()) / base::kSecond);
  requests::LineSink sink([this](std::string_view line) { return OnLine(line); }, {},
                          requests::LineFramer(kLongestObject));
  const http::Reply reply = transport_.Stream(WatchRequest(options_.ListPath(), options_.name, left), sink, stop);
  return stop.stop_requested() || reply.ok() || Failed(reply, "watch");
}

bool CandidateKeeper::OnLine(std::string_view line) {
  const auto event = requests::WatchEvent::Split(line);
  if (!event || event->type() == "ERROR" || event->type() == "DELETED") return false;
  if (event->type() == "BOOKMARK") return true;
  const auto candidate = json::Parse(event->object());
  return candidate && !IsPinged(*candidate);
}

bool CandidateKeeper::Failed(const http::Reply& reply, const char* verb) {
  const std::string what = std::string(verb) + " leasecandidate " + options_.ns + "/" + options_.name;
  if (!std::exchange(failing_, true)) {
    log::Error("Ensuring lease failed", {{"err", requests::StatusOf(reply, what).message}});
  }
  return false;
}

}  // namespace berth::election

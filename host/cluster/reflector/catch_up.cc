// How a reflector catches up with the API server. This part of a Reflector blocks its caller.
#include <chrono>
#include <utility>

#include "base/clock.h"
#include "base/pause.h"
#include "cluster/reflector/encoded_object.h"
#include "cluster/reflector/reflector.h"
#include "telemetry/log/log.h"

namespace berth::reflector {
namespace {

constexpr std::chrono::milliseconds kCatchUpByWatch{20};
constexpr std::chrono::milliseconds kAskServerAgain{200};

}  // namespace

// The API server reads its version from etcd, and answers when its cache has this version, which takes up to 100 ms for
// a kind that does not change. A list takes as long, so a short one is requested in place of the version.
bool Reflector::CatchUp(const std::stop_token& stop) {
  std::optional<ServerState> server = AskServer(stop);
  if (!server) return !stop.stop_requested();
  const auto number = VersionNumber(server->version);
  const std::chrono::nanoseconds by_watch = server->list ? std::chrono::nanoseconds(0) : kCatchUpByWatch;
  if (number && progress_.WaitForVersion(*number, by_watch, stop)) return true;
  if (stop.stop_requested()) return false;  // a list would end a watch that works
  const uint64_t request = RequestList(std::move(server->list));
  std::optional<std::chrono::nanoseconds> most;
  if (kind_.optional) most = std::chrono::nanoseconds(unreadable_timeout_ns_);
  if (progress_.WaitForList(request, most, stop)) return true;
  if (stop.stop_requested()) return false;
  const std::string why = trouble();
  LogStaysBehind(why.empty() ? "the list takes too long" : why);
  return true;
}

// A list without a resourceVersion is never older than the moment of the request. nullopt: the server refuses to list
// an optional kind or cannot list it for some time, or stop.
std::optional<Reflector::ServerState> Reflector::AskServer(const std::stop_token& stop) {
  const base::RealClock clock;
  bool readable = true;
  int64_t failing_since = clock.MonoNs();
  do {
    const bool whole = readable && HasShortList();
    http::Reply reply = transport_.SendAndWait(StateRequest(whole));
    if (std::optional<ServerState> state = StateOf(reply, whole)) return state;
    readable = readable && !reply.ok() && !reply.too_large;
    const requests::ApiStatus status = requests::StatusOf(reply, "list " + kind_.resource);
    if (kind_.optional && (status.Forbidden() || status.NotFound())) return std::nullopt;
    log::V(1, "Cannot read the resourceVersion of the API server",
           {{"resource", kind_.resource}, {"err", status.message}});
    if (reply.status == 0) failing_since = clock.MonoNs();  // pods and nodes cannot be read either
    if (kind_.optional && clock.MonoNs() - failing_since >= unreadable_timeout_ns_) {
      LogStaysBehind(status.message);
      return std::nullopt;
    }
  } while (base::PauseFor(kAskServerAgain, stop));
  return std::nullopt;
}

// The version comes with one object, which is as short in JSON.
http::Request Reflector::StateRequest(bool whole) const {
  if (whole) return RequestFor(ListPath("?limit=" + std::to_string(kPageSize)));
  http::Request request;
  request.path = ListPath("?limit=1");
  return request;
}

// Moves a whole list out of the reply. nullopt: the reply is no list.
std::optional<Reflector::ServerState> Reflector::StateOf(http::Reply& reply, bool whole) {
  if (!reply.ok()) return std::nullopt;
  const api::ListMetadata metadata = MetadataOf(BodyOf(reply));
  if (metadata.resource_version.empty()) return std::nullopt;
  ServerState state{metadata.resource_version, std::nullopt};
  if (whole && metadata.next.empty()) state.list = std::move(reply);
  return state;
}

void Reflector::LogStaysBehind(const std::string& why) {
  log::Error("Cannot catch up with the API server: continuing with the known objects",
             {{"resource", kind_.resource}, {"err", why}, {"neededBy", kind_.needed_by}});
}

// Ends the current watch or list, for the list in this reply or for a new one. Returns the number of the request.
uint64_t Reflector::RequestList(std::optional<http::Reply> list) {
  uint64_t request = 0;
  std::stop_source exchange = [&] {
    base::MutexLock lock(mutex_);
    offered_list_ = std::move(list);
    request = ++list_requests_;
    return exchange_;
  }();
  exchange.request_stop();  // without the lock: it calls the transport
  return request;
}

}  // namespace berth::reflector

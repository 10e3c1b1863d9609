#include "client/http/connections.h"

#include <utility>

#include "client/http/cpprest_connection.h"
#include "client/http/http2_connection.h"
#include "client/http/io_thread.h"
#include "client/http/threads.h"

namespace berth::http {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds kBetweenRefusals{1};

uint64_t IdentityVersionOf(const Peer& peer) {
  return peer.options.tls.identity_version ? peer.options.tls.identity_version() : 0;
}

// null: HTTP/1.1 only. A proxy gets a request for a tunnel, which only cpprestsdk writes.
std::shared_ptr<Http2Pool> PoolOf(const std::shared_ptr<Peer>& peer) {
  const bool may_speak = peer->options.http2 && peer->server.https && !peer->proxy;
  return may_speak ? Http2Pool::Make(peer) : nullptr;
}

std::unique_ptr<Connection> Make(const std::shared_ptr<Peer>& peer, const std::shared_ptr<Http2Pool>& pool,
                                 std::chrono::milliseconds timeout) {
  if (!pool) return MakeCpprestConnection(peer, timeout);
  return std::make_unique<Http2Connection>(peer, pool, timeout);
}

}  // namespace

Connections::Connections(std::shared_ptr<Peer> of, std::stop_source on_change)
    : Connections(of, std::move(on_change), PoolOf(of)) {}

Connections::Connections(std::shared_ptr<Peer> of, std::stop_source on_change, const std::shared_ptr<Http2Pool>& pool)
    : peer(std::move(of)),
      identity_version(IdentityVersionOf(*peer)),
      since(Clock::now()),
      changed(std::move(on_change)),
      sends(Make(peer, pool, peer->options.timeout)),
      streams(Make(peer, pool, peer->options.idle_timeout)) {}

CurrentConnections::CurrentConnections(const std::shared_ptr<Peer>& peer)
    : current_(std::make_shared<Connections>(peer, std::stop_source())) {}

std::shared_ptr<Connections> CurrentConnections::Get() {
  base::MutexLock lock(mutex_);
  if (IdentityVersionOf(*current_->peer) != current_->identity_version) Replace(current_->peer);
  return current_;
}

void CurrentConnections::Renew(const std::shared_ptr<Peer>& peer) {
  base::MutexLock lock(mutex_);
  Replace(peer);
}

void CurrentConnections::Refused(const Connections& connections) {
  if (!connections.peer->has_shown_certificate()) return;  // a token goes with each request, not with the connection
  base::MutexLock lock(mutex_);
  if (current_.get() != &connections || Clock::now() - connections.since < kBetweenRefusals) return;
  // The streams of both end at the same time when the identity changes.
  Retire(std::make_shared<Connections>(current_->peer, current_->changed), false);
}

void CurrentConnections::Replace(const std::shared_ptr<Peer>& peer) {
  Retire(std::make_shared<Connections>(peer, std::stop_source()), true);
}

// On another thread: streams that end wait for their sinks, which may need a lock of the caller.
void CurrentConnections::Retire(std::shared_ptr<Connections> next, bool end_streams) {
  std::shared_ptr<Connections> old = std::exchange(current_, std::move(next));
  RunAt(Clock::now(), [old = std::move(old), end_streams]() mutable {
    RunOffIoThread([old = std::move(old), end_streams] {
      if (end_streams) std::stop_source(old->changed).request_stop();
    });
  });
}

}  // namespace berth::http

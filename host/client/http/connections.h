// The connections that a transport uses. A change of the identity or of the CAs replaces all of them: current requests
// end on the old connections, which are then closed, and later requests use new ones. Thread: any. Ownership: shared by
// the transport and its sends.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <stop_token>

#include "base/thread_annotations.h"
#include "client/http/connection.h"
#include "client/http/peer.h"

namespace berth::http {

class Http2Pool;

// The connections of one peer. They close after the last owner and the last request have ended.
struct Connections {
  Connections(std::shared_ptr<Peer> of, std::stop_source on_change);

  const std::shared_ptr<Peer> peer;
  const uint64_t identity_version;  // at the time of the first connection, or older
  const std::chrono::steady_clock::time_point since;
  const std::stop_source changed;  // stopped when streams must move to connections of another identity
  const std::unique_ptr<Connection> sends, streams;  // with HTTP/2, over the same links

 private:
  Connections(std::shared_ptr<Peer> of, std::stop_source on_change, const std::shared_ptr<Http2Pool>& pool);
};

class CurrentConnections {
 public:
  explicit CurrentConnections(const std::shared_ptr<Peer>& peer);

  // For a request that starts now.
  std::shared_ptr<Connections> Get();
  // Later requests use connections of that peer. Ends the streams of the old ones.
  void Renew(const std::shared_ptr<Peer>& peer);
  // The server answered 401 over these. If they use a client certificate, later requests use new connections, which are
  // made at most once a second. Streams continue.
  void Refused(const Connections& connections);

 private:
  void Replace(const std::shared_ptr<Peer>& peer) REQUIRES(mutex_);
  void Retire(std::shared_ptr<Connections> next, bool end_streams) REQUIRES(mutex_);

  base::Mutex mutex_;
  std::shared_ptr<Connections> current_ GUARDED_BY(mutex_);
};

}  // namespace berth::http

// Which connections of a transport are in use. They are replaced as a whole when who we are or whom we trust changes:
// requests under way end on the old ones, which are then closed, and every later request uses new ones.
// Thread: any. Ownership: shared by the transport and by its sends.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <stop_token>

#include "http/peer.h"
#include "http/pipe.h"

namespace berth::http {

// The connections made as one peer. They close when the last owner and the last request are gone.
struct Connections {
  Connections(std::shared_ptr<Peer> of, std::stop_source changed);

  const std::shared_ptr<Peer> peer;
  const uint64_t identity_version;  // at the time of the first connection, or older
  const std::chrono::steady_clock::time_point since;
  const std::stop_source changed;  // stopped when streams over these have to move to connections of another identity
  Pipe sends, streams;
};

class CurrentConnections {
 public:
  explicit CurrentConnections(const std::shared_ptr<Peer>& peer);

  // For a request that starts now.
  std::shared_ptr<Connections> Get();
  // From now on requests use connections of that peer. Ends the streams of the old ones.
  void Renew(const std::shared_ptr<Peer>& peer);
  // The server answered 401 over these. If they show a client certificate, later requests use new ones, which are made
  // once a second at most. Streams go on.
  void Refused(const Connections& connections);

 private:
  // Under the lock.
  void Replace(const std::shared_ptr<Peer>& peer);
  void Retire(std::shared_ptr<Connections> next, bool end_streams);

  std::mutex mutex_;  // guards what follows
  std::shared_ptr<Connections> current_;
};

}  // namespace berth::http

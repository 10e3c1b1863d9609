// Connections over cpprestsdk, which speaks HTTP/1.1: one for each request in flight. For servers without TLS or
// HTTP/2, and through proxies. Thread: any.
#pragma once

#include <chrono>
#include <memory>
#include <mutex>

#include "client/http/connection.h"
#include "client/http/peer.h"

namespace berth::http {

// Throws cpprestsdk's exceptions about the URLs of the server and the proxy.
void CheckUrls(const Peer& peer);

// timeout: without traffic in either direction. For URLs that passed CheckUrls.
std::unique_ptr<Connection> MakeCpprestConnection(std::shared_ptr<Peer> peer, std::chrono::milliseconds timeout);

// One that is made when it is first needed. Thread: any.
class LazyConnection {
 public:
  LazyConnection(std::shared_ptr<Peer> peer, std::chrono::milliseconds timeout)
      : peer_(std::move(peer)), timeout_(timeout) {}
  Connection& Get() {
    std::call_once(once_, [this] { connection_ = MakeCpprestConnection(peer_, timeout_); });
    return *connection_;
  }

 private:
  const std::shared_ptr<Peer> peer_;
  const std::chrono::milliseconds timeout_;
  std::once_flag once_;
  std::unique_ptr<Connection> connection_;
};

}  // namespace berth::http

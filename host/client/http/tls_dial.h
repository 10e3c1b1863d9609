// Connects to a server by TCP and TLS, and negotiates HTTP/2 or HTTP/1.1 (ALPN). Thread: the I/O thread.
#pragma once

#include <utility>  // missing in Boost.Asio 1.74
//
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl.hpp>
#include <functional>
#include <memory>

#include "client/http/failure.h"
#include "client/http/peer.h"

namespace berth::http {

// A connection after its handshake. Ownership: holds the peer, which its TLS functions use.
class TlsChannel {
 public:
  using Stream = boost::asio::ssl::stream<boost::asio::ip::tcp::socket>;

  // Throws SetupFault.
  explicit TlsChannel(std::shared_ptr<Peer> peer);

  Stream& stream() { return *stream_; }
  bool speaks_http2();
  // Whether a read would return at once, or part of a record has arrived.
  bool HasUnread();
  // The number of an error for Explain. Numbers of errno, of Asio, and of OpenSSL overlap.
  static int CodeOf(const boost::system::error_code& error);
  // Ends all operations on it.
  void Close();

 private:
  const std::shared_ptr<Peer> peer_;
  boost::asio::ssl::context context_;
  std::unique_ptr<Stream> stream_;
};

// One of both is null. The fault has a sentence that Explain understands.
using Dialed = std::function<void(std::shared_ptr<TlsChannel>, const Fault*)>;
// Calls done once, later. The time limit is that of the peer's requests.
void DialTls(const std::shared_ptr<Peer>& peer, Dialed done);

}  // namespace berth::http

// The bytes of one accepted connection: plain, or TLS over it. For the session only. Thread: the listener's first.
#pragma once

#include <utility>  // missing in Boost.Asio 1.74
//
#include <boost/asio/ssl/stream.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "client/http/server_tls.h"

namespace berth::http {

class Wire {
 public:
  using Plain = boost::beast::tcp_stream;
  using Tls = boost::asio::ssl::stream<boost::beast::tcp_stream>;

  // tls: nullptr = a plain connection; otherwise it must outlive the object.
  Wire(boost::asio::ip::tcp::socket socket, const ServerTls* tls);

  bool tls() const { return std::holds_alternative<Tls>(stream_); }
  Tls& over_tls() { return std::get<Tls>(stream_); }
  // The connection below TLS, with its timeout.
  Plain& tcp() { return tls() ? over_tls().next_layer() : std::get<Plain>(stream_); }
  // Calls f with the stream that carries HTTP.
  template <class F>
  void With(F f) {
    std::visit(std::move(f), stream_);
  }

  // "127.0.0.1:40112"; "" after the client has disconnected.
  std::string RemoteAddress();
  // What the client presented in the handshake: DER, its own certificate first.
  std::vector<std::string> ClientCertificates();

 private:
  std::variant<Plain, Tls> stream_;
};

}  // namespace berth::http

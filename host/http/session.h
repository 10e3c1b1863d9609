// One connection to the listener: requests and answers in turn. For listener.cc alone. Thread: the listener's.
// Ownership: its own, until the connection ends or the listener's io_context goes.
#pragma once

#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "http/listener.h"

namespace berth::http {

class Session : public std::enable_shared_from_this<Session> {
 public:
  Session(boost::asio::ip::tcp::socket socket, const Listener::Handler& handler)
      : stream_(std::move(socket)), handler_(handler) {}
  void Read();

 private:
  using Request = boost::beast::http::request<boost::beast::http::empty_body>;
  using Response = boost::beast::http::response<boost::beast::http::string_body>;
  using Error = boost::beast::error_code;

  void Answered(Error error);
  void Write(Response response);
  void Drain();
  Response Respond(const Request& request) const;
  Answer Ask(const Request& request) const;

  boost::beast::tcp_stream stream_;
  const Listener::Handler& handler_;
  boost::beast::flat_buffer buffer_;
  std::optional<boost::beast::http::request_parser<boost::beast::http::empty_body>> parser_;
  std::optional<Response> response_;
};

}  // namespace berth::http

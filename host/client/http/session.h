// One connection to the listener: it reads requests and sends answers in turn. For listener.cc only. Thread: the
// listener's first; answers that are not prompt are made on its second.
// Ownership: its own, until the connection ends or the listener's io_context goes.
#pragma once

#include <utility>  // missing in Boost.Asio 1.74
//
#include <boost/asio/thread_pool.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <list>
#include <memory>
#include <optional>
#include <string>

#include "client/http/listener.h"
#include "client/http/turnstile.h"

namespace berth::http {

class Session;

// The data that all sessions of one listener share. Outlives the io_context and the sessions in it.
struct Sessions {
  Sessions(Listener::Handler h, ListenerOptions o)
      : handler(std::move(h)), options(std::move(o)), answers(options.answers, options.waiting) {}
  // While the io_context lives: waits for the handler, and drops the sessions that wait for it.
  void End() {
    maker.reset();
    answers.DropWaiting();
  }
  // Closes the session that has been expendable for longest; false: there is none.
  bool MakeRoom();

  const Listener::Handler handler;
  const ListenerOptions options;
  size_t open = 0;
  // All sessions that neither wait for nor send an answer that is not prompt; the longest idle session comes first.
  std::list<Session*> expendable;
  Turnstile answers;  // that are not prompt
  std::optional<boost::asio::thread_pool> maker{std::in_place, 1};
};

class Session : public std::enable_shared_from_this<Session> {
 public:
  Session(boost::asio::ip::tcp::socket socket, Sessions& all);
  ~Session();
  Session(const Session&) = delete;
  void Read();
  // Closes the connection at once and frees its place.
  void Cut();

 private:
  using Request = boost::beast::http::request<boost::beast::http::empty_body>;
  using Response = boost::beast::http::response<boost::beast::http::string_body>;
  using Error = boost::beast::error_code;

  void OnHeader(Error error);
  void Refuse(boost::beast::http::status status);
  void AskWhenThereIsRoom();
  void AskOnTheOtherThread();
  Answer Ask() const;
  Response ResponseOf(Answer answer) const;
  void Write(Response response);
  void Answered(Error error);
  void Drain();
  // Marks it as expendable: appends it to the list of `all`.
  void SetExpendable(bool expendable);

  boost::beast::tcp_stream stream_;
  Sessions& all_;
  std::optional<std::list<Session*>::iterator> place_;  // in all_.expendable
  bool among_answers_ = false, cut_ = false;
  boost::beast::flat_buffer buffer_;
  std::optional<boost::beast::http::request_parser<boost::beast::http::empty_body>> parser_;
  std::optional<Response> response_;
};

}  // namespace berth::http

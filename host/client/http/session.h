// One connection to the listener: it reads requests and sends answers in turn. For listener.cc only. Thread: that of
// server_thread.h; answers that are not prompt are made on threads of the listener.
// Ownership: the session owns itself until the connection ends.
#pragma once

#include <utility>  // missing in Boost.Asio 1.74
//
#include <algorithm>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <list>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "base/task_threads.h"
#include "client/http/listener.h"
#include "client/http/turnstile.h"
#include "client/http/wire.h"

namespace berth::http {

class Session;

// The data that all sessions of one listener share. Outlives the sessions. Thread: that of the sessions, unless a
// function says otherwise.
struct Sessions {
  Sessions(Listener::Handler h, ListenerOptions o)
      : handler(std::move(h)),
        options(std::move(o)),
        answers(options.answers, options.waiting),
        maker({.name = "http-answers", .most = static_cast<uint32_t>(std::max<size_t>(options.answers, 1))}) {}
  // Waits for running handlers; none runs later. Not on the thread of the sessions.
  void StopMakers() {
    maker.Stop();
    slow_maker.Stop();
  }
  // Closes all connections. A session whose handler runs ends after that.
  void CloseAll();
  // Closes the session that has been expendable for longest; false: there is none.
  bool MakeRoom();

  const Listener::Handler handler;
  const ListenerOptions options;
  std::set<Session*> open;  // that have a connection
  // All sessions that neither wait for nor send an answer that is not prompt; the longest idle session comes first.
  std::list<Session*> expendable;
  static constexpr size_t kSlowAnswers = 2;

  Turnstile answers;  // that are neither prompt nor slow
  Turnstile slow_answers{kSlowAnswers, 0};
  base::TaskThreads maker;  // as many threads as answers
  base::TaskThreads slow_maker{{.name = "http-slow", .most = kSlowAnswers}};
};

class Session : public std::enable_shared_from_this<Session> {
 public:
  // life: is held until the session is destroyed, which happens on the thread of the sessions.
  static std::shared_ptr<Session> Make(boost::asio::ip::tcp::socket socket, Sessions& all, std::shared_ptr<void> life);
  Session(const Session&) = delete;
  void Begin();
  // Closes the connection at once and frees its place.
  void Cut();
  // The same, in the order of TCP: the client may still read what was sent.
  void Disconnect();

 private:
  using Response = boost::beast::http::response<boost::beast::http::string_body>;
  using Parser = boost::beast::http::request_parser<boost::beast::http::string_body>;
  using Error = boost::beast::error_code;

  Session(boost::asio::ip::tcp::socket socket, Sessions& all);
  ~Session();
  void OnHandshake(Error error);
  void RefusePlainText();
  void Read();
  void OnHeader(Error error);
  void ReadBody();
  void InviteBody();
  void OnBody(Error error);
  void Refuse(boost::beast::http::status status);
  void Respond();
  void AskWhenThereIsRoom(Turnstile& answers, base::TaskThreads& maker);
  void AskOnAnotherThread(base::TaskThreads& maker);
  Answer Ask() const;
  Response ResponseOf(Answer answer) const;
  void Send(Answer answer);
  void Write(Response response);
  void Answered(Error error);
  // A streamed answer; session_stream.cc.
  void Stream(Answer answer);
  void OnStreamHeader(Error error);
  void WatchClient();
  void Pump();
  void WritePiece(std::string piece);
  void OnPiece(Error error);
  void DropSource();
  void Close();
  void Drain();
  // Marks it as expendable: appends it to the list of `all`.
  void SetExpendable(bool expendable);
  // A handler that keeps this session.
  auto Then(void (Session::*next)(Error)) {
    return [self = shared_from_this(), next](Error error, auto&&...) { ((*self).*next)(error); };
  }

  Wire wire_;
  Sessions& all_;
  std::optional<std::list<Session*>::iterator> place_;  // in all_.expendable
  Turnstile* among_answers_ = nullptr;                  // the turnstile that it has entered
  bool cut_ = false;
  std::vector<std::string> client_certificates_;
  boost::beast::flat_buffer buffer_;
  std::optional<Parser> parser_;
  Incoming request_;  // from the end of a request to the end of its answer
  std::optional<Response> response_;
  // Of a streamed answer.
  std::optional<boost::beast::http::response_serializer<boost::beast::http::string_body>> stream_header_;
  std::shared_ptr<BodySource> source_;
  bool writing_ = false, complete_ = false;
  size_t n_unasked_ = 0;  // bytes that the client has sent after the request
  std::string piece_;     // that is being written
};

}  // namespace berth::http

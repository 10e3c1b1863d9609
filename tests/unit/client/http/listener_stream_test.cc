// Answers whose body is made while it is sent, over real sockets on loopback.
#include <gmock/gmock.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/thread_annotations.h"
#include "client/http/listener.h"
#include "eventually.h"

namespace berth::http {
namespace {

using std::chrono::milliseconds;
using testing::HasSubstr;
using testing::Not;

// A body that the test writes. It knows whether the listener still has it.
class Script {
 public:
  void Put(std::string piece) { Add(std::move(piece)); }
  void Complete() { Add(std::nullopt); }
  // Whether the listener has had the body and has destroyed it.
  bool dropped() {
    base::MutexLock lock(state_->mutex);
    return state_->dropped;
  }
  size_t left() {
    base::MutexLock lock(state_->mutex);
    return state_->pieces.size();
  }
  std::shared_ptr<BodySource> Source() { return std::make_shared<Body>(state_); }

 private:
  struct State {
    base::Mutex mutex;
    std::deque<std::optional<std::string>> pieces GUARDED_BY(mutex);
    std::function<void()> wake GUARDED_BY(mutex);
    bool dropped GUARDED_BY(mutex) = false;
  };
  class Body final : public BodySource {
   public:
    explicit Body(std::shared_ptr<State> state) : state_(std::move(state)) {}
    ~Body() override {
      base::MutexLock lock(state_->mutex);
      state_->dropped = true;
    }
    std::optional<std::string> Next() override {
      base::MutexLock lock(state_->mutex);
      if (state_->pieces.empty()) return "";
      std::optional<std::string> next = std::move(state_->pieces.front());
      state_->pieces.pop_front();
      return next;
    }
    void SetWake(std::function<void()> wake) override {
      base::MutexLock lock(state_->mutex);
      state_->wake = std::move(wake);
    }

   private:
    const std::shared_ptr<State> state_;
  };

  void Add(std::optional<std::string> piece) {
    base::MutexLock lock(state_->mutex);
    state_->pieces.push_back(std::move(piece));
    if (state_->wake) state_->wake();
  }

  const std::shared_ptr<State> state_ = std::make_shared<State>();
};

class StreamClient {
 public:
  StreamClient(uint16_t port, const std::string& line) {
    const timeval timeout{20, 0};
    setsockopt(fd_, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof(timeout));
    sockaddr_in address{.sin_family = AF_INET, .sin_port = htons(port), .sin_addr = {htonl(INADDR_LOOPBACK)}};
    EXPECT_EQ(connect(fd_, reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
    const std::string request = line + "\r\nHost: x\r\n\r\n";
    EXPECT_EQ(send(fd_, request.data(), request.size(), MSG_NOSIGNAL), static_cast<ssize_t>(request.size()));
  }
  ~StreamClient() { Close(); }
  StreamClient(const StreamClient&) = delete;

  // Reads until `end` has come, or to the end of the connection.
  std::string Until(const std::string& end) {
    std::string all;
    char bytes[65536];
    while (!all.ends_with(end)) {
      const ssize_t got = recv(fd_, bytes, sizeof(bytes), 0);
      if (got < 0) ADD_FAILURE() << "the connection is open, and this came: " << all.substr(0, 200);
      if (got <= 0) break;
      all.append(bytes, static_cast<size_t>(got));
    }
    return all;
  }
  void Send(const std::string& text) {
    EXPECT_EQ(send(fd_, text.data(), text.size(), MSG_NOSIGNAL), static_cast<ssize_t>(text.size()));
  }
  std::string Rest() { return Until("\x01no such end"); }
  void Close() {
    if (fd_ >= 0) close(std::exchange(fd_, -1));
  }

 private:
  int fd_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
};

std::unique_ptr<Listener> StartStreaming(Script& script, ListenerOptions options = {}) {
  auto listener = Listener::Start(
      "127.0.0.1:0",
      [&script](const Incoming& request) -> Answer {
        if (request.path != "/stream") return {.body = "ok"};
        return {.content_type = "text/event-stream", .body = "ignored", .source = script.Source()};
      },
      std::move(options));
  if (!listener) ADD_FAILURE() << listener.error().message;
  return std::move(*listener);
}

TEST(ListenerStream, SendsEachPieceWhenItIsThere) {
  Script script;
  script.Put("first");
  auto listener = StartStreaming(script);
  StreamClient client(listener->port(), "GET /stream HTTP/1.1");
  const std::string begin = client.Until("first\r\n");
  EXPECT_THAT(begin, HasSubstr("Content-Type: text/event-stream\r\n"));
  EXPECT_THAT(begin, HasSubstr("Transfer-Encoding: chunked\r\n"));
  EXPECT_THAT(begin, HasSubstr("Connection: close\r\n"));
  EXPECT_THAT(begin, Not(HasSubstr("Content-Length")));
  EXPECT_THAT(begin, Not(HasSubstr("ignored")));
  EXPECT_TRUE(begin.ends_with("\r\n\r\n5\r\nfirst\r\n")) << begin;
  script.Put("second");
  EXPECT_EQ(client.Until("second\r\n"), "6\r\nsecond\r\n");
  script.Complete();
  EXPECT_EQ(client.Rest(), "0\r\n\r\n");
  EXPECT_TRUE(Eventually([&] { return script.dropped(); }));
}

TEST(ListenerStream, AnOldClientReadsToTheEndOfTheConnection) {
  Script script;
  auto listener = StartStreaming(script);
  StreamClient client(listener->port(), "GET /stream HTTP/1.0");
  script.Put("a");
  script.Put("b");
  script.Complete();
  const std::string all = client.Rest();
  EXPECT_TRUE(all.ends_with("\r\n\r\nab")) << all;
  EXPECT_THAT(all, Not(HasSubstr("chunked")));
}

TEST(ListenerStream, HeadHasNoBody) {
  Script script;
  auto listener = StartStreaming(script);
  StreamClient client(listener->port(), "HEAD /stream HTTP/1.1\r\nConnection: close");
  EXPECT_TRUE(client.Rest().ends_with("\r\n\r\n"));
  EXPECT_TRUE(Eventually([&] { return script.dropped(); }));
}

TEST(ListenerStream, TheSourceEndsWhenTheClientDisconnects) {
  Script script;
  script.Put("first");
  auto listener = StartStreaming(script);
  StreamClient client(listener->port(), "GET /stream HTTP/1.1");
  client.Until("first\r\n");
  EXPECT_FALSE(script.dropped());
  client.Close();
  EXPECT_TRUE(Eventually([&] { return script.dropped(); }));
}

TEST(ListenerStream, AnIdleStreamOutlivesTheTimeForAnswersAndTakesNoPlaceOfOthers) {
  Script script;
  script.Put("first");
  const milliseconds brief(200);
  auto listener =
      StartStreaming(script, {.header_time = brief, .idle_time = brief, .answer_time = brief, .answers = 1});
  StreamClient client(listener->port(), "GET /stream HTTP/1.1");
  client.Until("first\r\n");
  // Another connection is closed after three of these times: by then the stream's would have been, too.
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(StreamClient(listener->port(), "GET /other HTTP/1.1").Rest().ends_with("ok"));
  }
  EXPECT_FALSE(script.dropped());
  script.Put("second");
  EXPECT_EQ(client.Until("second\r\n"), "6\r\nsecond\r\n");
}

TEST(ListenerStream, AClientThatDoesNotReadIsDisconnected) {
  Script script;
  const std::string piece(100'000, 'x');
  for (int i = 0; i < 400; ++i) script.Put(piece);
  auto listener = StartStreaming(script, {.answer_time = milliseconds(300)});
  StreamClient client(listener->port(), "GET /stream HTTP/1.1");
  EXPECT_TRUE(Eventually([&] { return script.dropped(); }));
  EXPECT_GT(script.left(), 0u) << "one piece at a time is taken";
}

TEST(ListenerStream, AClientThatSendsMoreThanItsRequestIsDisconnected) {
  Script script;
  script.Put("first");
  auto listener = StartStreaming(script);
  StreamClient client(listener->port(), "GET /stream HTTP/1.1");
  client.Until("first\r\n");
  client.Send(std::string(16 * 1024, 'x'));
  script.Put("second");
  EXPECT_EQ(client.Until("second\r\n"), "6\r\nsecond\r\n");
  client.Send("x");
  EXPECT_TRUE(Eventually([&] { return script.dropped(); }));
}

TEST(ListenerStream, TheEndOfTheListenerClosesStreams) {
  Script script;
  script.Put("first");
  auto listener = StartStreaming(script);
  StreamClient client(listener->port(), "GET /stream HTTP/1.1");
  client.Until("first\r\n");
  listener.reset();
  EXPECT_TRUE(script.dropped());
  script.Put("more");  // wakes nobody
  EXPECT_EQ(client.Rest(), "");
}

}  // namespace
}  // namespace berth::http

// Requests by HTTP/2, against a real server on loopback. Thread: the test's, the server's, and the I/O thread.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <ctime>
#include <latch>
#include <thread>

#include "client.h"
#include "eventually.h"
#include "http2_server.h"
#include "threads_named.h"
#include "tls_server.h"

namespace berth::http {
namespace {

using std::chrono::milliseconds;
using testing::HasSubstr;
using testing::StartsWith;

class Http2 : public testing::Test {
 protected:
  static void SetUpTestSuite() { certificates = new Certificates; }
  static void TearDownTestSuite() { delete certificates; }

  static std::unique_ptr<Transport> ClientOf(const Http2Server& server,
                                             const std::function<void(ClientOptions&)>& change = nullptr) {
    return Client(server.url(), [&](ClientOptions& options) {
      options.tls.ca_pem = certificates->Pem("ca.crt");
      if (change) change(options);
    });
  }

  static inline Certificates* certificates;
};

class Lines final : public BodySink {
 public:
  void OnHead(const ReplyHead& head) override { status_ = head.status; }
  bool OnBytes(std::string_view bytes) override {
    bytes_ += bytes.size();
    return !stops_;
  }
  std::atomic<int> status_ = 0;
  std::atomic<size_t> bytes_ = 0;
  std::atomic<bool> stops_ = false;
};

// Counts the replies to requests that were sent without waiting.
class Replies {
 public:
  explicit Replies(int n) : all_(n) {}
  std::function<void(Reply)> Done() {
    return [this](Reply reply) {
      ++answered;
      if (reply.status == 200) ++good;
      if (reply.status == 0 && reply.maybe_delivered) ++doubtful;
      if (reply.status == 0) {
        const std::lock_guard lock(mutex_);
        error_ = reply.error;
      }
      all_.count_down();
    };
  }
  void Wait() { all_.wait(); }
  std::string error() {
    const std::lock_guard lock(mutex_);
    return error_;
  }
  std::atomic<int> answered = 0, good = 0, doubtful = 0;

 private:
  std::latch all_;
  std::mutex mutex_;
  std::string error_;
};

TEST_F(Http2, ARequestHasItsHeaderAndBody) {
  Http2Server server(certificates->Path("server"));
  auto client = ClientOf(server, [](ClientOptions& o) {
    o.authorization = []() -> base::Result<std::string> { return "Bearer t"; };
    o.user_agent = "berth/1";
  });
  const Reply reply = Post(*client, "{\"a\":1}");
  EXPECT_EQ(reply.status, 200) << reply.error;
  EXPECT_EQ(reply.content_type, "application/json");
  EXPECT_EQ(reply.body,
            "connection=1 POST /x authorization=Bearer t type=application/json agent=berth/1 body={\"a\":1}");
}

TEST_F(Http2, ParallelSendsShareOneConnection) {
  Http2Server server(certificates->Path("server"));
  auto client = ClientOf(server);
  Replies replies(64);
  for (int i = 0; i < 64; ++i) client->Send({.path = "/held"}, replies.Done());
  EXPECT_TRUE(Eventually([&] { return server.requests() == 64; })) << server.requests();
  server.Release();
  replies.Wait();
  EXPECT_EQ(replies.good, 64);
  EXPECT_EQ(server.connections(), 1);
}

TEST_F(Http2, SendsAndStreamsShareOneConnection) {
  Http2Server server(certificates->Path("server"));
  auto client = ClientOf(server);
  Lines lines;
  std::stop_source stop;
  std::thread watch([&] { EXPECT_EQ(client->Stream({.path = "/watch"}, lines, stop.get_token()).status, 200); });
  EXPECT_TRUE(Eventually([&] { return lines.bytes_ == 5; }));
  EXPECT_THAT(Get(*client).body, StartsWith("connection=1 "));
  stop.request_stop();
  watch.join();
  EXPECT_THAT(Get(*client).body, StartsWith("connection=1 "));
}

TEST_F(Http2, TheServersLimitOfStreamsHoldsOnEachConnection) {
  Http2Server server(certificates->Path("server"), {.max_streams = 4});
  auto client = ClientOf(server);
  EXPECT_EQ(Get(*client).status, 200);  // the client knows the limit now
  Replies replies(10);
  for (int i = 0; i < 10; ++i) client->Send({.path = "/held"}, replies.Done());
  EXPECT_TRUE(Eventually([&] { return server.requests() == 11; })) << server.requests();
  EXPECT_EQ(server.connections(), 3);
  EXPECT_EQ(server.most_open(), 4);
  server.Release();
  replies.Wait();
  EXPECT_EQ(replies.good, 10);
}

// CPU seconds of this process.
double CpuSeconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

TEST_F(Http2, RequestsThatWaitForAnotherConnectionTakeNoCpu) {
  Http2Server server(certificates->Path("server"), {.max_streams = 4, .most_served = 1});
  auto client = ClientOf(server, [](ClientOptions& o) { o.timeout = milliseconds(20000); });
  EXPECT_EQ(Get(*client).status, 200);
  Replies replies(6);
  for (int i = 0; i < 6; ++i) client->Send({.path = "/held"}, replies.Done());
  EXPECT_TRUE(Eventually([&] { return server.connections() == 2; }));
  const double before = CpuSeconds();
  std::this_thread::sleep_for(milliseconds(500));
  EXPECT_LT(CpuSeconds() - before, 0.25);  // the server looks at its sockets 200 times a second
  server.Release();
  replies.Wait();
  EXPECT_EQ(replies.good, 6);
}

TEST_F(Http2, RequestsWaitIfASecondConnectionFailsWhileTheFirstLasts) {
  Http2Server server(certificates->Path("server"), {.max_streams = 4, .dropped = 2});
  auto client = ClientOf(server);
  EXPECT_EQ(Get(*client).status, 200);
  Replies replies(6);
  for (int i = 0; i < 6; ++i) client->Send({.path = "/held"}, replies.Done());
  EXPECT_TRUE(Eventually([&] { return server.requests() == 7 || replies.answered > 0; }));
  EXPECT_EQ(server.connections(), 3);
  server.Release();
  replies.Wait();
  EXPECT_EQ(replies.good, 6) << replies.error();
}

TEST_F(Http2, AConnectionWithoutARequestCloses) {
  Http2Server server(certificates->Path("server"));
  auto client = ClientOf(server, [](ClientOptions& o) {
    o.ping_after = milliseconds(100);  // pings do not count as requests
    o.keep_idle = milliseconds(300);
  });
  EXPECT_THAT(Get(*client).body, StartsWith("connection=1 "));
  for (int i = 0; i < 10 && server.connections() == 1; ++i) {
    std::this_thread::sleep_for(milliseconds(700));
    Get(*client);
  }
  EXPECT_EQ(server.connections(), 2);
}

TEST_F(Http2, ARequestThatNoConnectionTakesFailsAfterItsTime) {
  Http2Server server(certificates->Path("server"), {.most_served = 0});
  auto client = ClientOf(server, [](ClientOptions& o) { o.timeout = milliseconds(300); });
  const Reply reply = Get(*client);
  EXPECT_THAT(reply.error, testing::EndsWith("net/http: TLS handshake timeout"));
  EXPECT_FALSE(reply.maybe_delivered);
}

TEST_F(Http2, ABodyLargerThanTheWindowsArrivesWhole) {
  Http2Server server(certificates->Path("server"));
  auto client = ClientOf(server);
  EXPECT_EQ(Get(*client, "/large").body, std::string(3'000'000, 'x'));
  EXPECT_EQ(Post(*client, std::string(500'000, 'y')).body.size(),
            500'000 + std::string("connection=1 POST /x "
                                  "authorization= type=application/json agent=berth body=")
                          .size());
}

TEST_F(Http2, ATooLargeReplyIsAnErrorAndTheConnectionStays) {
  Http2Server server(certificates->Path("server"));
  auto client = ClientOf(server, [](ClientOptions& o) { o.max_body_bytes = 1'000'000; });
  const Reply reply = Get(*client, "/large");
  EXPECT_EQ(reply.status, 0);
  EXPECT_THAT(reply.error, HasSubstr("the reply is larger than 1000000 bytes"));
  EXPECT_THAT(Get(*client).body, StartsWith("connection=1 "));
}

TEST_F(Http2, ARefusedRequestIsSentAgain) {
  Http2Server server(certificates->Path("server"));
  auto client = ClientOf(server);
  EXPECT_THAT(Get(*client, "/refused").body, StartsWith("connection=1 GET /refused "));
  EXPECT_EQ(server.requests(), 2);
}

TEST_F(Http2, AResetIsAnErrorOfARequestThatMayHaveArrived) {
  Http2Server server(certificates->Path("server"));
  auto client = ClientOf(server);
  const Reply reply = client->SendAndWait({.method = "POST", .path = "/reset", .body = "{}", .content_type = "a"});
  EXPECT_EQ(reply.status, 0);
  EXPECT_TRUE(reply.maybe_delivered);
  EXPECT_EQ(reply.error,
            "Post \"" + server.url() + "/reset\": stream error: stream ID 1; INTERNAL_ERROR; received from peer");
  EXPECT_EQ(server.requests(), 1);
}

TEST_F(Http2, AGoAwayLosesNothing) {
  Http2Server server(certificates->Path("server"));
  auto client = ClientOf(server);
  Replies replies(20);
  for (int i = 0; i < 20; ++i) client->Send({.path = "/held"}, replies.Done());
  EXPECT_TRUE(Eventually([&] { return server.requests() == 20; }));
  server.GoAway(true);
  EXPECT_TRUE(Eventually([&] { return Get(*client).body.starts_with("connection=2 "); }));
  server.Release();
  replies.Wait();
  EXPECT_EQ(replies.good, 20);
}

TEST_F(Http2, AGoAwayBeforeARequestIsProcessedSendsItAgain) {
  Http2Server server(certificates->Path("server"));
  auto client = ClientOf(server);
  Replies replies(20);
  for (int i = 0; i < 20; ++i) client->Send({.method = "POST", .path = "/held", .body = "{}"}, replies.Done());
  EXPECT_TRUE(Eventually([&] { return server.requests() == 20; }));
  server.GoAway(false);
  EXPECT_TRUE(Eventually([&] { return server.requests() == 40; })) << server.requests();
  server.Release();
  replies.Wait();
  EXPECT_EQ(replies.good, 20);
  EXPECT_EQ(server.connections(), 2);
}

TEST_F(Http2, ABrokenConnectionFailsWhatMayHaveArrivedAndTheNextRequestConnectsAgain) {
  Http2Server server(certificates->Path("server"));
  auto client = ClientOf(server);
  Replies replies(20);
  for (int i = 0; i < 20; ++i) client->Send({.path = "/held"}, replies.Done());
  EXPECT_TRUE(Eventually([&] { return server.requests() == 20; }));
  server.CloseConnections();
  replies.Wait();
  EXPECT_EQ(replies.doubtful, 20);
  EXPECT_EQ(replies.error(), "Get \"" + server.url() + "/held\": EOF");
  EXPECT_THAT(Get(*client).body, StartsWith("connection=2 "));
}

TEST_F(Http2, AStreamThatBreaksHasItsStatusAndAnError) {
  Http2Server server(certificates->Path("server"));
  auto client = ClientOf(server);
  Lines lines;
  Reply reply;
  std::thread watch([&] { reply = client->Stream({.path = "/watch"}, lines, {}); });
  EXPECT_TRUE(Eventually([&] { return lines.bytes_ == 5; }));
  server.CloseConnections();
  watch.join();
  EXPECT_EQ(reply.status, 200);
  EXPECT_EQ(reply.error, "Get \"" + server.url() + "/watch\": unexpected EOF");
}

TEST_F(Http2, ASinkThatWantsNoMoreEndsItsStreamOnly) {
  Http2Server server(certificates->Path("server"));
  auto client = ClientOf(server);
  Lines lines;
  lines.stops_ = true;
  EXPECT_EQ(client->Stream({.path = "/large"}, lines, {}).status, 200);
  EXPECT_LT(lines.bytes_, 3'000'000U);
  EXPECT_THAT(Get(*client).body, StartsWith("connection=1 "));
}

TEST_F(Http2, ARequestWithoutAnAnswerFailsAfterItsTime) {
  Http2Server server(certificates->Path("server"));
  auto client = ClientOf(server, [](ClientOptions& o) { o.timeout = milliseconds(200); });
  const Reply reply = Get(*client, "/held");
  EXPECT_EQ(reply.error, "Get \"" + server.url() + "/held\": i/o timeout: no answer within 200ms");
  EXPECT_TRUE(reply.maybe_delivered);
  EXPECT_THAT(Get(*client).body, StartsWith("connection=1 "));
}

TEST_F(Http2, AnIdleStreamEndsWithAnError) {
  Http2Server server(certificates->Path("server"));
  auto client = ClientOf(server, [](ClientOptions& o) { o.idle_timeout = milliseconds(200); });
  Lines lines;
  const Reply reply = client->Stream({.path = "/watch"}, lines, {});
  EXPECT_EQ(reply.status, 200);
  EXPECT_EQ(reply.error, "Get \"" + server.url() + "/watch\": i/o timeout: no byte within 200ms");
}

TEST_F(Http2, AnObjectionIsAskedBeforeEachSending) {
  Http2Server server(certificates->Path("server"));
  auto client = ClientOf(server);
  std::atomic<int> asked = 0;
  Request request{.path = "/refused"};
  request.objection = [&]() -> const char* { return ++asked == 1 ? nullptr : "not the leader"; };
  const Reply reply = client->SendAndWait(std::move(request));
  EXPECT_EQ(reply.error, "Get \"" + server.url() + "/refused\": not the leader");
  EXPECT_FALSE(reply.maybe_delivered);
  EXPECT_EQ(asked, 2);
  EXPECT_EQ(server.requests(), 1);
}

TEST_F(Http2, ARetryAfterIsInTheReply) {
  Http2Server server(certificates->Path("server"));
  auto client = ClientOf(server);
  const Reply reply = Get(*client, "/slow");
  EXPECT_EQ(reply.status, 429);
  EXPECT_EQ(reply.retry_after_seconds, 7);
}

TEST_F(Http2, AClosedTransportAnswersWhatIsOpen) {
  Http2Server server(certificates->Path("server"));
  auto client = ClientOf(server);
  Replies replies(3);
  for (int i = 0; i < 3; ++i) client->Send({.path = "/held"}, replies.Done());
  EXPECT_TRUE(Eventually([&] { return server.requests() == 3; }));
  client->Close();
  replies.Wait();
  EXPECT_EQ(replies.doubtful, 3);
  EXPECT_THAT(replies.error(), HasSubstr("the transport is closed"));
}

TEST_F(Http2, AServerThatCannotBeReachedIsADialError) {
  std::string url;
  { url = Http2Server(certificates->Path("server")).url(); }
  auto client = Client(url, [](ClientOptions& o) { o.tls.ca_pem = certificates->Pem("ca.crt"); });
  const Reply reply = Get(*client);
  EXPECT_THAT(reply.error, testing::EndsWith("connect: connection refused"));
  EXPECT_FALSE(reply.maybe_delivered);
}

TEST_F(Http2, WithoutTheOptionHttp1IsSpoken) {
  TlsServer server(*certificates, "server", {"--count"});
  auto client = Client(server.url(), [](ClientOptions& o) {
    o.tls.ca_pem = certificates->Pem("ca.crt");
    o.http2 = false;
  });
  EXPECT_THAT(Get(*client).body, HasSubstr(" connection=1 "));
}

TEST_F(Http2, AServerWithoutHttp2GetsHttp1OnAnotherConnection) {
  TlsServer server(*certificates, "server", {"--count"});
  auto client = Client(server.url(), [](ClientOptions& o) { o.tls.ca_pem = certificates->Pem("ca.crt"); });
  EXPECT_THAT(Get(*client).body, HasSubstr(" connection=2 "));
  EXPECT_EQ(Get(*client).status, 200);
}

TEST_F(Http2, AHostNameIsResolvedWithoutAThreadThatStays) {
  Http2Server server(certificates->Path("server"));
  const std::string url = "https://localhost:" + server.url().substr(server.url().rfind(':') + 1);
  auto client = Client(url, [](ClientOptions& options) { options.tls.ca_pem = certificates->Pem("ca.crt"); });
  EXPECT_THAT(Get(*client).body, StartsWith("connection=1 "));
  EXPECT_EQ(ThreadsNamed("resolver-0"), 1U);
  EXPECT_EQ(ThreadsNamed("api-io"), 1U) << "Asio's resolver has a thread, which gets the name of the I/O thread";
}

TEST_F(Http2, AHostNameThatDoesNotExistIsAnError) {
  const std::string host(64, 'a');  // no DNS name has such a label, so no server is asked
  const Reply reply = Post(*Client("https://" + host + ".invalid:6443"), "{}");
  EXPECT_THAT(reply.error, HasSubstr("lookup " + host));
  EXPECT_FALSE(reply.maybe_delivered);
}

// Many requests while connections end and streams are reset: each gets exactly one reply, none is processed twice, and
// a reply that is no success is one of a request that the server may have received.
TEST_F(Http2, NoRequestIsLostOrDoubledWhileConnectionsEnd) {
  Http2Server server(certificates->Path("server"));
  auto client = ClientOf(server);
  constexpr int kRequests = 2000;
  Replies replies(kRequests);
  std::atomic<bool> over = false;
  std::thread breaker([&] {
    for (int i = 0; Eventually([&] { return over || replies.answered > 100 * (i + 1); }) && !over; ++i) {
      const int before = server.connections();
      if (i % 2 == 0) {
        server.CloseConnections();
      } else {
        server.GoAway(true);
      }
      Eventually([&] { return over || server.connections() > before; });
    }
  });
  for (int i = 0; i < kRequests; ++i) {
    const char* const path = i % 10 == 3 ? "/reset" : i % 10 == 7 ? "/refused" : "/x";
    client->Send({.method = "POST", .path = path, .body = std::to_string(i)}, replies.Done());
    if (i % 50 == 0) std::this_thread::sleep_for(milliseconds(5));
  }
  replies.Wait();
  over = true;
  breaker.join();
  EXPECT_GT(server.connections(), 1);
  EXPECT_GT(replies.good, kRequests / 10);
  EXPECT_EQ(replies.good + replies.doubtful, kRequests) << replies.error();
  EXPECT_EQ(server.most_repeated(), 1);
}

}  // namespace
}  // namespace berth::http

// Send over real sockets on loopback.
#include <gmock/gmock.h>

#include <condition_variable>
#include <future>
#include <latch>

#include "client.h"
#include "client/http/rest_client.h"
#include "eventually.h"
#include "raw_server.h"
#include "telemetry/log/capture.h"
#include "telemetry/log/log.h"

namespace berth::http {
namespace {

using std::chrono::milliseconds;
using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

TEST(Send, SendsMethodPathHeadersAndBodyUnchanged) {
  SeenRequest seen;
  RawServer server(Answering([&](ServerConnection& c, const SeenRequest& request) {
    seen = request;
    c.WriteReply(201, "made");
  }));
  auto client = Client(server.url(), [](ClientOptions& o) { o.user_agent = "berth/1 (test)"; });
  const Reply reply = client->SendAndWait({.method = "POST",
                                           .path = "/api/v1/pods?fieldSelector=spec.nodeName%3Dn%2F1&limit=5&a=b,c",
                                           .body = "{\"a\":1}",
                                           .content_type = "application/json",
                                           .accept = "application/json;as=Table"});
  EXPECT_EQ(reply.status, 201);
  EXPECT_EQ(reply.body, "made");
  EXPECT_EQ(reply.error, "");
  EXPECT_TRUE(reply.ok());
  EXPECT_EQ(seen.line(), "POST /api/v1/pods?fieldSelector=spec.nodeName%3Dn%2F1&limit=5&a=b,c HTTP/1.1");
  EXPECT_EQ(seen.body, "{\"a\":1}");
  EXPECT_EQ(seen.header("Content-Type"), "application/json");
  EXPECT_EQ(seen.header("Accept"), "application/json;as=Table");
  EXPECT_EQ(seen.header("User-Agent"), "berth/1 (test)");
  EXPECT_EQ(seen.header("Host"), "127.0.0.1:" + std::to_string(server.port()));
  EXPECT_EQ(seen.header("Accept-Encoding"), "");
  EXPECT_EQ(seen.header("Authorization"), "");
}

TEST(Send, ReportsRepliesToItsObserver) {
  struct Observer final : RequestObserver {
    void OnReply(std::string_view method, int status, int64_t ns, size_t sent, size_t received) override {
      seen = std::string(method) + " " + std::to_string(status) + " " + std::to_string(sent) + " " +
             std::to_string(received) + (ns > 0 ? "" : " in no time");
    }
    void OnStream(std::string_view, int) override {}
    std::string seen;
  } observer;
  RawServer server(Answering([&](ServerConnection& c, const SeenRequest&) { c.WriteReply(201, "made"); }));
  ClientOptions options{.url = server.url()};
  auto client = MakeRestClient(std::move(options), {.observer = &observer});
  ASSERT_TRUE(client);
  EXPECT_EQ(Post(**client, "{}").status, 201);
  EXPECT_EQ(observer.seen, "POST 201 2 4");
}

TEST(Send, AppendsThePathToTheUrlsPrefix) {
  std::string line;
  RawServer server(Answering([&](ServerConnection& c, const SeenRequest& request) {
    line = request.line();
    c.WriteReply(200, "");
  }));
  for (const char* prefix : {"/k8s/clusters/c-1", "/k8s/clusters/c-1/"}) {
    auto client = Client(server.url() + prefix);
    EXPECT_EQ(Get(*client, "/api/v1/nodes?limit=1").status, 200);
    EXPECT_EQ(line, "GET /k8s/clusters/c-1/api/v1/nodes?limit=1 HTTP/1.1");
  }
}

TEST(Send, SendsToAnIpv6Server) {
  SeenRequest seen;
  RawServer server(Answering([&](ServerConnection& c, const SeenRequest& request) {
                     seen = request;
                     c.WriteReply(200, "six");
                   }),
                   "::1");
  const std::string authority = "[::1]:" + std::to_string(server.port());
  auto client = Client("http://" + authority + "/prefix");
  EXPECT_EQ(Get(*client).body, "six");
  EXPECT_EQ(seen.line(), "GET /prefix/x HTTP/1.1");
  EXPECT_EQ(seen.header("Host"), authority);
}

TEST(Send, ReturnsTheBodyOfAnErrorAndRetryAfter) {
  RawServer server(Answering([](ServerConnection& c, const SeenRequest& request) {
    if (request.line().find("/busy") != std::string::npos) {
      c.WriteReply(429, "slow down", "Retry-After: 7\r\nContent-Type: text/plain; charset=utf-8\r\n");
    } else {
      c.WriteReply(404, "{\"reason\":\"NotFound\"}", "Retry-After: Wed, 21 Oct 2026 07:28:00 GMT\r\n");
    }
  }));
  auto client = Client(server.url());
  const Reply missing = Get(*client);
  EXPECT_EQ(missing.status, 404);
  EXPECT_EQ(missing.body, "{\"reason\":\"NotFound\"}");
  EXPECT_EQ(missing.error, "");
  EXPECT_FALSE(missing.ok());
  EXPECT_EQ(missing.retry_after_seconds, std::nullopt);
  EXPECT_EQ(missing.content_type, "");
  const Reply busy = Get(*client, "/busy");
  EXPECT_EQ(busy.status, 429);
  EXPECT_EQ(busy.retry_after_seconds, 7);
  EXPECT_EQ(busy.content_type, "text/plain; charset=utf-8");
}

TEST(Send, FollowsNoRedirect) {
  RawServer other(Answering([](ServerConnection& c, const SeenRequest&) { c.WriteReply(200, "stolen"); }));
  RawServer server(Answering(
      [&](ServerConnection& c, const SeenRequest&) { c.WriteReply(302, "", "Location: " + other.url() + "/\r\n"); }));
  auto client = Client(server.url());
  EXPECT_EQ(Get(*client).status, 302);
  EXPECT_EQ(other.connections(), 0);
}

TEST(Send, RefusedConnectionWasCertainlyNotDelivered) {
  const std::string address = "127.0.0.1:" + std::to_string(ClosedPort());
  auto client = Client("http://" + address);
  const Reply reply = Post(*client, "{}");
  EXPECT_EQ(reply.status, 0);
  EXPECT_THAT(reply.error,
              StartsWith("Post \"http://" + address + "/x\": dial tcp " + address + ": connect: connection refused"));
  EXPECT_FALSE(reply.maybe_delivered);
}

TEST(Send, CutAfterTheRequestMayHaveBeenDelivered) {
  RawServer server([](ServerConnection& c) {
    SeenRequest request;
    c.Read(request);
  });
  auto client = Client(server.url());
  const Reply reply = Post(*client, "{}");
  EXPECT_EQ(reply.status, 0);
  EXPECT_EQ(reply.error, "Post \"" + server.url() + "/x\": EOF");
  EXPECT_TRUE(reply.maybe_delivered);
}

TEST(Send, ResetAfterTheRequestMayHaveBeenDelivered) {
  RawServer server([](ServerConnection& c) {
    SeenRequest request;
    c.Read(request);
    c.Reset();
  });
  auto client = Client(server.url());
  const Reply reply = Post(*client, "{}");
  EXPECT_THAT(reply.error, EndsWith(": connection reset by peer"));
  EXPECT_TRUE(reply.maybe_delivered);
}

TEST(Send, BrokenBodyIsAnError) {
  RawServer server([](ServerConnection& c) {
    SeenRequest request;
    c.Read(request);
    if (request.line().find("chunked") != std::string::npos) {
      c.Write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
      c.WriteChunk("abc");
    } else {
      c.Write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc");
    }
  });
  auto client = Client(server.url());
  for (const char* path : {"/length", "/chunked"}) {
    const Reply reply = Get(*client, path);
    EXPECT_EQ(reply.status, 0) << path;
    EXPECT_EQ(reply.body, "");
    EXPECT_THAT(reply.error, EndsWith(": unexpected EOF"));
    EXPECT_TRUE(reply.maybe_delivered);
    EXPECT_FALSE(reply.too_large);
  }
}

TEST(Send, InvalidHttpIsAnError) {
  RawServer server([](ServerConnection& c) {
    SeenRequest request;
    c.Read(request);
    c.Write("SSH-2.0-OpenSSH\r\n\r\n");
  });
  const Reply reply = Get(*Client(server.url()));
  EXPECT_EQ(reply.status, 0);
  EXPECT_THAT(reply.error, HasSubstr("HTTP status line"));
}

TEST(Send, TimesOutWithoutData) {
  RawServer server([](ServerConnection& c) { c.WaitForClose(); });
  auto client = Client(server.url(), [](ClientOptions& o) { o.timeout = milliseconds(200); });
  const auto begin = std::chrono::steady_clock::now();
  const Reply reply = Get(*client);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, milliseconds(10'000));
  EXPECT_EQ(reply.status, 0);
  EXPECT_THAT(reply.error, EndsWith(": i/o timeout: no answer within 200ms"));
  EXPECT_TRUE(reply.maybe_delivered);
}

TEST(Send, TimesOutWithinTheBody) {
  RawServer server([](ServerConnection& c) {
    c.Write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc");
    c.WaitForClose();
  });
  auto client = Client(server.url(), [](ClientOptions& o) { o.timeout = milliseconds(200); });
  EXPECT_THAT(Get(*client).error, EndsWith(": i/o timeout: no byte within 200ms"));
}

TEST(Send, ASlowReplyDoesNotTimeOut) {
  RawServer server(Answering([](ServerConnection& c, const SeenRequest&) {
    c.Write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
    for (int i = 0; i < 6; ++i) {
      std::this_thread::sleep_for(milliseconds(150));
      c.WriteChunk("x");
    }
    c.WriteChunk("");
  }));
  auto client = Client(server.url(), [](ClientOptions& o) { o.timeout = milliseconds(600); });
  EXPECT_EQ(Get(*client).body, "xxxxxx");
}

TEST(Send, BodyLargerThanTheLimitIsAnError) {
  RawServer server([](ServerConnection& c) {
    SeenRequest request;
    while (c.Read(request)) {
      if (request.line().find("/fits") != std::string::npos) {
        c.WriteReply(200, std::string(100'000, 'x'));
      } else if (request.line().find("/chunked") != std::string::npos) {
        c.Write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
        while (c.WriteChunk(std::string(10'000, 'x'))) {
        }
      } else {
        c.WriteReply(200, std::string(100'001, 'x'));
      }
    }
  });
  auto client = Client(server.url(), [](ClientOptions& o) { o.max_body_bytes = 100'000; });
  EXPECT_EQ(Get(*client, "/fits").body.size(), 100'000U);
  for (const char* path : {"/length", "/chunked"}) {
    const Reply reply = Get(*client, path);
    EXPECT_EQ(reply.status, 0);
    EXPECT_EQ(reply.body, "");
    EXPECT_EQ(reply.error, "Get \"" + server.url() + path + "\": the reply is larger than 100000 bytes");
    EXPECT_TRUE(reply.maybe_delivered);
    EXPECT_TRUE(reply.too_large);
  }
}

TEST(Send, LargeBodiesPassBothWays) {
  RawServer server(Answering([](ServerConnection& c, const SeenRequest& request) { c.WriteReply(200, request.body); }));
  auto client = Client(server.url());
  std::string body;
  for (int i = 0; body.size() < 3'000'000; ++i) body += std::to_string(i);
  EXPECT_EQ(Post(*client, body).body, body);
}

TEST(Send, AnInvalidPathIsAnError) {
  RawServer server(Answering([](ServerConnection& c, const SeenRequest&) { c.WriteReply(200, ""); }));
  auto client = Client(server.url());
  for (const char* path : {"", "x", "//evil/x", "/a b", "/a\r\nX-Y: 1", "http://other/"}) {
    const Reply reply = Get(*client, path);
    EXPECT_EQ(reply.status, 0) << path;
    EXPECT_THAT(reply.error, EndsWith("invalid path"));
    EXPECT_FALSE(reply.maybe_delivered);
  }
  EXPECT_EQ(server.connections(), 0);
}

TEST(Send, KeepsItsConnection) {
  RawServer server(Answering([](ServerConnection& c, const SeenRequest&) { c.WriteReply(200, "ok"); }));
  auto client = Client(server.url());
  for (int i = 0; i < 10; ++i) EXPECT_EQ(Get(*client).status, 200);
  EXPECT_LT(server.connections(), 10);  // not 1: the pool gets a connection back a moment after its reply is delivered
}

TEST(Send, CallsDoneOnAnotherThreadEvenWhenNothingIsSent) {
  auto client = Client("http://127.0.0.1:1", [](ClientOptions& o) {
    o.authorization = []() -> base::Result<std::string> { return base::Fail("none"); };
  });
  std::mutex mutex;  // a caller may hold its own lock: done must not run under it
  std::promise<std::thread::id> id;
  {
    std::lock_guard lock(mutex);
    client->Send({.path = "/x"}, [&](Reply) {
      std::lock_guard inner(mutex);
      id.set_value(std::this_thread::get_id());
    });
  }
  EXPECT_NE(id.get_future().get(), std::this_thread::get_id());
}

TEST(Send, DoneMaySend) {
  RawServer server(Answering([](ServerConnection& c, const SeenRequest&) { c.WriteReply(200, "ok"); }));
  auto client = Client(server.url(), [](ClientOptions& o) { o.max_parallel_sends = 1; });
  std::promise<int> last;
  client->Send({.path = "/1"},
               [&](Reply) { client->Send({.path = "/2"}, [&](Reply reply) { last.set_value(reply.status); }); });
  EXPECT_EQ(last.get_future().get(), 200);
}

TEST(Send, AsksForAnObjectionWhenTheRequestLeavesAndNotBefore) {
  std::atomic<bool> leads = true;
  std::atomic<int> seen = 0;
  RawServer server(Answering([&](ServerConnection& c, const SeenRequest&) {
    ++seen;
    leads = false;  // while the second request waits for the only connection
    c.WriteReply(200, "ok");
  }));
  auto client = Client(server.url(), [](ClientOptions& o) { o.max_parallel_sends = 1; });
  const auto objection = [&]() -> const char* { return leads ? nullptr : "lost the Lease"; };
  std::promise<Reply> first, second;
  client->Send({.method = "POST", .path = "/1", .objection = objection}, [&](Reply reply) { first.set_value(reply); });
  client->Send({.method = "POST", .path = "/2", .objection = objection}, [&](Reply reply) { second.set_value(reply); });
  EXPECT_EQ(first.get_future().get().status, 200);
  const Reply reply = second.get_future().get();
  EXPECT_EQ(reply.status, 0);
  EXPECT_THAT(reply.error, EndsWith("/2\": lost the Lease"));
  EXPECT_FALSE(reply.maybe_delivered);
  EXPECT_EQ(seen, 1);
}

// cpprestsdk resolves, connects, and does the TLS handshake after the transport has handed it the request.
TEST(Send, AsksForAnObjectionAgainWhenTheConnectionIsUp) {
  std::atomic<int> seen = 0;
  RawServer server(Answering([&](ServerConnection& c, const SeenRequest& request) {
    ++seen;
    c.WriteReply(200, request.body);
  }));
  auto client = Client(server.url(), [](ClientOptions& o) { o.max_parallel_sends = 1; });
  int asked = 0;
  const Reply refused =
      client->SendAndWait({.method = "POST", .path = "/1", .body = "late", .objection = [&]() -> const char* {
                             return ++asked == 1 ? nullptr : "lost the Lease";
                           }});
  EXPECT_EQ(refused.status, 0);
  EXPECT_THAT(refused.error, EndsWith("/1\": lost the Lease"));
  EXPECT_FALSE(refused.maybe_delivered);
  EXPECT_EQ(seen, 0);
  EXPECT_EQ(Post(*client, "next").body, "next") << "not read as the body of the request before";
}

TEST(Send, DestructionAnswersSendsInFlightOnce) {
  std::latch two_arrived(2);
  RawServer server([&](ServerConnection& c) {
    SeenRequest request;
    c.Read(request);
    two_arrived.count_down();
    c.WaitForClose();
  });
  auto client = Client(server.url(), [](ClientOptions& o) { o.max_parallel_sends = 2; });
  std::mutex mutex;
  std::vector<Reply> replies;
  const auto callback = std::make_shared<int>();  // part of each callback
  for (int i = 0; i < 5; ++i) {
    client->Send({.path = "/" + std::to_string(i)}, [&, callback](Reply reply) {
      std::lock_guard lock(mutex);
      replies.push_back(std::move(reply));
    });
  }
  two_arrived.wait();
  const auto begin = std::chrono::steady_clock::now();
  client.reset();
  EXPECT_LT(std::chrono::steady_clock::now() - begin, milliseconds(10'000)) << "waits for no answer";
  ASSERT_EQ(replies.size(), 5U);
  int maybe = 0;
  for (const Reply& reply : replies) {
    EXPECT_EQ(reply.status, 0);
    EXPECT_THAT(reply.error, EndsWith(": the transport is closed"));
    maybe += reply.maybe_delivered;
  }
  EXPECT_EQ(maybe, 2);  // the three that waited were not sent
  EXPECT_TRUE(Eventually([&] { return callback.use_count() == 1; })) << "all callbacks are gone, so none runs again";
  EXPECT_EQ(replies.size(), 5U);
}

TEST(Send, DestructionAmidRepliesAnswersEachOnce) {
  RawServer server(Answering([](ServerConnection& c, const SeenRequest&) { c.WriteReply(200, "ok"); }));
  for (int round = 0; round < 30; ++round) {
    auto calls = std::make_shared<std::array<std::atomic<int>, 40>>();
    {
      auto client = Client(server.url(), [](ClientOptions& o) {
        o.max_parallel_sends = 8;
        o.authorization = []() -> base::Result<std::string> { return "Bearer x"; };
      });
      for (size_t i = 0; i < calls->size(); ++i) {
        client->Send({.path = "/x"}, [calls, i](Reply) { ++(*calls)[i]; });
      }
      std::this_thread::sleep_for(std::chrono::microseconds(round * 300));
    }
    for (auto& count : *calls) EXPECT_EQ(count, 1);
  }
}

// cpprestsdk's behavior; transport.h documents it.
TEST(Send, AStaleConnectionCausesASecondRequest) {
  std::atomic<int> posts = 0;
  RawServer server([&](ServerConnection& c) {
    SeenRequest request;
    for (int served = 0; c.Read(request); ++served) {
      posts += request.line().starts_with("POST");
      if (served == 1) return;  // processes the request, and loses the connection before the reply
      c.WriteReply(200, "ok");
    }
  });
  auto client = Client(server.url());
  EXPECT_EQ(Get(*client).status, 200);
  std::this_thread::sleep_for(milliseconds(50));  // until the pool has its connection back
  const Reply reply = Post(*client, "{}");
  EXPECT_EQ(reply.status, 200) << reply.error;
  EXPECT_EQ(posts, 2);
}

TEST(Send, RefusedAfterAStaleConnectionMayHaveBeenDelivered) {
  RawServer* self = nullptr;
  RawServer server([&](ServerConnection& c) {
    SeenRequest request;
    c.Read(request);
    c.WriteReply(200, "ok");
    c.Read(request);  // processes the request, and then the whole server stops
    self->StopListening();
  });
  self = &server;
  auto client = Client(server.url());
  EXPECT_EQ(Get(*client).status, 200);
  std::this_thread::sleep_for(milliseconds(50));
  const Reply reply = Post(*client, "{}");
  EXPECT_EQ(reply.status, 0);
  EXPECT_THAT(reply.error, HasSubstr("connection refused"));
  EXPECT_TRUE(reply.maybe_delivered);
}

TEST(MakeRestClient, RejectsOptionsThatCannotWork) {
  auto error = [](const ClientOptions& options) {
    auto client = MakeRestClient(options);
    return client ? std::string("none") : client.error().message;
  };
  EXPECT_EQ(error({.url = "ftp://h"}), "parse server URL \"ftp://h\": unsupported protocol scheme");
  EXPECT_EQ(error({.url = "http://h", .timeout = milliseconds(0)}), "timeout must be positive");
  EXPECT_EQ(error({.url = "http://h", .idle_timeout = milliseconds(0)}), "idle_timeout must be positive");
  EXPECT_EQ(error({.url = "http://h", .max_parallel_sends = 0}), "max_parallel_sends must be positive");
  EXPECT_EQ(error({.url = "https://h", .tls = {.ca_pem = "garbage"}}),
            "unable to load root certificates: no start line");
  EXPECT_THAT(error({.url = "http://[::1]:1", .proxy_url = "http://p:1"}), HasSubstr("IPv6 address behind a proxy"));
  EXPECT_EQ(error({.url = "http://h", .proxy_url = "socks5://p:1"}),
            "parse proxy URL \"socks5://p:1\": only http:// proxies are supported");
  EXPECT_THAT(error({.url = "http://h", .proxy_url = "http://user:pa55@:x"}), Not(HasSubstr("pa55")));
}

}  // namespace
}  // namespace berth::http

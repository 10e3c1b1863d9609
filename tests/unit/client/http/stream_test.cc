// Stream over real sockets on loopback.
#include <gmock/gmock.h>

#include <future>
#include <latch>
#include <semaphore>

#include "client/http/rest_client.h"
#include "raw_server.h"

namespace berth::http {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;

constexpr milliseconds kIdle{60'000};    // far longer than a stop takes on a busy machine
constexpr milliseconds kPrompt{10'000};  // a stop that waits for no timeout takes less
constexpr std::string_view kChunkedHead = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";

std::unique_ptr<Transport> StreamClient(const std::string& url, milliseconds idle = kIdle) {
  auto client = MakeRestClient({.url = url, .idle_timeout = idle});
  if (!client) ADD_FAILURE() << client.error().message;
  return std::move(*client);
}

// Keeps the body, and calls a function for each piece.
class Sink final : public BodySink {
 public:
  explicit Sink(std::function<bool(std::string_view)> on_bytes = nullptr) : on_bytes_(std::move(on_bytes)) {}
  void OnHead(const ReplyHead& head) override {
    if (!pieces.empty()) ADD_FAILURE() << "the status came after bytes";
    statuses.push_back(head.status);
    content_type = head.content_type;
  }
  bool OnBytes(std::string_view bytes) override {
    pieces.emplace_back(bytes);
    return on_bytes_ == nullptr || on_bytes_(bytes);
  }
  std::string text() const {
    std::string all;
    for (const std::string& piece : pieces) all += piece;
    return all;
  }
  std::vector<int> statuses;
  std::string content_type;
  std::vector<std::string> pieces;

 private:
  std::function<bool(std::string_view)> on_bytes_;
};

TEST(Stream, DeliversChunksAsTheyArrive) {
  std::counting_semaphore<> taken(0);
  RawServer server(Answering([&](ServerConnection& c, const SeenRequest&) {
    c.Write(kChunkedHead);
    for (int i = 0; i < 20; ++i) {
      c.WriteChunk("event " + std::to_string(i) + "\n");
      taken.acquire();  // the next chunk comes only after the sink has taken this one
    }
    c.WriteChunk("");
  }));
  auto client = StreamClient(server.url());
  Sink sink([&](std::string_view) {
    taken.release();
    return true;
  });
  const Reply reply = client->Stream({.path = "/watch"}, sink, {});
  EXPECT_EQ(reply.status, 200);
  EXPECT_EQ(reply.error, "");
  EXPECT_EQ(reply.body, "");
  EXPECT_THAT(sink.statuses, ElementsAre(200));
  ASSERT_EQ(sink.pieces.size(), 20U);
  for (int i = 0; i < 20; ++i) EXPECT_EQ(sink.pieces[i], "event " + std::to_string(i) + "\n");
}

TEST(Stream, TheStatusComesBeforeTheBody) {
  RawServer server(Answering([](ServerConnection& c, const SeenRequest&) {
    c.Write(std::string(kChunkedHead) + "1\r\na\r\n1\r\nb\r\n0\r\n\r\n");
  }));
  auto client = StreamClient(server.url());
  for (int i = 0; i < 200; ++i) {
    Sink sink;
    EXPECT_EQ(client->Stream({.path = "/watch"}, sink, {}).error, "");
    EXPECT_THAT(sink.statuses, ElementsAre(200));
    EXPECT_EQ(sink.text(), "ab");
  }
}

TEST(Stream, TheHeadHasTheContentType) {
  RawServer server(Answering([](ServerConnection& c, const SeenRequest&) {
    c.WriteReply(200, "a", "Content-Type: application/json;stream=watch\r\n");
  }));
  Sink sink;
  const Reply reply = StreamClient(server.url())->Stream({.path = "/watch"}, sink, {});
  EXPECT_EQ(reply.content_type, "application/json;stream=watch");
  EXPECT_EQ(sink.content_type, "application/json;stream=watch");
}

TEST(Stream, DeliversABodyOfKnownLength) {
  const std::string body(1'000'000, 'x');
  RawServer server(Answering([&](ServerConnection& c, const SeenRequest&) { c.WriteReply(200, body); }));
  Sink sink;
  EXPECT_EQ(StreamClient(server.url())->Stream({.path = "/list"}, sink, {}).error, "");
  EXPECT_EQ(sink.text(), body);
  EXPECT_GT(sink.pieces.size(), 1U);
}

TEST(Stream, HasNoLimitOfSize) {
  RawServer server(
      Answering([](ServerConnection& c, const SeenRequest&) { c.WriteReply(200, std::string(200'000, 'x')); }));
  auto client = MakeRestClient({.url = server.url(), .max_body_bytes = 1000});
  ASSERT_TRUE(client.has_value());
  Sink sink;
  EXPECT_EQ((*client)->Stream({.path = "/list"}, sink, {}).error, "");
  EXPECT_EQ(sink.text().size(), 200'000U);
}

TEST(Stream, AnErrorBodyIsInTheReply) {
  RawServer server(
      Answering([](ServerConnection& c, const SeenRequest&) { c.WriteReply(410, "{\"reason\":\"Expired\"}"); }));
  auto client = StreamClient(server.url());
  Sink sink;
  const Reply reply = client->Stream({.path = "/watch"}, sink, {});
  EXPECT_EQ(reply.status, 410);
  EXPECT_EQ(reply.body, "{\"reason\":\"Expired\"}");
  EXPECT_EQ(reply.error, "");
  EXPECT_THAT(sink.statuses, ElementsAre(410));
  EXPECT_TRUE(sink.pieces.empty());
}

TEST(Stream, AnErrorBodyHasALimit) {
  RawServer server(
      Answering([](ServerConnection& c, const SeenRequest&) { c.WriteReply(500, std::string(5000, 'x')); }));
  auto client = MakeRestClient({.url = server.url(), .max_body_bytes = 1000});
  ASSERT_TRUE(client.has_value());
  Sink sink;
  const Reply reply = (*client)->Stream({.path = "/watch"}, sink, {});
  EXPECT_EQ(reply.status, 0);
  EXPECT_THAT(reply.error, EndsWith("the reply is larger than 1000 bytes"));
  EXPECT_TRUE(reply.too_large);
}

TEST(Stream, ASlowSinkSlowsTheServerDown) {
  std::atomic<size_t> written = 0;
  constexpr size_t kChunk = 100'000, kChunks = 800;
  RawServer server(Answering([&](ServerConnection& c, const SeenRequest&) {
    c.Write(kChunkedHead);
    const std::string chunk(kChunk, 'x');
    for (size_t i = 0; i < kChunks && c.WriteChunk(chunk); ++i) written += kChunk;
    c.WriteChunk("");
  }));
  auto client = StreamClient(server.url());
  size_t got = 0, written_meanwhile = 0;
  class Slow final : public BodySink {
   public:
    explicit Slow(std::function<void(size_t)> f) : f_(std::move(f)) {}
    bool OnBytes(std::string_view bytes) override {
      f_(bytes.size());
      return true;
    }
    std::function<void(size_t)> f_;
  } sink([&](size_t size) {
    if (got == 0) {
      std::this_thread::sleep_for(milliseconds(500));
      written_meanwhile = written;
    }
    got += size;
  });
  EXPECT_EQ(client->Stream({.path = "/watch"}, sink, {}).error, "");
  EXPECT_EQ(got, kChunk * kChunks);
  EXPECT_LT(written_meanwhile, kChunk * kChunks / 2);  // at most what fits into the sockets
}

TEST(Stream, StopsAtOnceWhileNoDataArrives) {
  std::latch closed(1);
  RawServer server([&](ServerConnection& c) {
    c.Write(kChunkedHead);
    c.WriteChunk("first");
    c.WaitForClose();
    closed.count_down();
  });
  auto client = StreamClient(server.url());
  std::stop_source stop;
  std::promise<void> begun;
  Sink sink([&](std::string_view) {
    begun.set_value();
    return true;
  });
  auto reply =
      std::async(std::launch::async, [&] { return client->Stream({.path = "/watch"}, sink, stop.get_token()); });
  begun.get_future().wait();
  const auto begin = Clock::now();
  stop.request_stop();
  const Reply got = reply.get();
  EXPECT_LT(Clock::now() - begin, kPrompt);
  EXPECT_EQ(got.status, 200);
  EXPECT_EQ(got.error, "");
  closed.wait();  // the server has also noticed the end
}

TEST(Stream, StopsAtOnceBeforeThereIsAStatus) {
  std::latch asked(1), closed(1);
  RawServer server([&](ServerConnection& c) {
    SeenRequest request;
    c.Read(request);
    asked.count_down();
    c.WaitForClose();
    closed.count_down();
  });
  auto client = StreamClient(server.url());
  std::stop_source stop;
  Sink sink;
  auto reply =
      std::async(std::launch::async, [&] { return client->Stream({.path = "/watch"}, sink, stop.get_token()); });
  asked.wait();
  const auto begin = Clock::now();
  stop.request_stop();
  const Reply got = reply.get();
  EXPECT_LT(Clock::now() - begin, kPrompt);
  EXPECT_EQ(got.status, 0);
  EXPECT_THAT(got.error, EndsWith(": context canceled"));
  closed.wait();
}

// Whether the server has replied by then depends on the threads.
TEST(Stream, AStopBeforeTheStartEndsIt) {
  RawServer server(Answering([](ServerConnection& c, const SeenRequest&) { c.WriteReply(200, ""); }));
  auto client = StreamClient(server.url());
  std::stop_source stop;
  stop.request_stop();
  for (int i = 0; i < 50; ++i) {
    Sink sink;
    const Reply reply = client->Stream({.path = "/watch"}, sink, stop.get_token());
    EXPECT_TRUE(reply.status == 200 || reply.error.ends_with(": context canceled")) << reply.error;
  }
}

TEST(Stream, AStopFromWithinTheSinkIsAStop) {
  RawServer server([](ServerConnection& c) {
    c.Write(kChunkedHead);
    while (c.WriteChunk("more")) std::this_thread::sleep_for(milliseconds(1));
  });
  auto client = StreamClient(server.url());
  std::stop_source stop;
  Sink sink([&](std::string_view) { return stop.request_stop(), true; });
  const Reply reply = client->Stream({.path = "/watch"}, sink, stop.get_token());
  EXPECT_EQ(reply.status, 200);
  EXPECT_EQ(reply.error, "");
}

TEST(Stream, ReturnsAfterTheSinkHasReturned) {
  RawServer server([](ServerConnection& c) {
    c.Write(kChunkedHead);
    c.WriteChunk("first");
    c.WaitForClose();
  });
  auto client = StreamClient(server.url());
  std::stop_source stop;
  std::promise<void> inside;
  std::atomic<bool> left = false;
  Sink sink([&](std::string_view) {
    inside.set_value();
    std::this_thread::sleep_for(milliseconds(100));
    left = true;
    return true;
  });
  auto reply = std::async(std::launch::async, [&] {
    Reply got = client->Stream({.path = "/watch"}, sink, stop.get_token());
    EXPECT_TRUE(left);
    return got;
  });
  inside.get_future().wait();
  stop.request_stop();
  EXPECT_EQ(reply.get().status, 200);
}

TEST(Stream, TheSinkMayEndIt) {
  std::latch closed(1);
  RawServer server([&](ServerConnection& c) {
    c.Write(kChunkedHead);
    for (const char* piece : {"a", "b", "c"}) c.WriteChunk(piece);
    c.WaitForClose();
    closed.count_down();
  });
  auto client = StreamClient(server.url());
  Sink sink([](std::string_view bytes) { return bytes != "b"; });
  const Reply reply = client->Stream({.path = "/watch"}, sink, {});
  EXPECT_EQ(reply.status, 200);
  EXPECT_EQ(reply.error, "");
  closed.wait();
  EXPECT_THAT(sink.pieces, ElementsAre("a", "b"));
}

// A watch whose version has expired ends like this, and all watches may expire at the same moment.
TEST(Stream, SinksOnAllThreadsOfThePoolMayEndTheirStreams) {
  constexpr int kThreads = 4;  // of threads_main.cc
  RawServer server([&](ServerConnection& c) {
    SeenRequest request;
    c.Read(request);
    if (request.line().starts_with("GET /other ")) {
      c.Write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
      return;
    }
    c.Write(kChunkedHead);
    c.WriteChunk("gone");
    c.WaitForClose();
  });
  auto client = StreamClient(server.url());
  std::latch all_there(kThreads);  // each of the pool's threads is in a sink
  std::vector<std::future<Reply>> replies;
  for (int i = 0; i < kThreads; ++i) {
    replies.push_back(std::async(std::launch::async, [&] {
      Sink sink([&](std::string_view) {
        all_there.arrive_and_wait();
        return false;
      });
      return client->Stream({.path = "/watch"}, sink, {});
    }));
  }
  for (auto& reply : replies) EXPECT_EQ(reply.get().status, 200);
  auto answered = std::make_shared<std::promise<Reply>>();
  client->Send({.path = "/other"}, [answered](Reply reply) { answered->set_value(std::move(reply)); });
  auto answer = answered->get_future();
  ASSERT_EQ(answer.wait_for(std::chrono::seconds(10)), std::future_status::ready) << "no thread is left";
  EXPECT_EQ(answer.get().body, "ok");
}

TEST(Stream, TheIdleTimeoutEndsAStream) {
  RawServer server([](ServerConnection& c) {
    c.Write(kChunkedHead);
    c.WriteChunk("first");
    c.WaitForClose();
  });
  auto client = StreamClient(server.url(), milliseconds(300));
  Sink sink;
  const auto begin = Clock::now();
  const Reply reply = client->Stream({.path = "/watch"}, sink, {});
  EXPECT_GE(Clock::now() - begin, milliseconds(250));
  EXPECT_LT(Clock::now() - begin, kPrompt);
  EXPECT_EQ(reply.status, 200);
  EXPECT_EQ(reply.error, "Get \"" + server.url() + "/watch\": i/o timeout: no byte within 300ms");
  EXPECT_EQ(sink.text(), "first");
}

TEST(Stream, ABrokenBodyHasItsStatusAndAnError) {
  RawServer server([](ServerConnection& c) {
    SeenRequest request;
    c.Read(request);
    c.Write(kChunkedHead);
    c.WriteChunk("first");
    c.Write("400\r\nhalf");
  });
  Sink sink;
  const Reply reply = StreamClient(server.url())->Stream({.path = "/watch"}, sink, {});
  EXPECT_EQ(reply.status, 200);
  EXPECT_THAT(reply.error, EndsWith(": unexpected EOF"));
  EXPECT_EQ(sink.text(), "first");
}

TEST(Stream, RefusedConnectionIsAnError) {
  Sink sink;
  const Reply reply =
      StreamClient("http://127.0.0.1:" + std::to_string(ClosedPort()))->Stream({.path = "/watch"}, sink, {});
  EXPECT_EQ(reply.status, 0);
  EXPECT_THAT(reply.error, HasSubstr("connection refused"));
  EXPECT_FALSE(reply.maybe_delivered);
  EXPECT_TRUE(sink.statuses.empty());
}

TEST(Stream, ManyStreamsNeedFewThreads) {
  constexpr int kStreams = 24;  // the pool has 4 threads
  std::latch all_asked(kStreams);
  RawServer server([&](ServerConnection& c) {
    SeenRequest request;
    c.Read(request);
    all_asked.arrive_and_wait();
    c.Write(kChunkedHead);
    for (int i = 0; i < 50; ++i) c.WriteChunk(std::to_string(i) + ",");
    c.WriteChunk("");
  });
  auto client = StreamClient(server.url());
  std::vector<std::future<std::string>> texts;
  for (int i = 0; i < kStreams; ++i) {
    texts.push_back(std::async(std::launch::async, [&] {
      Sink sink;
      const Reply reply = client->Stream({.path = "/watch"}, sink, {});
      return reply.error.empty() ? sink.text() : reply.error;
    }));
  }
  std::string wanted;
  for (int i = 0; i < 50; ++i) wanted += std::to_string(i) + ",";
  for (auto& text : texts) EXPECT_EQ(text.get(), wanted);
}

}  // namespace
}  // namespace berth::http

// The parallel sends of one transport: their number and their order. Thread: the test's, and the server's.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <latch>
#include <string>
#include <thread>
#include <vector>

#include "client.h"
#include "raw_server.h"

namespace berth::http {
namespace {

using std::chrono::milliseconds;

// The largest number of n sends, each held by the server for 2 ms, that were open at once. Each gets its own reply.
int MostAtOnce(int n, const std::function<void(ClientOptions&)>& change) {
  std::atomic<int> inside = 0, most = 0;
  RawServer server(Answering([&](ServerConnection& c, const SeenRequest& request) {
    const int now = ++inside;
    for (int seen = most; now > seen && !most.compare_exchange_weak(seen, now);) {
    }
    std::this_thread::sleep_for(milliseconds(2));
    --inside;
    c.WriteReply(200, request.body);
  }));
  auto client = Client(server.url(), change);
  std::latch all(n);
  std::atomic<int> answered = 0;
  for (int i = 0; i < n; ++i) {
    const std::string body = std::to_string(i);
    client->Send({.method = "POST", .path = "/x", .body = body, .content_type = "text/plain"}, [&, body](Reply reply) {
      answered += reply.status == 200 && reply.body == body;
      all.count_down();
    });
  }
  all.wait();
  EXPECT_EQ(answered, n);
  return most;
}

TEST(ParallelSends, AreAllAnsweredOverFewConnections) {
  const int most = MostAtOnce(200, [](ClientOptions& o) { o.max_parallel_sends = 16; });
  EXPECT_GT(most, 4);
  EXPECT_LE(most, 16);
}

TEST(ParallelSends, AShortBurstUsesFewConnections) {
  const int most = MostAtOnce(60, [](ClientOptions& o) {
    o.eager_parallel_sends = 4;
    o.widen_after = milliseconds(60'000);
  });
  EXPECT_LE(most, 4);
}

TEST(ParallelSends, ALongWaitOpensAConnection) {
  constexpr int kSends = 12;
  std::latch arrived(kSends);  // no request gets a reply before all have arrived
  RawServer server(Answering([&](ServerConnection& c, const SeenRequest&) {
    arrived.arrive_and_wait();
    c.WriteReply(200, "ok");
  }));
  auto client = Client(server.url(), [](ClientOptions& o) {
    o.eager_parallel_sends = 4;
    o.widen_after = milliseconds(30);
  });
  std::latch all(kSends);
  std::atomic<int> answered = 0;
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < kSends; ++i) {
    client->Send({.path = "/x"}, [&](Reply reply) {
      answered += reply.status == 200;
      all.count_down();
    });
  }
  all.wait();
  EXPECT_EQ(answered, kSends);
  EXPECT_GE(std::chrono::steady_clock::now() - begin, 8 * milliseconds(30));  // one after the other
}

TEST(ParallelSends, EagerSendsStartAtOnce) {
  const int most = MostAtOnce(40, [](ClientOptions& o) {
    o.max_parallel_sends = 3;
    o.eager_parallel_sends = 16;
    o.widen_after = milliseconds(60'000);
  });
  EXPECT_LE(most, 3);
}

TEST(ParallelSends, DestructionAnswersWaitingSends) {
  std::latch arrived(1);
  RawServer server([&](ServerConnection& c) {
    SeenRequest request;
    c.Read(request);
    arrived.count_down();
    c.WaitForClose();
  });
  std::atomic<int> answered = 0;
  {
    auto client = Client(server.url(), [](ClientOptions& o) {
      o.eager_parallel_sends = 1;
      o.widen_after = milliseconds(60'000);
    });
    for (int i = 0; i < 3; ++i) client->Send({.path = "/x"}, [&](Reply) { ++answered; });
    arrived.wait();
  }
  EXPECT_EQ(answered, 3);
}

}  // namespace
}  // namespace berth::http

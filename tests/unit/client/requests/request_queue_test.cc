#include "client/requests/request_queue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "eventually.h"
#include "fake_transport.h"

namespace berth::requests {
namespace {

using testing::ElementsAre;
using testing::UnorderedElementsAre;

http::Request To(std::string path) {
  http::Request request;
  request.path = std::move(path);
  return request;
}

struct Fixture : testing::Test {
  http::FakeTransport transport;
  base::RealClock clock;
  std::mutex mutex;
  std::vector<std::string> answers;

  RequestQueue::Done Note(std::string name) {
    return [this, name](const http::Reply& reply) {
      std::lock_guard lock(mutex);
      answers.push_back(name + " " + std::to_string(reply.status) + reply.error);
    };
  }
  size_t n() {
    std::lock_guard lock(mutex);
    return answers.size();
  }
};
using ARequestQueue = Fixture;

TEST_F(ARequestQueue, LimitsParallelRequests) {
  transport.hold = true;
  RequestQueue queue(transport, clock, {-1, 1, 2});
  for (const char* path : {"/a", "/b", "/c"}) queue.Post(To(path), Note(path));
  EXPECT_THAT(transport.Lines(), ElementsAre("GET /a", "GET /b"));
  EXPECT_TRUE(transport.Release());
  EXPECT_TRUE(Eventually([&] { return transport.requests().size() == 3; }));
  EXPECT_EQ(transport.Lines()[2], "GET /c");
  EXPECT_FALSE(queue.Flush(base::kMillisecond));
  while (transport.Release()) {
  }
  EXPECT_TRUE(queue.Flush(10 * base::kSecond));
  EXPECT_THAT(answers, ElementsAre("/a 200", "/b 200", "/c 200"));
}

TEST_F(ARequestQueue, SendsTheNextRequestOnTheThreadOfAReply) {
  transport.hold = true;
  RequestQueue queue(transport, clock, {-1, 1, 1});
  for (const char* path : {"/a", "/b"}) queue.Post(To(path), Note(path));
  EXPECT_TRUE(transport.Release());
  EXPECT_THAT(transport.Lines(), ElementsAre("GET /a", "GET /b"));
  EXPECT_TRUE(transport.Release());
}

TEST_F(ARequestQueue, DoesNotNestRepliesThatComeAtOnce) {
  transport.hold = true;
  RequestQueue queue(transport, clock, {-1, 1, 1});
  const int here = 0;
  std::ptrdiff_t deepest = 0;
  constexpr size_t kRequests = 10'000;
  for (size_t i = 0; i < kRequests; ++i) {
    queue.Post(To("/"), [&](const http::Reply& reply) {
      const int there = 0;
      deepest = std::max<std::ptrdiff_t>(
          deepest, std::abs(reinterpret_cast<intptr_t>(&here) - reinterpret_cast<intptr_t>(&there)));
      Note("/")(reply);
    });
  }
  transport.hold = false;
  EXPECT_TRUE(transport.Release());
  EXPECT_TRUE(queue.Flush(10 * base::kSecond));
  EXPECT_EQ(n(), kRequests);
  EXPECT_LT(deepest, 64 << 10);
}

TEST_F(ARequestQueue, TheCauseOfAPostIsThatOfItsRequestAndOfWhatFollows) {
  transport.hold = true;
  RequestQueue queue(transport, clock, {-1, 1, 2});
  {
    const trace::Scope scope({trace::SpanContext::Decision::kSampled, 1, 2, 3});
    queue.Post(To("/a"), [&](const http::Reply&) { queue.Post(To("/b"), Note("/b")); });
  }
  queue.Post(To("/c"), Note("/c"));
  ASSERT_TRUE(Eventually([&] { return transport.Release(), n() == 2; }));
  for (const http::Request& request : transport.requests()) {
    EXPECT_EQ(request.cause.span, request.path == "/c" ? 0u : 3u) << request.path;
  }
}

TEST_F(ARequestQueue, SendsNoChangeWhileItMayNotWrite) {
  bool leads = true;
  RequestQueue queue(transport, clock, {.qps = -1, .burst = 1, .max_in_flight = 2, .may_write = [&] { return leads; }});
  const auto post = [&](const char* method, const char* path) {
    http::Request request = To(path);
    request.method = method;
    queue.Post(std::move(request), Note(path));
  };
  post("POST", "/first");
  leads = false;
  post("POST", "/second");
  post("GET", "/read");
  leads = true;
  post("PATCH", "/third");
  ASSERT_TRUE(Eventually([&] { return n() == 4; }));
  EXPECT_THAT(transport.Lines(), ElementsAre("POST /first", "GET /read", "PATCH /third"));
  EXPECT_THAT(answers,
              ElementsAre("/first 200", "/second 0this process is not the leader any more", "/read 200", "/third 200"));
}

TEST_F(ARequestQueue, SendsTheNextRequestInsteadOfOneWithAnObjection) {
  transport.hold = true;
  RequestQueue queue(transport, clock, {.qps = -1, .burst = 1, .max_in_flight = 1});
  const char* why = nullptr;
  http::Request objects = To("/objects");
  objects.objection = [&why] { return why; };
  queue.Post(To("/first"), Note("first"));
  queue.Post(std::move(objects), Note("objects"));
  queue.Post(To("/last"), Note("last"));
  why = "not needed";
  ASSERT_TRUE(transport.Release());
  EXPECT_THAT(transport.Lines(), ElementsAre("GET /first", "GET /last"));
  EXPECT_THAT(answers, ElementsAre("first 200", "objects 0not needed"));
  ASSERT_TRUE(transport.Release());
}

TEST_F(ARequestQueue, AsksARequestsObjectionBesidesTheRightToWrite) {
  bool leads = true;
  RequestQueue queue(transport, clock, {.qps = -1, .burst = 1, .max_in_flight = 2, .may_write = [&] { return leads; }});
  http::Request change = To("/change");
  change.method = "POST";
  const char* why = nullptr;
  change.objection = [&why] { return why; };
  queue.Post(std::move(change), Note("change"));
  ASSERT_TRUE(Eventually([&] { return n() == 1; }));
  const http::Request sent = transport.requests().at(0);
  EXPECT_EQ(sent.objection(), nullptr);
  why = "not needed";
  EXPECT_STREQ(sent.objection(), "not needed");
  leads = false;
  EXPECT_STREQ(sent.objection(), "this process is not the leader any more");
}

TEST_F(ARequestQueue, LetsTheTransportAskAgainWhetherItMayWrite) {
  bool leads = true;
  RequestQueue queue(transport, clock, {.qps = -1, .burst = 1, .max_in_flight = 2, .may_write = [&] { return leads; }});
  http::Request change = To("/change");
  change.method = "POST";
  queue.Post(std::move(change), Note("change"));
  queue.Post(To("/read"), Note("read"));
  ASSERT_TRUE(Eventually([&] { return n() == 2; }));
  const std::vector<http::Request> sent = transport.requests();
  ASSERT_TRUE(sent[0].objection);
  EXPECT_EQ(sent[0].objection(), nullptr);
  leads = false;
  EXPECT_STREQ(sent[0].objection(), "this process is not the leader any more");
  EXPECT_FALSE(sent[1].objection);
}

TEST_F(ARequestQueue, SendsUrgentRequestsFirst) {
  transport.hold = true;
  RequestQueue queue(transport, clock, {-1, 1, 1});
  queue.Post(To("/running"), Note("running"));
  queue.Post(To("/patch"), Note("patch"));
  queue.Post(To("/binding"), Note("binding"), Turn::kBinding);
  while (n() < 3) transport.Release();
  EXPECT_THAT(answers, ElementsAre("running 200", "binding 200", "patch 200"));
}

TEST_F(ARequestQueue, DropsRequestsThatAreNotNeeded) {
  RequestQueue queue(transport, clock, {-1, 1, 1});
  queue.Post([]() -> std::optional<http::Request> { return std::nullopt; }, Note("late"));
  EXPECT_TRUE(queue.Flush(10 * base::kSecond));
  EXPECT_THAT(answers, ElementsAre("late 0not needed any more"));
  EXPECT_TRUE(transport.requests().empty());
}

TEST_F(ARequestQueue, DroppedRequestsDoNotCountForTheRate) {
  const base::VirtualClock still(0);
  RequestQueue queue(transport, still, {50, 1, 8});
  for (int i = 0; i < 100; ++i) {
    queue.Post([]() -> std::optional<http::Request> { return std::nullopt; }, [](const http::Reply&) {});
  }
  queue.Post(To("/needed"), Note("needed"));
  EXPECT_TRUE(queue.Flush(10 * base::kSecond));
  EXPECT_THAT(answers, ElementsAre("needed 200"));
}

TEST_F(ARequestQueue, LimitsTheRate) {
  RequestQueue queue(transport, clock, {50, 1, 8});
  const int64_t started = clock.MonoNs();
  for (int i = 0; i < 6; ++i) queue.Post(To("/"), Note("r"));
  EXPECT_TRUE(Eventually([&] { return n() == 6; }));
  EXPECT_GE(clock.MonoNs() - started, 5 * 20 * base::kMillisecond - base::kMillisecond);
}

TEST_F(ARequestQueue, SendsDelayedRequestsInTime) {
  RequestQueue queue(transport, clock, {-1, 1, 8});
  queue.PostAfter(50 * base::kMillisecond, To("/late"), Note("late"));
  queue.Post(To("/now"), Note("now"));
  EXPECT_TRUE(Eventually([&] { return n() == 2; }));
  EXPECT_THAT(answers, ElementsAre("now 200", "late 200"));
}

TEST_F(ARequestQueue, SendsWhatWaitsIfTheSystemGivesNoThread) {
  RequestQueue queue(transport, clock, {.qps = 50, .burst = 1, .max_in_flight = 8, .threads = 0});
  queue.PostAfter(base::kMillisecond, To("/late"), Note("late"));
  queue.Post(To("/first"), Note("first"));
  queue.Post(To("/waits"), Note("waits"));  // for the rate
  EXPECT_TRUE(Eventually([&] { return n() == 3; }));
  EXPECT_THAT(answers, UnorderedElementsAre("first 200", "late 200", "waits 200"));
}

TEST_F(ARequestQueue, SendsARejectedRequestAgainIfTheSystemGivesNoThread) {
  int asked = 0;
  transport.answer = [&](const http::Request&) {
    http::Reply reply = http::ReplyOf(++asked < 3 ? 429 : 201);
    if (asked < 3) reply.retry_after_seconds = 0;
    return reply;
  };
  RequestQueue queue(transport, clock, {.qps = -1, .burst = 1, .max_in_flight = 8, .threads = 0});
  queue.Post(To("/a"), Note("a"));
  EXPECT_TRUE(Eventually([&] { return n() == 1; }));
  EXPECT_THAT(answers, ElementsAre("a 201"));
}

TEST_F(ARequestQueue, LaterRequestsDoNotPostponeTheNextTryForAThread) {
  RequestQueue queue(transport, clock, {.qps = -1, .burst = 1, .max_in_flight = 8, .threads = 0});
  queue.PostAfter(base::kMillisecond, To("/late"), Note("late"));
  EXPECT_TRUE(Eventually([&] {
    if (n() == 0) queue.PostAfter(3600 * base::kSecond, To("/later"), [](const http::Reply&) {});
    return n() == 1;
  }));
}

TEST_F(ARequestQueue, KnowsWhetherARequestMayStillChangeAnObject) {
  const struct {
    const char* name;
    const char* method;
    http::Reply reply;
    Turn turn = Turn::kRest;
    bool want;
  } rows[] = {
      {.name = "success", .method = "PATCH", .reply = http::ReplyOf(200), .want = true},
      {.name = "conflict", .method = "PATCH", .reply = http::ReplyOf(409), .want = true},
      {.name = "refused", .method = "PATCH", .reply = http::LostReply("connection refused", false), .want = true},
      {.name = "read", .method = "GET", .reply = http::LostReply("EOF", true), .want = true},
      {.name = "binding", .method = "POST", .reply = http::ReplyOf(500), .turn = Turn::kBinding, .want = true},
      {.name = "lost", .method = "PATCH", .reply = http::LostReply("EOF", true), .want = false},
      {.name = "etcd", .method = "DELETE", .reply = http::ReplyOf(500), .turn = Turn::kEviction, .want = false},
      {.name = "timeout", .method = "PUT", .reply = http::ReplyOf(504), .want = false},
  };
  for (const auto& row : rows) {
    SCOPED_TRACE(row.name);
    base::VirtualClock virtual_clock(0);
    transport.answer = [&](const http::Request&) { return row.reply; };
    RequestQueue queue(transport, virtual_clock, {.qps = -1, .burst = 1, .max_in_flight = 8});
    http::Request request = To("/a");
    request.method = row.method;
    queue.Post(std::move(request), Note("a"), row.turn);
    EXPECT_EQ(queue.AwaitAnswers(base::kSecond), row.want);
    virtual_clock.Advance(60 * base::kSecond);
    EXPECT_TRUE(queue.AwaitAnswers(base::kSecond));
  }
}

TEST_F(ARequestQueue, AnswersAllRequestsWhenStopped) {
  transport.hold = true;
  auto queue = std::make_unique<RequestQueue>(transport, clock, RequestQueueOptions{-1, 1, 1});
  queue->Post(To("/a"), Note("a"));
  queue->Post(To("/b"), Note("b"));
  queue->PostAfter(3600 * base::kSecond, To("/c"), Note("c"));
  std::jthread server([&] {
    Eventually([&] { return n() == 2; });  // b and c have been answered without being sent
    transport.Release();
  });
  queue->Stop();
  EXPECT_THAT(answers, ElementsAre("b 0the client is shutting down", "c 0the client is shutting down", "a 200"));
  queue->Post(To("/d"), Note("d"));
  EXPECT_EQ(answers.back(), "d 0the client is shutting down");
  EXPECT_THAT(transport.Lines(), ElementsAre("GET /a"));
}

TEST_F(ARequestQueue, RetriesAfterTheRequestedDelay) {
  int asked = 0;
  transport.answer = [&](const http::Request&) {
    http::Reply reply = http::ReplyOf(++asked < 3 ? 429 : 201);
    if (asked < 3) reply.retry_after_seconds = 0;
    return reply;
  };
  RequestQueue queue(transport, clock, {-1, 1, 8});
  queue.Post(To("/a"), Note("a"));
  EXPECT_TRUE(Eventually([&] { return n() == 1; }));
  EXPECT_THAT(answers, ElementsAre("a 201"));
  EXPECT_EQ(transport.requests().size(), 3u);
}

TEST_F(ARequestQueue, LimitsRetries) {
  transport.answer = [](const http::Request&) {
    http::Reply reply = http::ReplyOf(503);
    reply.retry_after_seconds = 0;
    return reply;
  };
  RequestQueue queue(transport, clock, {-1, 1, 8});
  queue.Post(To("/a"), Note("a"));
  EXPECT_TRUE(Eventually([&] { return n() == 1; }));
  EXPECT_THAT(answers, ElementsAre("a 503"));
  EXPECT_EQ(transport.requests().size(), 11u);
}

TEST_F(ARequestQueue, AcceptsRequestsInCallbacks) {
  RequestQueue queue(transport, clock, {-1, 1, 1});
  queue.Post(To("/first"), [&](const http::Reply&) { queue.Post(To("/second"), Note("second")); });
  EXPECT_TRUE(Eventually([&] { return n() == 1; }));
  EXPECT_TRUE(queue.Flush(10 * base::kSecond));
}

TEST_F(ARequestQueue, DoesNotRetryLateRequests) {
  transport.answer = [](const http::Request&) {
    http::Reply reply = http::ReplyOf(429);
    reply.retry_after_seconds = 7;
    return reply;
  };
  RequestQueue queue(transport, clock, {-1, 1, 8});
  std::optional<int64_t> timeout;
  queue.Post([] { return To("/late"); }, [&](const http::Reply& reply) { timeout = TurnedAwayNs(reply); });
  EXPECT_EQ(timeout, 7 * base::kSecond);
}

TEST_F(ARequestQueue, ReservesParallelRequestsForOtherLines) {
  transport.hold = true;
  RequestQueue queue(transport, clock, {-1, 1, 16});
  for (int i = 0; i < 20; ++i) queue.Post(To("/binding"), Note("b"), Turn::kBinding);
  EXPECT_EQ(transport.requests().size(), 12u);
  for (int i = 0; i < 5; ++i) queue.Post(To("/rest"), Note("r"));
  for (int i = 0; i < 5; ++i) queue.Post(To("/eviction"), Note("e"), Turn::kEviction);
  const auto lines = transport.Lines();
  EXPECT_EQ(lines.size(), 16u);
  EXPECT_EQ(std::count(lines.begin(), lines.end(), "GET /rest"), 2);
  EXPECT_EQ(std::count(lines.begin(), lines.end(), "GET /eviction"), 2);
  while (n() < 30) transport.Release();
}

class Observer final : public RequestQueueObserver {
 public:
  void OnSent(std::string_view method, int64_t waited_ns) override {
    std::lock_guard lock(mutex_);
    sent_.push_back(std::string(method) + (waited_ns >= 0 ? "" : " in the past"));
  }
  void OnTurnedAway(std::string_view method, int status) override {
    std::lock_guard lock(mutex_);
    sent_.push_back(std::string(method) + " again after " + std::to_string(status));
  }
  std::vector<std::string> sent() {
    std::lock_guard lock(mutex_);
    return sent_;
  }

 private:
  std::mutex mutex_;
  std::vector<std::string> sent_;
};

TEST_F(ARequestQueue, ReportsWhatItSends) {
  int asked = 0;
  transport.answer = [&](const http::Request&) {
    http::Reply reply = http::ReplyOf(++asked == 1 ? 429 : 201);
    if (asked == 1) reply.retry_after_seconds = 0;
    return reply;
  };
  Observer observer;
  RequestQueue queue(transport, clock, {.qps = -1, .burst = 1, .max_in_flight = 8, .observer = &observer});
  queue.Post(To("/a"), Note("a"));
  EXPECT_TRUE(Eventually([&] { return n() == 1; }));
  const auto sent = observer.sent();
  EXPECT_EQ(std::count(sent.begin(), sent.end(), "GET"), 2);
  EXPECT_EQ(std::count(sent.begin(), sent.end(), "GET again after 429"), 1);
}

TEST_F(ARequestQueue, KnowsItsLengths) {
  transport.hold = true;
  RequestQueue queue(transport, clock, {-1, 1, 1});
  for (const Turn turn : {Turn::kBinding, Turn::kBinding, Turn::kEviction, Turn::kRest}) {
    queue.Post(To("/x"), Note("x"), turn);
  }
  queue.PostAfter(3600 * base::kSecond, To("/late"), Note("late"));
  const QueueLengths lengths = queue.Lengths();
  EXPECT_EQ(lengths.in_flight, 1u);
  EXPECT_EQ(lengths.binding + lengths.eviction + lengths.rest, 3u);
  EXPECT_EQ(lengths.eviction, 1u);
  EXPECT_EQ(lengths.delayed, 1u);
  queue.Close();
  while (n() < 5) transport.Release();
}

}  // namespace
}  // namespace berth::requests

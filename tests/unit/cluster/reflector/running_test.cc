// Where a reflector works, and how it ends.
#include "cluster/reflector/running.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <optional>

#include "client/http/io_thread.h"
#include "eventually.h"
#include "fake_transport.h"
#include "story.h"

namespace berth::reflector {

using http::FakeTransport;
using http::ReplyOf;

constexpr const char* kPage =
    R"({"kind":"PodList","metadata":{"resourceVersion":"7"},"items":[{"metadata":{"name":"a","resourceVersion":"1"}}]})";

// Whether the I/O thread runs a task soon.
static bool IoThreadRuns() {
  const auto ran = std::make_shared<std::promise<void>>();
  http::PostToIo([ran] { ran->set_value(); });
  return ran->get_future().wait_for(std::chrono::seconds(5)) == std::future_status::ready;
}

// Looks during each object whether the I/O thread is free.
struct LookingFeed final : ObjectFeed {
  std::atomic<int> free{0}, busy{0}, listed{0};
  base::Result<Seen> Set(std::string_view) override {
    ++(IoThreadRuns() ? free : busy);
    return Seen{"a", "1"};
  }
  void Gone(const std::string&) override {}
  void Listed(std::shared_ptr<const base::TextSet>) override { ++listed; }
};

struct RunningTest : testing::Test {
  FakeTransport server;
  LookingFeed feed;
  std::optional<Reflector> reflector;

  // A server without WatchList, whose later watches are as in the script.
  void Start(std::optional<Running>& running, FakeTransport::StreamScript later = {{}, ReplyOf(200), true}) {
    server.stream = [later = std::move(later)](const http::Request& request) {
      const bool lists = request.path.find("sendInitialEvents") != std::string::npos;
      return lists ? FakeTransport::StreamScript{{}, ReplyOf(422, "{}")} : later;
    };
    server.answer = [](const http::Request&) { return ReplyOf(200, kPage); };
    running.emplace(reflector.emplace(kUnfinishedPods, server, feed, 1));
  }
};

TEST_F(RunningTest, APageIsDecodedBesideTheIoThread) {
  std::optional<Running> running;
  Start(running);
  ASSERT_TRUE(Eventually([&] { return feed.listed == 1; }));
  EXPECT_EQ(feed.free, 1);
  EXPECT_EQ(feed.busy, 0);
}

TEST_F(RunningTest, ItEndsAtAnyMoment) {
  for (int i = 0; i < 100; ++i) {
    std::optional<Running> running;
    Start(running);
    std::this_thread::sleep_for(std::chrono::microseconds(20 * i));
    running.reset();
    reflector.reset();  // nothing may use it any more
  }
  EXPECT_TRUE(IoThreadRuns());
}

TEST_F(RunningTest, ItEndsDuringADelay) {
  std::optional<Running> running;
  http::Reply later = ReplyOf(429, "{}");
  later.retry_after_seconds = 60;
  Start(running, {{}, later});
  ASSERT_TRUE(Eventually([&] { return server.requests().size() == 3; }));
  running.reset();
  EXPECT_EQ(server.requests().size(), 3U);
}

TEST_F(RunningTest, ARequestedStopDoesNotWait) {
  server.hold = true;
  std::optional<Running> running;
  Start(running);
  ASSERT_TRUE(Eventually([&] { return server.requests().size() == 2; }));
  running->RequestStop();
  EXPECT_TRUE(IoThreadRuns());
  server.Close();  // answers what is under way, as the transport of a daemon
  running.reset();
  EXPECT_EQ(server.requests().size(), 2U);
}

}  // namespace berth::reflector

// An elector with a transport and real time.
#include "cluster/election/elector.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>

#include "base/pause.h"
#include "candidate.h"
#include "client/http/await.h"
#include "client/http/io_thread.h"
#include "cluster/election/boot_clock.h"
#include "cluster/election/lease_watch.h"
#include "eventually.h"
#include "fake_transport.h"

namespace berth::election {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

// Leases that several transports reach, with watches. Thread: any.
class SharedServer {
 public:
  SharedServer() {
    server_.on_store = [this] { ++version_; };
  }
  http::Reply Answer(const http::Request& request) {
    std::lock_guard lock(mutex_);
    return server_.Answer(request);
  }
  void Put(const ElectionRecord& record) {
    std::lock_guard lock(mutex_);
    server_.Put(record);
  }
  ElectionRecord record() {
    std::lock_guard lock(mutex_);
    return server_.record();
  }
  std::string Event() {
    std::lock_guard lock(mutex_);
    return R"({"type":"MODIFIED","object":)" + json::Dump(*server_.lease) + "}\n";
  }
  int version() const { return version_; }
  // Changes what the server answers.
  void Fail(std::function<std::optional<http::Reply>(const http::Request&)> fault) {
    std::lock_guard lock(mutex_);
    server_.fault = std::move(fault);
  }

 private:
  std::mutex mutex_;
  LeaseServer server_;
  std::atomic<int> version_{0};
};

class SharedTransport final : public http::Transport {
 public:
  explicit SharedTransport(SharedServer& server) : server_(server) {}
  void Send(http::Request request, std::function<void(http::Reply)> done) override {
    if (hang) return;  // its owner has its own time limit
    done(server_.Answer(request));
  }
  http::Reply Stream(const http::Request&, http::BodySink& sink, const std::stop_token& stop) override {
    ++streams;
    if (refuse_watch) return LeaseServer::Status(403, "Forbidden");
    sink.OnHead({200});
    for (int seen = 0; !stop.stop_requested(); std::this_thread::sleep_for(milliseconds(1))) {
      const int version = server_.version();
      if (version != seen && !sink.OnBytes(server_.Event())) break;
      seen = version;
    }
    return http::ReplyOf(200);
  }
  void Close() override {}

  std::atomic<bool> hang{false}, refuse_watch{false};
  std::atomic<int> streams{0};

 private:
  SharedServer& server_;
};

class CountingCallbacks final : public LeaderCallbacks {
 public:
  void OnStartedLeading() override { ++started; }
  void OnStoppedLeading(EndReason) override { ++stopped; }
  // The answers come on the I/O thread.
  bool AwaitAnswers() override {
    const auto answered = std::make_shared<base::Bell>();
    http::PostToIo([answered] { answered->Ring(); });
    std::stop_source late;
    const std::jthread limit([&late](const std::stop_token& over) {
      if (base::PauseFor(seconds(5), over)) late.request_stop();
    });
    return answered->Wait(late.get_token());
  }
  std::atomic<int> started{0}, stopped{0};
};

struct RunningElector {
  RunningElector(SharedServer& server, const ElectionOptions& options, const base::Clock& clock)
      : transport(server),
        elector(options, ElectorServices{transport, clock, fence, callbacks, {}, base::MixText(1, options.identity)}) {}
  ~RunningElector() { Stop(); }
  void Start() {
    stop = std::stop_source();
    ended = std::make_shared<base::Bell>();
    http::StartOnIo([this] { return Run(stop.get_token(), ended); });
  }
  void Stop() {
    stop.request_stop();
    Join();
  }
  void Join() const {
    if (ended) ended->Wait({});
  }
  base::Async<void> Run(std::stop_token until, std::shared_ptr<base::Bell> end) {
    const EndReason how = co_await elector.Run(std::move(until));
    reason = static_cast<int>(how);
    end->Ring();
  }
  bool Holds() const { return fence.Holds(BootNs()); }

  SharedTransport transport;
  FenceState fence;
  CountingCallbacks callbacks;
  Elector elector;
  std::atomic<int> reason{-1};
  std::stop_source stop;
  std::shared_ptr<base::Bell> ended;
};

struct AnElector : testing::Test {
  BootClock clock;
  SharedServer server;
  RunningElector first{server, OptionsOf("first"), clock}, second{server, OptionsOf("second"), clock};
};

TEST_F(AnElector, TakesAReleasedLeaseAtOnce) {
  first.Start();
  ASSERT_TRUE(Eventually([&] { return first.Holds(); }));
  second.Start();
  ASSERT_TRUE(Eventually([&] { return second.elector.leader() == "first" && second.transport.streams > 0; }));
  const auto released = std::chrono::steady_clock::now();
  first.Stop();
  EXPECT_FALSE(first.Holds());
  EXPECT_EQ(first.reason, static_cast<int>(EndReason::kStopped));
  ASSERT_TRUE(Eventually([&] { return second.Holds(); }));
  EXPECT_LT(std::chrono::steady_clock::now() - released, seconds(2));  // retryPeriod, the shortest wait without a watch
  EXPECT_TRUE(second.elector.leading());
  EXPECT_EQ(first.callbacks.started, 1);
  EXPECT_EQ(first.callbacks.stopped, 1);
}

TEST_F(AnElector, OnlyPollsWhereItMayNotWatch) {
  ElectionOptions options = OptionsOf("third");
  options.retry_period = milliseconds(20);
  RunningElector third(server, options, clock);
  third.transport.refuse_watch = true;
  server.Put({.holder = "other", .lease_duration_seconds = 60});
  third.Start();
  ASSERT_TRUE(Eventually([&] { return third.transport.streams > 0 && third.elector.leader() == "other"; }));
  server.Put({.holder = "", .lease_duration_seconds = 1});
  EXPECT_TRUE(Eventually([&] { return third.Holds(); }));
  EXPECT_EQ(third.transport.streams, 1);
}

TEST_F(AnElector, CanRunAgainAfterALoss) {
  ElectionOptions options = OptionsOf("short");
  options.lease_duration = seconds(1);
  options.renew_deadline = milliseconds(100);
  options.retry_period = milliseconds(20);
  RunningElector one(server, options, clock);
  one.Start();
  ASSERT_TRUE(Eventually([&] { return one.Holds(); }));
  one.transport.hang = true;
  ASSERT_TRUE(Eventually([&] { return one.reason == static_cast<int>(EndReason::kLost); }));
  EXPECT_FALSE(one.Holds());
  EXPECT_FALSE(one.elector.leading());
  one.Join();
  one.transport.hang = false;
  one.Start();
  EXPECT_TRUE(Eventually([&] { return one.Holds(); }));
  EXPECT_TRUE(Eventually([&] { return one.callbacks.started == 2; })) << "the callback comes after the fence";
}

TEST_F(AnElector, EndsWhileTheServerHangs) {
  ElectionOptions options = OptionsOf("hangs");
  options.renew_deadline = milliseconds(100);
  options.retry_period = milliseconds(20);
  RunningElector one(server, options, clock);
  one.transport.hang = true;
  one.Start();
  one.Stop();
  EXPECT_EQ(one.reason, static_cast<int>(EndReason::kStopped));
}

// The clock does not advance: a tolerance below zero takes its place.
TEST(Check, FailsWhenALeaderHasNotRenewedForTooLong) {
  SettableClock clock;
  SharedServer server;
  RunningElector one(server, OptionsOf("one"), clock);
  EXPECT_TRUE(one.elector.Check());
  one.Start();
  ASSERT_TRUE(Eventually([&] { return one.callbacks.started == 1; }));
  EXPECT_TRUE(one.elector.Check());
  EXPECT_TRUE(one.elector.Check(1000 * base::kSecond));
  const auto unhealthy = one.elector.Check(-16 * base::kSecond);
  ASSERT_FALSE(unhealthy);
  EXPECT_EQ(unhealthy.error().message, "failed election to renew leadership on lease kube-scheduler");
  one.Stop();
  EXPECT_TRUE(one.elector.Check(-16 * base::kSecond));
}

struct LineCase {
  const char* name;
  const char* line;
  bool want = false;
};
class AWatchLine : public testing::TestWithParam<LineCase> {};

TEST_P(AWatchLine, ShowsWhetherTheLeaseHasChanged) { EXPECT_EQ(ShowsChange(GetParam().line), GetParam().want); }

INSTANTIATE_TEST_SUITE_P(
    Of, AWatchLine,
    testing::Values(LineCase{.name = "Released",
                             .line = R"({"type":"MODIFIED","object":{"spec":{"holderIdentity":""}}})",
                             .want = true},
                    LineCase{.name = "Seen", .line = R"({"type":"ADDED","object":{"metadata":{}}})", .want = true},
                    LineCase{.name = "Renewed",
                             .line = R"({"type":"MODIFIED","object":{"spec":{"holderIdentity":"other"}}})",
                             .want = true},
                    LineCase{.name = "Deleted",
                             .line = R"({"type":"DELETED","object":{"spec":{"holderIdentity":"other"}}})",
                             .want = true},
                    LineCase{.name = "Bookmark", .line = R"({"type":"BOOKMARK","object":{"metadata":{}}})"},
                    LineCase{.name = "Error", .line = R"({"type":"ERROR","object":{"code":410}})"},
                    LineCase{.name = "NoEvent", .line = "{"}),
    [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace berth::election

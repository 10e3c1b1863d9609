// The clients that watch the decisions of an engine whose scheduling thread runs.
#include "cluster/explain/watch_hub.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <stop_token>
#include <thread>

#include "cluster/explain/decision_events.h"
#include "cluster/explain/explain_answers.h"
#include "cluster/explain/explain_api.h"
#include "codec/json/value.h"
#include "eventually.h"
#include "scheduler/engine/ask.h"
#include "test_scheduler.h"

namespace berth::explain {
namespace {

using std::chrono::milliseconds;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

constexpr WatchLimits kQuick{.pause = milliseconds(5)};

// What a client of the stream sees.
class Reader {
 public:
  explicit Reader(std::shared_ptr<http::BodySource> source) : source_(std::move(source)) {}
  bool Read() {
    const std::optional<std::string> next = source_->Next();
    text += next.value_or("");
    largest = std::max(largest, next ? next->size() : 0);
    return next.has_value();
  }
  bool Until(const std::string& part) {
    return Eventually([&] { return Read() && text.find(part) != std::string::npos; });
  }
  bool Completes() {
    return Eventually([&] { return !Read(); });
  }
  // "decision 3", "missed 7", ... and "instance".
  std::vector<std::string> Events() const {
    std::vector<std::string> events;
    for (size_t at = 0, end; (end = text.find("\n\n", at)) != std::string::npos; at = end + 2) {
      const std::string event = text.substr(at, end - at);
      const size_t kind = event.find("event: "), data = event.find("data: ");
      if (kind == std::string::npos || data == std::string::npos) continue;
      std::string line = event.substr(kind + 7, data - kind - 8);
      const json::Value value = json::Parse(event.substr(data + 6)).value_or(json::Value());
      if (line == "decision") line += " " + std::to_string(value.Find("id")->integer());
      if (line == "missed") line += " " + std::to_string(value.Find("decisions")->integer());
      events.push_back(line);
    }
    return events;
  }

  std::string text;
  size_t largest = 0;

 private:
  std::shared_ptr<http::BodySource> source_;
};

simulation::SimulationOptions SmallRing() {
  simulation::SimulationOptions options = fixture::TestScheduler::DefaultOptions();
  options.engine.decisions.limits.decisions = 1000;
  return options;
}

class WatchHubTest : public testing::Test {
 protected:
  engine::Engine& engine() { return rig_.simulation->engine(); }
  std::shared_ptr<WatchHub> Hub(const WatchLimits& limits = kQuick) {
    return std::make_shared<WatchHub>(engine(), limits);
  }
  // On the scheduling thread, at once.
  void Decide(int n, const std::string& pod = "default/p", decisions::Result result = decisions::Result::kScheduled) {
    ASSERT_TRUE(engine::Ask(engine(), [&] {
      for (int i = 0; i < n; ++i) {
        engine().decisions().ring().Add({.result = result}, {.pod = pod, .profile = "profile"}, {});
      }
      return true;
    }));
  }

  fixture::TestScheduler rig_{{{}}, SmallRing()};
  std::jthread scheduling_{[this](const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      if (!engine().Step()) engine().WaitFor(base::kMillisecond);
    }
  }};
};

TEST(DecisionEvents, AreLinesOfText) {
  decisions::Decision decision;
  decision.id = 7;
  decision.pod = "default/web";
  decision.message = "two\nlines";
  const std::string event = DecisionEvent(decision);
  EXPECT_THAT(event, StartsWith("id: 7\nevent: decision\ndata: {\"id\":7,\"pod\":\"default/web\","));
  EXPECT_THAT(event, HasSubstr("two\\nlines"));
  EXPECT_EQ(std::count(event.begin(), event.end(), '\n'), 4);
  EXPECT_TRUE(event.ends_with("}\n\n"));
  EXPECT_EQ(MissedEvent(5, 9), "id: 9\nevent: missed\ndata: {\"decisions\":5}\n\n");
  EXPECT_EQ(Heartbeat(9), ": heartbeat\nid: 9\n\n");
  EXPECT_EQ(InstanceEvent(3),
            "retry: 2000\nevent: instance\ndata: {\"instance\":\"" + InstanceId() + "\",\"newest\":3}\n\n");
}

TEST_F(WatchHubTest, SendsWhatFollows) {
  Decide(3);
  const auto hub = Hub();
  Reader reader(hub->Watch({}));
  ASSERT_TRUE(reader.Until("\"newest\":3"));
  Decide(2);
  ASSERT_TRUE(reader.Until("id: 5\n"));
  EXPECT_THAT(reader.Events(), ElementsAre("instance", "decision 4", "decision 5"));
}

TEST_F(WatchHubTest, WakesItsReader) {
  const auto hub = Hub();
  const auto source = hub->Watch({.after = 0});
  std::atomic<int> woken{0};
  source->SetWake([&] { ++woken; });
  EXPECT_TRUE(Eventually([&] { return !source->Next()->empty(); }));
  const int before = woken;
  Decide(1);
  EXPECT_TRUE(Eventually([&] { return woken > before; }));
  EXPECT_THAT(*source->Next(), HasSubstr("id: 1\n"));
  source->SetWake({});
}

TEST_F(WatchHubTest, ResumesAfterAnId) {
  Decide(300);
  const auto hub = Hub();
  Reader all(hub->Watch({.after = 0})), some(hub->Watch({.after = 297}));
  ASSERT_TRUE(all.Until("id: 300\n"));
  ASSERT_TRUE(some.Until("id: 300\n"));
  EXPECT_EQ(all.Events().size(), 301u);
  EXPECT_THAT(some.Events(), ElementsAre("instance", "decision 298", "decision 299", "decision 300"));
}

TEST_F(WatchHubTest, BeginsAgainAfterARestartOfTheScheduler) {
  Decide(2);
  const auto hub = Hub();
  Reader reader(hub->Watch({.after = 5000}));
  ASSERT_TRUE(reader.Until("id: 2\n"));
  EXPECT_THAT(reader.Events(), ElementsAre("instance", "decision 1", "decision 2"));
}

TEST_F(WatchHubTest, FiltersWithoutLosingItsPlace) {
  const auto hub = Hub();
  Reader web(hub->Watch({.filter = {.pod = "default/web"}, .after = 0}));
  Reader failed(hub->Watch({.filter = {.result = decisions::Result::kUnschedulable}, .after = 0}));
  Decide(150);
  Decide(1, "default/web");
  Decide(150);
  Decide(1, "default/db", decisions::Result::kUnschedulable);
  ASSERT_TRUE(web.Until("default/web"));
  ASSERT_TRUE(failed.Until("default/db"));
  EXPECT_THAT(web.Events(), ElementsAre("instance", "decision 151"));
  EXPECT_THAT(failed.Events(), ElementsAre("instance", "decision 302"));
}

TEST_F(WatchHubTest, ASlowClientMissesDecisionsAndNeedsBoundedMemory) {
  const auto hub = Hub({.buffer = 4096, .pause = milliseconds(1)});
  Reader slow(hub->Watch({.after = 0})), quick(hub->Watch({.after = 0}));
  const int n = 3 * static_cast<int>(engine().decisions().ring().limits().decisions);
  for (int i = 0; i < n; i += 500) Decide(500);
  ASSERT_TRUE(quick.Until("id: " + std::to_string(n) + "\n"));
  ASSERT_TRUE(slow.Until("id: " + std::to_string(n) + "\n"));
  EXPECT_LE(slow.largest, 4096u + 1024);
  const std::vector<std::string> events = slow.Events();
  uint64_t last = 0;
  bool missed = false;
  for (const std::string& one : events) {
    const uint64_t number = one == "instance" ? 0 : std::stoull(one.substr(one.find(' ')));
    if (one.starts_with("missed")) {
      missed = true;
      last += number;
    }
    if (one.starts_with("decision")) {
      EXPECT_EQ(number, last + 1) << "each is sent or counted";
      last = number;
    }
  }
  EXPECT_TRUE(missed);
  EXPECT_EQ(last, static_cast<uint64_t>(n));
}

TEST_F(WatchHubTest, HasAtMostSoManyClients) {
  const auto hub = Hub({.watchers = 2});
  auto first = hub->Watch({}), second = hub->Watch({});
  EXPECT_NE(second, nullptr);
  EXPECT_EQ(hub->Watch({}), nullptr);
  first.reset();
  EXPECT_NE(hub->Watch({}), nullptr);
}

TEST_F(WatchHubTest, SendsHeartbeats) {
  const auto hub = Hub({.pause = milliseconds(5), .heartbeat = milliseconds(20)});
  Reader reader(hub->Watch({}));
  EXPECT_TRUE(reader.Until(": heartbeat\nid: 0\n\n: heartbeat\nid: 0\n\n"));
}

TEST_F(WatchHubTest, EndsStreamsThatAreOldAndAllAtTheEnd) {
  const auto hub = Hub({.pause = milliseconds(5), .longest = milliseconds(20)}), other = Hub();
  EXPECT_TRUE(Reader(hub->Watch({})).Completes());
  Reader reader(other->Watch({}));
  ASSERT_TRUE(reader.Until("instance"));
  other->End();
  EXPECT_FALSE(reader.Read());
  EXPECT_EQ(other->Watch({}), nullptr);
}

TEST_F(WatchHubTest, EndsWhileTheSchedulingThreadIsBusy) {
  auto hub = Hub();
  std::optional<Reader> reader(hub->Watch({}));
  ASSERT_TRUE(reader->Until("instance"));
  scheduling_ = {};
  ASSERT_TRUE(Eventually([&] { return engine().inbox_length() != 0; })) << "the hub waits for an answer";
  hub->End();
  EXPECT_FALSE(reader->Read());
  reader.reset();
  const auto began = std::chrono::steady_clock::now();
  hub.reset();
  EXPECT_LT(std::chrono::steady_clock::now() - began, engine::kLongestAnswer / 2);
}

TEST_F(WatchHubTest, IsARequest) {
  serve::Routes routes;
  std::stop_source ending;
  AddExplainRoutes(routes, {engine(), rig_.intern, ending.get_token()});
  const auto watch = [&](const std::string& query, http::Headers headers = {}) {
    return routes.Serve({.path = "/admin/v1/decisions", .query = query, .headers = std::move(headers)});
  };
  Decide(4);
  http::Answer answer = watch("watch&after=1", {{"last-event-id", "3"}});
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.content_type, "text/event-stream");
  ASSERT_NE(answer.source, nullptr);
  Reader reader(answer.source);
  ASSERT_TRUE(reader.Until("id: 4\n"));
  EXPECT_THAT(reader.Events(), ElementsAre("instance", "decision 4"));
  EXPECT_THAT(watch("watch", {{"last-event-id", "x"}}).body, HasSubstr("Last-Event-ID: \"x\" is not the ID"));
  EXPECT_THAT(watch("watch&after=18446744073709551615").body,
              HasSubstr("after: \"18446744073709551615\" is not a number from 0 to 18446744073709551614"));
  for (const char* id : {"18446744073709551614", "18446744073709551615"}) {
    Reader again(watch("watch", {{"last-event-id", id}}).source);
    EXPECT_TRUE(again.Until("id: 4\n"));
    EXPECT_EQ(again.Events().size(), 5u) << "the ID is of another process, so all decisions are new";
  }
  EXPECT_THAT(watch("watch&limit=5").body, HasSubstr("unknown or repeated parameter \"limit\""));
  EXPECT_THAT(watch("watch=maybe").body, HasSubstr("watch: \"maybe\" is neither 0 nor 1"));
  EXPECT_EQ(watch("watch=0").content_type, "application/json");
  std::vector<http::Answer> many;
  for (int i = 0; i < 15; ++i) many.push_back(watch("watch"));
  const http::Answer refused = watch("watch");
  EXPECT_EQ(refused.status, 429);
  EXPECT_THAT(refused.body, StartsWith("16 clients watch the decisions already"));
  ending.request_stop();
  EXPECT_FALSE(reader.Read());
  const http::Answer late = watch("watch");
  EXPECT_EQ(late.status, 503);
  EXPECT_THAT(late.body, StartsWith("the scheduler is ending"));
}

}  // namespace
}  // namespace berth::explain

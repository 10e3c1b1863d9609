#include "cluster/events/event_recorder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "codec/json/value.h"
#include "eventually.h"
#include "fake_transport.h"
#include "telemetry/log/capture.h"

namespace berth::events {
namespace {

using testing::ElementsAre;

constexpr int64_t kNow = 1'767'225'600 * base::kSecond + 1000;  // 2026-01-01T00:00:00.000001Z

EventRecord Failed(int64_t after_ns = 0, std::string note = "0/1 nodes are available") {
  EventRecord record;
  record.regarding = {"ns", "p", "u1", "7"};
  record.scheduler_name = "my-scheduler";
  record.type = "Warning";
  record.reason = "FailedScheduling";
  record.action = "Scheduling";
  record.note = std::move(note);
  record.unix_ns = kNow + after_ns;
  return record;
}

// A clock whose wall time can be set, as NTP does.
class SetClock final : public base::Clock {
 public:
  int64_t WallUnixNs() const override { return wall_ns; }
  int64_t MonoNs() const override { return mono_ns; }
  std::atomic<int64_t> wall_ns = kNow, mono_ns = 0;
};

struct EventRecorderTest : testing::Test {
  http::FakeTransport server;
  base::RealClock clock;
  base::VirtualClock wall{kNow};
  requests::RequestQueue queue{server, clock, {-1, 1, 8}};

  std::vector<std::string> Told(EventRecorder& recorder) {
    recorder.Stop();
    EXPECT_TRUE(queue.Flush(10 * base::kSecond));
    return server.Lines();
  }
};

TEST_F(EventRecorderTest, WritesAnEventAsKubeSchedulerDoes) {
  EventRecorder recorder(queue, wall, "host");
  recorder.Record(Failed());
  EXPECT_THAT(Told(recorder), ElementsAre("POST /apis/events.k8s.io/v1/namespaces/ns/events"));
  EXPECT_EQ(server.requests()[0].body,
            R"({"apiVersion":"events.k8s.io/v1","kind":"Event","metadata":{"name":"p.18867251edfa03e8",)"
            R"("namespace":"ns"},"eventTime":"2026-01-01T00:00:00.000001Z","reportingController":"my-scheduler",)"
            R"("reportingInstance":"my-scheduler-host","action":"Scheduling","reason":"FailedScheduling",)"
            R"("regarding":{"kind":"Pod","namespace":"ns","name":"p","uid":"u1","apiVersion":"v1",)"
            R"("resourceVersion":"7"},"note":"0/1 nodes are available","type":"Warning"})");
}

// Patches stay JSON: client-go has no other encoding for them.
TEST_F(EventRecorderTest, CreatesEventsInProtobufAndPatchesThemInJson) {
  constexpr requests::Encodings kBoth{requests::Encoding::kProtobuf, requests::Encoding::kProtobuf};
  requests::RequestQueue both(server, clock, {.qps = -1, .burst = 1, .max_in_flight = 8, .encodings = kBoth});
  EventRecorder recorder(both, wall, "host");
  recorder.Record(Failed());
  recorder.Record(Failed(base::kSecond));
  recorder.Stop();
  ASSERT_TRUE(both.Flush(10 * base::kSecond));
  const std::vector<http::Request> sent = server.requests();
  ASSERT_EQ(sent.size(), 2U);
  EXPECT_EQ(sent[0].content_type, "application/vnd.kubernetes.protobuf");
  EXPECT_EQ(sent[0].body,
            EventBody(requests::Encoding::kProtobuf, Failed(), "my-scheduler-host", EventName(Failed()), 1));
  EXPECT_EQ(sent[1].content_type, "application/merge-patch+json");
  for (const http::Request& one : sent) EXPECT_EQ(one.accept, "application/vnd.kubernetes.protobuf,application/json");
}

// The texts are upstream's: pkg/scheduler/framework/preemption/executor.go.
TEST_F(EventRecorderTest, NamesTheRelatedPod) {
  EventRecord record = Failed(0, "Preempted by pod u2 on node n1");
  record.related = ObjectReference{.ns = "other", .name = "preemptor", .uid = "u2", .resource_version = "9"};
  record.type = "Normal";
  record.reason = "Preempted";
  record.action = "Preempting";
  EventRecorder recorder(queue, wall, "host");
  recorder.Record(record);
  record.related->uid = "u3";  // another preemptor: another Event
  recorder.Record(record);
  EXPECT_THAT(Told(recorder), testing::Each("POST /apis/events.k8s.io/v1/namespaces/ns/events"));
  ASSERT_EQ(server.requests().size(), 2u);
  const auto event = json::Parse(server.requests()[0].body);
  ASSERT_TRUE(event);
  EXPECT_EQ(json::Dump(*event->Find("related")),
            R"({"kind":"Pod","namespace":"other","name":"preemptor","uid":"u2","apiVersion":"v1",)"
            R"("resourceVersion":"9"})");
  EXPECT_EQ(event->FindPath("regarding.name")->string(), "p");
  EXPECT_EQ(event->Find("note")->string(), "Preempted by pod u2 on node n1");
}

// Source: k8s.io/client-go/tools/record/event.go makeEvent. Each change of the leader is an Event of its own.
TEST_F(EventRecorderTest, WritesCoreEventsOfLeaderElection) {
  EventRecord record =
      LeaderElectionEvent({"kube-system", "kube-scheduler", "u1", "7"}, "my-scheduler", "node-1_u became leader");
  record.unix_ns = kNow;
  EventRecorder recorder(queue, wall, "host");
  recorder.Record(record);
  ++record.unix_ns;
  recorder.Record(record);
  EXPECT_THAT(Told(recorder),
              ElementsAre("POST /api/v1/namespaces/kube-system/events", "POST /api/v1/namespaces/kube-system/events"));
  EXPECT_EQ(server.requests()[0].body,
            R"({"apiVersion":"v1","kind":"Event","metadata":{"name":"kube-scheduler.18867251edfa03e8",)"
            R"("namespace":"kube-system"},"involvedObject":{"kind":"Lease","namespace":"kube-system",)"
            R"("name":"kube-scheduler","uid":"u1","apiVersion":"coordination.k8s.io/v1","resourceVersion":"7"},)"
            R"("reason":"LeaderElection","message":"node-1_u became leader","source":{"component":"my-scheduler"},)"
            R"("firstTimestamp":"2026-01-01T00:00:00Z","lastTimestamp":"2026-01-01T00:00:00Z","count":1,)"
            R"("type":"Normal","eventTime":null,"reportingComponent":"my-scheduler","reportingInstance":""})");
}

// Events about the scheduler: each change of the policy is one Event, and unknown fields are absent.
TEST_F(EventRecorderTest, WritesEventsOfOtherObjectsAndSeparatesOccasions) {
  EventRecord record = Failed(0, "generation 2 decides");
  record.regarding = {"kube-system", "kube-scheduler", "", "", "Lease", "coordination.k8s.io/v1"};
  record.occasion = "2";
  EventRecorder recorder(queue, wall, "host");
  recorder.Record(record);
  record.occasion = "3";
  ++record.unix_ns;
  recorder.Record(record);
  EXPECT_THAT(Told(recorder), ElementsAre("POST /apis/events.k8s.io/v1/namespaces/kube-system/events",
                                          "POST /apis/events.k8s.io/v1/namespaces/kube-system/events"));
  const auto event = json::Parse(server.requests()[0].body);
  ASSERT_TRUE(event);
  EXPECT_EQ(json::Dump(*event->Find("regarding")),
            R"({"kind":"Lease","namespace":"kube-system","name":"kube-scheduler",)"
            R"("apiVersion":"coordination.k8s.io/v1"})");
}

TEST_F(EventRecorderTest, CombinesRepeatedEventsIntoASeries) {
  EventRecorder recorder(queue, wall, "host");
  recorder.Record(Failed());
  recorder.Record(Failed(base::kSecond, "another note is the same event"));
  recorder.Record(Failed(2 * base::kSecond));
  EXPECT_THAT(Told(recorder), ElementsAre("POST /apis/events.k8s.io/v1/namespaces/ns/events",
                                          "PATCH /apis/events.k8s.io/v1/namespaces/ns/events/" + EventName(Failed())));
  EXPECT_EQ(server.requests()[1].body, R"({"series":{"count":2,"lastObservedTime":"2026-01-01T00:00:01.000001Z"}})");
}

// A series needs memory for six minutes, but a pod is bound only once.
TEST_F(EventRecorderTest, DoesNotStoreEventsOfBoundPods) {
  EventRecorder recorder(queue, wall, "host");
  for (int i = 0; i < 2; ++i) {
    EventRecord record = Failed(i * base::kSecond, "Successfully assigned ns/p to node");
    record.type = "Normal";
    record.reason = "Scheduled";
    record.action = "Binding";
    recorder.Record(std::move(record));
  }
  EXPECT_THAT(Told(recorder), ElementsAre("POST /apis/events.k8s.io/v1/namespaces/ns/events",
                                          "POST /apis/events.k8s.io/v1/namespaces/ns/events"));
}

TEST_F(EventRecorderTest, CreatesADeletedEventAgain) {
  server.answer = [](const http::Request& request) { return http::ReplyOf(request.method == "PATCH" ? 404 : 201); };
  EventRecorder recorder(queue, wall, "host");
  recorder.Record(Failed());
  recorder.Record(Failed(base::kSecond));
  EXPECT_THAT(Told(recorder),
              ElementsAre("POST /apis/events.k8s.io/v1/namespaces/ns/events", testing::StartsWith("PATCH "),
                          "POST /apis/events.k8s.io/v1/namespaces/ns/events"));
}

TEST_F(EventRecorderTest, StartsANewSeriesAfterSixMinutesAndForAnotherVersion) {
  EventRecorder recorder(queue, wall, "host");
  recorder.Record(Failed());
  wall.Advance(361 * base::kSecond);
  recorder.Record(Failed(361 * base::kSecond));
  EventRecord changed = Failed(362 * base::kSecond);
  changed.regarding.resource_version = "8";
  recorder.Record(changed);
  EXPECT_THAT(Told(recorder), testing::Each("POST /apis/events.k8s.io/v1/namespaces/ns/events"));
  EXPECT_EQ(server.requests().size(), 3u);
}

TEST_F(EventRecorderTest, DropsAndCountsEventsIfTheServerIsTooSlow) {
  server.hold = true;
  EventRecorder recorder(queue, wall, "host");
  constexpr int kMore = 25;
  for (int i = 0; i < static_cast<int>(EventRecorder::kCapacity) + kMore; ++i) {
    EventRecord record = Failed();
    record.regarding.uid = std::to_string(i);
    recorder.Record(std::move(record));
  }
  EXPECT_EQ(recorder.dropped(), static_cast<uint64_t>(kMore));
  recorder.Stop();
  std::jthread server_thread([this](const std::stop_token& stop) {
    while (!stop.stop_requested()) server.Release();
  });
  EXPECT_TRUE(queue.Flush(20 * base::kSecond));
  EXPECT_EQ(server.requests().size(), EventRecorder::kCapacity);
}

TEST_F(EventRecorderTest, DoesNotRetryRefusedEvents) {
  server.answer = [](const http::Request&) { return http::ReplyOf(403, "no"); };
  EventRecorder recorder(queue, wall, "host");
  recorder.Record(Failed());
  EXPECT_EQ(Told(recorder).size(), 1u);
}

struct SetBackTest : EventRecorderTest {
  SetClock set;
  EventRecorder recorder{queue, set, "host"};
  static constexpr int64_t kHour = 3600 * base::kSecond;

  void RecordNow(const std::string& uid = "u1") {
    EventRecord record = Failed(set.wall_ns - kNow);
    record.regarding.uid = uid;
    recorder.Record(std::move(record));
  }
  void Pass(int64_t ns) {
    set.wall_ns += ns;
    set.mono_ns += ns;
  }
  bool Sent(size_t n) {
    return Eventually([&] { return server.requests().size() == n; });
  }
};

TEST_F(SetBackTest, ASeriesIsRefreshedAfterThirtyMinutes) {
  RecordNow();
  RecordNow();
  ASSERT_TRUE(Sent(2));
  set.wall_ns -= kHour;
  for (int i = 0; i < 6; ++i) {
    Pass(300 * base::kSecond);
    RecordNow();
  }
  ASSERT_TRUE(Sent(3));
  EXPECT_EQ(server.requests()[2].body, R"({"series":{"count":8,"lastObservedTime":"2025-12-31T23:30:00.000001Z"}})");
}

TEST_F(SetBackTest, ASeriesEndsAfterSixMinutes) {
  RecordNow();
  for (int i = 0; i < 2; ++i) RecordNow();
  ASSERT_TRUE(Sent(2));
  set.wall_ns -= kHour;
  Pass(361 * base::kSecond);
  RecordNow();
  ASSERT_TRUE(Sent(3));
  EXPECT_THAT(server.Lines()[2], testing::StartsWith("POST "));
}

TEST_F(SetBackTest, TheLastCountOfASeriesIsWritten) {
  for (int i = 0; i < 3; ++i) RecordNow();
  ASSERT_TRUE(Sent(2));
  set.wall_ns -= kHour;
  Pass(361 * base::kSecond);
  RecordNow("u2");
  ASSERT_TRUE(Sent(4));
  EXPECT_EQ(server.requests()[3].body, R"({"series":{"count":3,"lastObservedTime":"2026-01-01T00:00:00.000001Z"}})");
}

// Users choose the number of pods. Without space for a series, each occurrence is an Event of its own.
TEST_F(EventRecorderTest, LimitsTheNumberOfSeries) {
  constexpr size_t kMost = 16'384;
  EventRecorder recorder(queue, wall, "host");
  size_t recorded = 0;
  const auto record = [&](size_t pod, int64_t after_ns = 0) {
    EventRecord event = Failed(after_ns);
    event.regarding.uid = std::to_string(pod);
    recorder.Record(std::move(event));
    ++recorded;
  };
  const auto handled = [&] { return Eventually([&] { return server.requests().size() == recorded; }); };
  for (size_t pod = 0; pod <= kMost; ++pod) {
    record(pod);
    if (recorded % 900 == 0) {
      ASSERT_TRUE(handled());
    }
  }
  record(kMost, 1);
  record(0, 1);
  ASSERT_TRUE(handled());
  std::vector<std::string> lines = server.Lines();
  EXPECT_THAT(lines[kMost + 1], testing::StartsWith("POST "));
  EXPECT_THAT(lines[kMost + 2], testing::StartsWith("PATCH "));

  constexpr int64_t kLater = 420 * base::kSecond;  // series end after six minutes
  wall.Advance(kLater);
  record(kMost + 1, kLater);
  ASSERT_TRUE(handled());
  ASSERT_TRUE(Eventually([&] {  // the recorder forgets after it has handled what there was
    record(kMost + 2, kLater);
    return handled() && server.Lines().back().starts_with("PATCH ");
  }));
}

struct HeldEventsTest : EventRecorderTest {
  std::atomic<int> asked = 0;
  std::atomic<bool> busy = true;
  EventRecorder recorder{queue, wall, "host", [this] { return ++asked, busy.load(); }};

  bool AskedAgain() {
    const int before = asked;
    return Eventually([&] { return asked > before + 2; });
  }
};

TEST_F(HeldEventsTest, WaitWhileTheServerHasBindings) {
  recorder.Record(Failed());
  EXPECT_TRUE(AskedAgain());
  EXPECT_TRUE(server.requests().empty());
  busy = false;
  EXPECT_TRUE(Eventually([&] { return server.requests().size() == 1; }));
}

TEST_F(HeldEventsTest, WaitForTenSecondsAtMost) {
  recorder.Record(Failed());
  wall.Advance(9 * base::kSecond);
  EXPECT_TRUE(AskedAgain());
  EXPECT_TRUE(server.requests().empty());
  wall.Advance(base::kSecond);
  EXPECT_TRUE(Eventually([&] { return server.requests().size() == 1; }));
}

TEST_F(EventRecorderTest, EventsWaitForTenSecondsOfAClockThatNobodySets) {
  SetClock set;
  EventRecorder recorder(queue, set, "host", [] { return true; });
  recorder.Record(Failed());
  set.wall_ns = kNow - 3600 * base::kSecond;
  set.mono_ns = 10 * base::kSecond;
  EXPECT_TRUE(Eventually([&] { return server.requests().size() == 1; }));
}

TEST_F(HeldEventsTest, DoNotWaitWhenTooManyDo) {
  for (size_t i = 0; i < EventRecorder::kMostHeld + 10; ++i) {
    EventRecord record = Failed();
    record.regarding.uid = std::to_string(i);
    recorder.Record(std::move(record));
  }
  // The oldest go, until so few are left that they can wait.
  EXPECT_TRUE(Eventually([&] { return server.requests().size() == 11; })) << server.requests().size();
  EXPECT_TRUE(AskedAgain());
  EXPECT_EQ(server.requests().size(), 11U);
  EXPECT_EQ(recorder.dropped(), 0U);
}

TEST_F(HeldEventsTest, AreSentWhenTheRecorderStops) {
  recorder.Record(Failed());
  EXPECT_TRUE(AskedAgain());
  EXPECT_THAT(Told(recorder), ElementsAre("POST /apis/events.k8s.io/v1/namespaces/ns/events"));
}

// Replies after which the API server may still accept the Event later.
class UnansweredTest : public HeldEventsTest, public testing::WithParamInterface<int> {};

TEST_P(UnansweredTest, IsCountedWhenTheRecorderStops) {
  server.answer = [](const http::Request&) { return http::ReplyOf(GetParam(), "no"); };
  recorder.Record(Failed());
  EXPECT_EQ(Told(recorder).size(), 1u) << "there is no time to try again";
  EXPECT_EQ(recorder.dropped(), 1u);
}

// The last count of a series has one try.
TEST_P(UnansweredTest, IsCountedAfterTheLastTry) {
  const log::Capture capture;
  busy = false;
  std::atomic<int> status = 201;
  server.answer = [&](const http::Request& request) {
    return http::ReplyOf(request.method == "PATCH" ? status.load() : 201, "no");
  };
  for (int i = 0; i < 3; ++i) recorder.Record(Failed());
  ASSERT_TRUE(Eventually([&] { return server.requests().size() == 2; }));
  status = GetParam();
  wall.Advance(361 * base::kSecond);
  EventRecord other = Failed(361 * base::kSecond);
  other.regarding.uid = "u2";
  recorder.Record(other);
  EXPECT_TRUE(Eventually([&] { return !capture.Messages().empty(); }));
  EXPECT_EQ(recorder.dropped(), 1u);
  constexpr const char* kGivenUp = "\"Unable to write event (retry limit exceeded!)\"";
  EXPECT_THAT(capture.Messages(), ElementsAre(testing::StartsWith(kGivenUp)));
}
INSTANTIATE_TEST_SUITE_P(Statuses, UnansweredTest, testing::Values(0, 429, 500, 503));

}  // namespace
}  // namespace berth::events

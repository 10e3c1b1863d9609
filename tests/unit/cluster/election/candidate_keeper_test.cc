#include "cluster/election/candidate_keeper.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <mutex>
#include <optional>
#include <thread>

#include "candidate.h"
#include "eventually.h"
#include "fake_transport.h"

namespace berth::election {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

CandidateOptions Me() {
  CandidateOptions options;
  options.name = "node-1_u";
  options.binary_version = "1.36.3";
  options.emulation_version = "1.36.0";
  return options;
}

TEST(LeaseCandidate, IsCreatedWithEveryField) {
  const http::Request request = CreateCandidate(Me(), kStartWall + 1000);
  EXPECT_EQ(request.method + " " + request.path,
            "POST /apis/coordination.k8s.io/v1beta1/namespaces/kube-system/leasecandidates");
  EXPECT_EQ(request.body,
            R"({"apiVersion":"coordination.k8s.io/v1beta1","kind":"LeaseCandidate","metadata":{"name":"node-1_u",)"
            R"("namespace":"kube-system"},"spec":{"leaseName":"kube-scheduler","binaryVersion":"1.36.3",)"
            R"("emulationVersion":"1.36.0","strategy":"OldestEmulationVersion",)"
            R"("renewTime":"2026-01-01T00:00:00.000001Z"}})");
}

TEST(LeaseCandidate, IsPingedWhenThePingIsLaterThanTheRenewal) {
  const auto pinged = [](const char* spec) { return IsPinged(*json::Parse(std::string(R"({"spec":)") + spec + "}")); };
  EXPECT_FALSE(pinged("{}"));
  EXPECT_FALSE(pinged(R"({"renewTime":"2026-01-01T00:00:00.000000Z"})"));
  EXPECT_FALSE(pinged(R"({"pingTime":"2026-01-01T00:00:00.000000Z","renewTime":"2026-01-01T00:00:00.000000Z"})"));
  EXPECT_FALSE(pinged(R"({"pingTime":"yesterday","renewTime":"2026-01-01T00:00:00.000000Z"})"));
  EXPECT_TRUE(pinged(R"({"pingTime":"2026-01-01T00:00:00.000001Z","renewTime":"2026-01-01T00:00:00.000000Z"})"));
  EXPECT_TRUE(pinged(R"({"pingTime":"2026-01-01T00:00:00.000001Z"})"));
}

TEST(CandidateKeeper, CreatesAndAnswersAPing) {
  base::VirtualClock clock(kStartWall + base::kSecond);
  std::mutex mutex;
  std::optional<std::string> stored;
  bool ping = true;
  http::FakeTransport transport;
  transport.answer = [&](const http::Request& request) {
    std::lock_guard lock(mutex);
    if (request.method == "GET") {
      if (!stored) return http::ReplyOf(404);
      json::Value candidate = *json::Parse(*stored);
      candidate["spec"].Set("pingTime", "2026-01-01T00:00:02.000000Z");
      candidate["spec"].Set("later", 5);
      return http::ReplyOf(200, json::Dump(candidate));
    }
    stored = request.body;
    if (request.method == "PUT") ping = false;
    return http::ReplyOf(200, request.body);
  };
  transport.stream = [&](const http::Request&) {
    std::lock_guard lock(mutex);
    http::FakeTransport::StreamScript script;
    if (ping) {
      script.pieces = {
          R"({"type":"ADDED","object":{"metadata":{},"spec":{"renewTime":"2026-01-01T00:00:01.000000Z"}}})"
          "\n",
          R"({"type":"MODIFIED","object":{"metadata":{},"spec":{"renewTime":"2026-01-01T00:00:01.000000Z",)"
          R"("pingTime":"2026-01-01T00:00:02.000000Z"}}})"
          "\n"};
    }
    script.stay_open = true;
    return script;
  };
  CandidateKeeper keeper(Me(), transport, clock, 1);
  EXPECT_FALSE(keeper.synced());
  std::jthread thread([&](const std::stop_token& stop) { keeper.Run(stop); });
  const std::string path = "/apis/coordination.k8s.io/v1beta1/namespaces/kube-system/leasecandidates";
  const std::string watch =
      "GET " + path + "?watch=true&allowWatchBookmarks=true&timeoutSeconds=300&fieldSelector=metadata.name%3Dnode-1_u";
  ASSERT_TRUE(Eventually([&] { return transport.Lines().size() >= 6; }));
  thread.request_stop();
  thread.join();
  EXPECT_THAT(transport.Lines(), ElementsAre("GET " + path + "/node-1_u", "POST " + path, watch,
                                             "GET " + path + "/node-1_u", "PUT " + path + "/node-1_u", watch));
  EXPECT_THAT(transport.requests()[4].body, AllOf(HasSubstr(R"("later":5)"), HasSubstr("pingTime"),
                                                  HasSubstr(R"("renewTime":"2026-01-01T00:00:01.000000Z")")));
  EXPECT_TRUE(keeper.synced());
}

}  // namespace
}  // namespace berth::election

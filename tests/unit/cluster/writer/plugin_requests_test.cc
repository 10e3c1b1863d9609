// Plugins' requests to the server: paths, answers, retries, and shutdown.
#include "cluster/writer/plugin_requests.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>

#include "eventually.h"
#include "fake_transport.h"

namespace berth::writer {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

plugin::ApiRequest Request(std::string verb, std::string resource, std::string name) {
  plugin::ApiRequest request;
  request.verb = std::move(verb);
  request.version = "v1";
  request.resource = std::move(resource);
  request.name = std::move(name);
  return request;
}

TEST(ApiPath, HasTheServersFormat) {
  plugin::ApiRequest request = Request("GET", "pods", "p1");
  request.ns = "default";
  EXPECT_EQ(ApiPath(request), "/api/v1/namespaces/default/pods/p1");
  request.subresource = "status";
  EXPECT_EQ(ApiPath(request), "/api/v1/namespaces/default/pods/p1/status");
  EXPECT_EQ(ApiPath(Request("GET", "persistentvolumes", "")), "/api/v1/persistentvolumes");
  request = Request("GET", "storageclasses", "fast");
  request.group = "storage.k8s.io";
  EXPECT_EQ(ApiPath(request), "/apis/storage.k8s.io/v1/storageclasses/fast");
}

TEST(ApiPath, EncodesItsParts) {
  EXPECT_EQ(ApiPath(Request("GET", "pods", "../secrets?x#y")), "/api/v1/pods/..%2Fsecrets%3Fx%23y");
  EXPECT_EQ(ApiPath(Request("GET", "pods", "..")), "/api/v1/pods/%2E%2E");
}

struct Fixture : testing::Test {
  http::FakeTransport transport;
  base::RealClock clock;
  requests::RequestQueueOptions options{-1, 1, 8};
  std::mutex mutex;
  std::vector<std::string> answers;

  plugin::ApiPort::Done Note() {
    return [this](const plugin::ApiAnswer& a) {
      std::lock_guard lock(mutex);
      answers.push_back(std::to_string(a.code) + "|" + a.body + "|" + a.reason + "|" + a.message);
    };
  }
  size_t n() {
    std::lock_guard lock(mutex);
    return answers.size();
  }
};
using Requests = Fixture;

TEST_F(Requests, AreSentAndAnswered) {
  requests::RequestQueue queue(transport, clock, options);
  PluginRequests requests(queue);
  plugin::ApiRequest patch = Request("PATCH", "persistentvolumes", "pv");
  patch.content_type = "application/merge-patch+json";
  patch.body = R"({"a":1})";
  transport.answer = [](const http::Request&) { return http::ReplyOf(200, "{}"); };
  requests.Send(patch, Note());
  EXPECT_TRUE(queue.Flush(10 * base::kSecond));
  EXPECT_THAT(answers, ElementsAre("200|{}||"));
  ASSERT_EQ(transport.requests().size(), 1u);
  const http::Request sent = transport.requests()[0];
  EXPECT_EQ(sent.method + " " + sent.path + " " + sent.content_type + " " + sent.body,
            R"(PATCH /api/v1/persistentvolumes/pv application/merge-patch+json {"a":1})");
}

TEST_F(Requests, ReturnTheServersError) {
  requests::RequestQueue queue(transport, clock, options);
  PluginRequests requests(queue);
  transport.answer = [](const http::Request& r) {
    if (r.path.ends_with("gone")) {
      return http::ReplyOf(404,
                           R"({"kind":"Status","message":"pods \"gone\" not found","reason":"NotFound","code":404})");
    }
    return http::LostReply("connection refused", false);
  };
  requests.Send(Request("DELETE", "pods", "gone"), Note());
  requests.Send(Request("DELETE", "pods", "lost"), Note());
  EXPECT_TRUE(queue.Flush(10 * base::kSecond));
  ASSERT_EQ(answers.size(), 2u);
  EXPECT_THAT(answers[0], testing::EndsWith("|NotFound|pods \"gone\" not found"));
  EXPECT_EQ(answers[1], "0|||connection refused");
}

TEST_F(Requests, OfAnUnknownVerbAreNotSent) {
  requests::RequestQueue queue(transport, clock, options);
  PluginRequests(queue).Send(Request("BREW", "pods", "p"), Note());
  EXPECT_THAT(answers, ElementsAre("0|||\"BREW\" is no verb of the API server"));
  EXPECT_THAT(transport.requests(), IsEmpty());
}

TEST_F(Requests, ObserveTheRate) {
  requests::RequestQueue queue(transport, clock, {50, 1, 8});
  PluginRequests requests(queue);
  const int64_t started = clock.MonoNs();
  for (int i = 0; i < 6; ++i) requests.Send(Request("GET", "pods", "p"), Note());
  EXPECT_TRUE(Eventually([&] { return n() == 6; }));
  EXPECT_GE(clock.MonoNs() - started, 5 * 20 * base::kMillisecond - base::kMillisecond);
}

TEST_F(Requests, AreRetriedAfterRetryAfter) {
  requests::RequestQueue queue(transport, clock, options);
  std::atomic<int> asked{0};
  transport.answer = [&](const http::Request&) {
    http::Reply reply = http::ReplyOf(asked++ == 0 ? 429 : 200);
    if (reply.status == 429) reply.retry_after_seconds = 0;
    return reply;
  };
  PluginRequests(queue).Send(Request("DELETE", "pods", "p"), Note());
  EXPECT_TRUE(Eventually([&] { return n() == 1; }));
  EXPECT_THAT(answers, ElementsAre("200|||"));
  EXPECT_EQ(asked, 2);
}

TEST_F(Requests, EndOnceEachWhenTheClientEnds) {
  transport.hold = true;
  options.max_in_flight = 1;
  requests::RequestQueue queue(transport, clock, options);
  PluginRequests requests(queue);
  requests.Send(Request("DELETE", "pods", "sent"), Note());
  requests.Send(Request("DELETE", "pods", "waiting"), Note());
  queue.Close();
  EXPECT_THAT(answers, ElementsAre("0|||the client is shutting down"));
  requests.Send(Request("DELETE", "pods", "late"), Note());
  EXPECT_EQ(n(), 2u);
  transport.answer = [](const http::Request&) { return http::LostReply("closed", true); };
  transport.Close();
  queue.Stop();
  EXPECT_THAT(answers, ElementsAre("0|||the client is shutting down", "0|||the client is shutting down", "0|||closed"));
  EXPECT_THAT(transport.Lines(), ElementsAre("DELETE /api/v1/pods/sent"));
}

// One request is open. The order of the waiting requests shows which ones are evictions.
TEST_F(Requests, ThatEvictAPodHaveTheirOwnLine) {
  transport.hold = true;
  options.max_in_flight = 1;
  requests::RequestQueue queue(transport, clock, options);
  PluginRequests requests(queue);
  const auto send = [&](const char* verb, const char* group, const char* resource, const char* subresource) {
    plugin::ApiRequest request = Request(verb, resource, "x");
    request.group = group;
    request.subresource = subresource;
    requests.Send(request, Note());
  };
  send("GET", "", "nodes", "");  // open
  send("DELETE", "", "configmaps", "");
  send("DELETE", "g", "pods", "");
  send("PATCH", "", "pods", "");
  send("PATCH", "", "pods", "status");
  send("DELETE", "", "pods", "");
  while (n() < 6) transport.Release();
  EXPECT_THAT(transport.Lines(),
              ElementsAre("GET /api/v1/nodes/x", "PATCH /api/v1/pods/x/status", "DELETE /api/v1/pods/x",
                          "DELETE /api/v1/configmaps/x", "DELETE /apis/g/v1/pods/x", "PATCH /api/v1/pods/x"));
}

}  // namespace
}  // namespace berth::writer

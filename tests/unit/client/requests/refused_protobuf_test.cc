// A server that answers protobuf with 415: every request is done once, as JSON.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <mutex>
#include <string>
#include <vector>

#include "api/protobuf/write_binding.h"
#include "client/requests/json_body.h"
#include "client/requests/request_queue.h"
#include "codec/json/value.h"
#include "eventually.h"
#include "fake_transport.h"
#include "messages.h"

namespace berth::requests {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr Encodings kBoth{Encoding::kProtobuf, Encoding::kProtobuf};

http::Request Binding(const std::string& pod) {
  return {.method = "POST",
          .path = "/" + pod,
          .body = protobuf::WriteBinding({.ns = "ns", .name = pod, .uid = "u", .node = "n"}),
          .content_type = kProtobufType,
          .accept = kAcceptBoth};
}

bool IsProtobuf(const http::Request& request) { return request.content_type == kProtobufType; }

struct RefusedProtobuf : testing::Test {
  http::FakeTransport server;
  base::RealClock clock;
  std::mutex mutex;
  std::vector<std::string> answers;

  RefusedProtobuf() {
    server.answer = [](const http::Request& request) { return http::ReplyOf(IsProtobuf(request) ? 415 : 201); };
  }
  RequestQueue::Done Note(const std::string& name) {
    return [this, name](const http::Reply& reply) {
      const std::lock_guard lock(mutex);
      answers.push_back(name + " " + std::to_string(reply.status));
    };
  }
  void Post(RequestQueue& queue, const std::string& pod) { queue.Post(Binding(pod), Note(pod), Turn::kBinding); }
  RequestQueueOptions Options(size_t max_in_flight) const {
    return {.qps = -1, .burst = 1, .max_in_flight = max_in_flight, .encodings = kBoth};
  }
  std::vector<std::string> Sent() const {
    std::vector<std::string> lines;
    for (const http::Request& one : server.requests()) lines.push_back((IsProtobuf(one) ? "p " : "j ") + one.path);
    return lines;
  }
};

TEST_F(RefusedProtobuf, IsSentAgainAsJsonAndAllLaterOnesAtOnce) {
  RequestQueue queue(server, clock, Options(8));
  EXPECT_EQ(queue.bodies(), Encoding::kProtobuf);
  Post(queue, "a");
  ASSERT_TRUE(queue.Flush(10 * base::kSecond));
  EXPECT_EQ(queue.bodies(), Encoding::kJson);
  Post(queue, "b");  // made before the refusal
  ASSERT_TRUE(queue.Flush(10 * base::kSecond));
  EXPECT_THAT(Sent(), ElementsAre("p /a", "j /a", "j /b"));
  EXPECT_THAT(answers, ElementsAre("a 201", "b 201"));
  const http::Request last = server.requests().back();
  EXPECT_EQ(last.content_type, "application/json");
  const auto body = json::Parse(last.body);
  ASSERT_TRUE(body);
  EXPECT_EQ(json::TextAt(*body, "kind"), "Binding");
  EXPECT_EQ(json::TextAt(*body, "apiVersion"), "v1");
  EXPECT_EQ(json::TextAt(*body, "metadata.name"), "b");
  EXPECT_EQ(json::TextAt(*body, "metadata.uid"), "u");
  EXPECT_EQ(json::TextAt(*body, "target.name"), "n");
}

TEST_F(RefusedProtobuf, OfManyInFlightEachIsSentAgainOnce) {
  server.hold = true;
  RequestQueue queue(server, clock, Options(3));
  for (const char* pod : {"a", "b", "c", "d"}) Post(queue, pod);
  ASSERT_TRUE(Eventually([&] { return server.Release(), Sent().size() == 7; }));
  server.Close();
  ASSERT_TRUE(queue.Flush(10 * base::kSecond));
  std::vector<std::string> sent = Sent();
  std::sort(sent.begin(), sent.end());
  EXPECT_THAT(sent, ElementsAre("j /a", "j /b", "j /c", "j /d", "p /a", "p /b", "p /c"));
  std::sort(answers.begin(), answers.end());
  EXPECT_THAT(answers, ElementsAre("a 201", "b 201", "c 201", "d 201"));
}

TEST_F(RefusedProtobuf, GoesAheadOfItsLine) {
  server.hold = true;
  RequestQueue queue(server, clock, Options(1));
  for (const char* pod : {"a", "b"}) Post(queue, pod);
  ASSERT_TRUE(Eventually([&] { return server.Release(), Sent().size() == 3; }));
  server.Close();
  ASSERT_TRUE(queue.Flush(10 * base::kSecond));
  EXPECT_THAT(Sent(), ElementsAre("p /a", "j /a", "j /b"));
}

TEST_F(RefusedProtobuf, IsTheAnswerForAnObjectThatCannotBeJson) {
  RequestQueue queue(server, clock, Options(8));
  http::Request request = Binding("a");
  request.body = protobuf::EnvelopeOf("Widget", "x");  // a plugin's
  queue.Post(std::move(request), Note("widget"));
  ASSERT_TRUE(queue.Flush(10 * base::kSecond));
  EXPECT_THAT(answers, ElementsAre("widget 415"));
  EXPECT_EQ(queue.bodies(), Encoding::kProtobuf);
}

TEST_F(RefusedProtobuf, IsTheAnswerForJson) {
  server.answer = [](const http::Request&) { return http::ReplyOf(415); };
  RequestQueue queue(server, clock, Options(8));
  Post(queue, "a");
  ASSERT_TRUE(queue.Flush(10 * base::kSecond));
  EXPECT_THAT(Sent(), ElementsAre("p /a", "j /a"));
  EXPECT_THAT(answers, ElementsAre("a 415"));
}

TEST_F(RefusedProtobuf, IsTheAnswerAfterTheEnd) {
  server.hold = true;
  RequestQueue queue(server, clock, Options(8));
  Post(queue, "a");
  queue.Close();
  EXPECT_TRUE(server.Release());
  queue.Stop();
  EXPECT_THAT(Sent(), ElementsAre("p /a"));
  EXPECT_THAT(answers, ElementsAre("a 415"));
}

TEST_F(RefusedProtobuf, IsNotSentAgainByAProcessThatMayNoLongerWrite) {
  bool leads = true;
  server.hold = true;
  RequestQueueOptions options = Options(8);
  options.may_write = [&] { return leads; };
  RequestQueue queue(server, clock, options);
  Post(queue, "a");
  leads = false;
  EXPECT_TRUE(server.Release());
  ASSERT_TRUE(queue.Flush(10 * base::kSecond));
  EXPECT_THAT(Sent(), ElementsAre("p /a"));
  EXPECT_THAT(answers, ElementsAre("a 0"));
}

TEST(JsonBody, LeavesWhatIsNoProtobufOfAKnownKind) {
  http::Request request = Binding("a");
  request.content_type = "application/json";
  EXPECT_FALSE(ToJsonBody(request));
  for (const std::string& body : {std::string("{}"), protobuf::EnvelopeOf("Binding", "\xff")}) {
    http::Request other = Binding("a");
    other.body = body;
    EXPECT_FALSE(ToJsonBody(other));
    EXPECT_EQ(other.body, body);
    EXPECT_EQ(other.content_type, kProtobufType);
  }
}

}  // namespace
}  // namespace berth::requests

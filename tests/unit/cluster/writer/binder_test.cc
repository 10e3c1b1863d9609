// The binder never reports the wrong result of a binding with an unknown result.
#include "cluster/writer/binder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/protobuf/write_binding.h"
#include "codec/json/value.h"
#include "eventually.h"
#include "fake_transport.h"
#include "messages.h"

namespace berth::writer {
namespace {

using http::LostReply;
using http::ReplyOf;
using testing::Contains;
using testing::ElementsAre;
using testing::Not;

constexpr requests::Encodings kBoth{requests::Encoding::kProtobuf, requests::Encoding::kProtobuf};

struct Op {
  berth_op abi{sizeof(berth_op), 0, &Op::Done};
  std::mutex mutex;
  int ended = 0;
  berth_status status = BERTH_LATER;
  std::string reason;

  static void Done(berth_op* op, berth_status status, const berth_str* reasons, uint32_t n) {
    Op& self = *reinterpret_cast<Op*>(op);
    std::lock_guard lock(self.mutex);
    ++self.ended;
    self.status = status;
    if (n > 0) self.reason.assign(reasons[0].ptr, reasons[0].len);
  }
  bool Ended() {
    std::lock_guard lock(mutex);
    return ended > 0;
  }
};

const char* const kConflict =
    R"({"kind":"Status","message":"Operation cannot be fulfilled on pods/binding \"p\": pod p is already assigned to )"
    R"(node \"n\"","reason":"Conflict","code":409})";

std::string PodOn(const char* uid, const char* node) {
  return std::string(R"({"metadata":{"name":"p","uid":")") + uid + R"("},"spec":{"nodeName":")" + node + "\"}}";
}

struct BinderTest : testing::Test {
  http::FakeTransport server;
  base::RealClock clock;
  Op op;
  std::string pod;  // the answer to a GET
  http::Reply post;
  Binder::Counts counts;
  requests::Encodings encodings;
  bool refuses_protobuf = false;

  static void Bind(Binder& binder, const char* name, const char* uid, berth_op& op) {
    binder.Send(binder.Open("ns", name, uid, "n", &op));
  }
  void Bind() {
    server.answer = [this](const http::Request& request) {
      if (refuses_protobuf && request.content_type == requests::kProtobufType) return ReplyOf(415);
      if (request.method == "POST") return post;
      return pod.empty() ? ReplyOf(404, R"({"kind":"Status","message":"pods \"p\" not found","code":404})")
                         : ReplyOf(200, pod);
    };
    requests::RequestQueue queue(server, clock, {.qps = -1, .burst = 1, .max_in_flight = 8, .encodings = encodings});
    Binder binder(queue);
    Bind(binder, "p", "u1", op.abi);
    EXPECT_TRUE(Eventually([&] { return op.Ended(); }));
    EXPECT_TRUE(queue.Flush(base::kSecond));
    EXPECT_EQ(op.ended, 1);
    counts = binder.counts();
  }
};

TEST_F(BinderTest, PostsTheBindingWithThePodsUid) {
  post = ReplyOf(201);
  Bind();
  EXPECT_EQ(op.status, BERTH_SUCCESS);
  EXPECT_THAT(server.Lines(), ElementsAre("POST /api/v1/namespaces/ns/pods/p/binding"));
  EXPECT_EQ(server.requests()[0].body,
            R"({"apiVersion":"v1","kind":"Binding","metadata":{"name":"p","namespace":"ns","uid":"u1"},)"
            R"("target":{"kind":"Node","name":"n"}})");
}

TEST_F(BinderTest, PostsTheBindingInProtobuf) {
  encodings = kBoth;
  post = ReplyOf(201);
  Bind();
  EXPECT_EQ(op.status, BERTH_SUCCESS);
  const http::Request request = server.requests()[0];
  EXPECT_EQ(request.content_type, "application/vnd.kubernetes.protobuf");
  EXPECT_EQ(request.accept, "application/vnd.kubernetes.protobuf,application/json");
  EXPECT_EQ(request.body, protobuf::WriteBinding({.ns = "ns", .name = "p", .uid = "u1", .node = "n"}));
}

TEST_F(BinderTest, ReportsTheServersErrorInProtobuf) {
  encodings = kBoth;
  const std::string message = protobuf::StatusMessageOf(404, "NotFound", "pods \"p\" not found");
  post = ReplyOf(404, protobuf::EnvelopeOf("Status", message));
  Bind();
  EXPECT_EQ(op.status, BERTH_ERROR);
  EXPECT_EQ(op.reason, "pods \"p\" not found");
  EXPECT_THAT(server.Lines(), ElementsAre("POST /api/v1/namespaces/ns/pods/p/binding"));
}

TEST_F(BinderTest, BindsOnceIfTheServerDoesNotAcceptProtobuf) {
  encodings = kBoth;
  post = ReplyOf(201);
  refuses_protobuf = true;
  Bind();
  EXPECT_EQ(op.status, BERTH_SUCCESS);
  ASSERT_EQ(server.requests().size(), 2U);
  const auto body = json::Parse(server.requests()[1].body);
  ASSERT_TRUE(body);
  EXPECT_EQ(json::TextAt(*body, "metadata.uid"), "u1");
  EXPECT_EQ(json::TextAt(*body, "target.name"), "n");
  EXPECT_EQ(counts.resent, 0U);
}

TEST_F(BinderTest, ReportsTheServersError) {
  post = ReplyOf(404, R"({"kind":"Status","message":"pods \"p\" not found","reason":"NotFound","code":404})");
  Bind();
  EXPECT_EQ(op.status, BERTH_ERROR);
  EXPECT_EQ(op.reason, "pods \"p\" not found");
  EXPECT_THAT(server.Lines(), ElementsAre("POST /api/v1/namespaces/ns/pods/p/binding"));
}

TEST_F(BinderTest, SucceedsIfAnEarlierDeliveryBoundThePod) {
  post = ReplyOf(409, kConflict);
  pod = PodOn("u1", "n");
  Bind();
  EXPECT_EQ(op.status, BERTH_SUCCESS);
}

TEST_F(BinderTest, ReportsAConflictWithAnotherNode) {
  post = ReplyOf(409, kConflict);
  pod = PodOn("u1", "elsewhere");
  Bind();
  EXPECT_EQ(op.status, BERTH_ERROR);
  EXPECT_EQ(op.reason, "Operation cannot be fulfilled on pods/binding \"p\": pod p is already assigned to node \"n\"");
}

TEST_F(BinderTest, ReportsAConflictWithANewPodOfThatName) {
  post = ReplyOf(409, kConflict);
  pod = PodOn("u2", "n");
  Bind();
  EXPECT_EQ(op.status, BERTH_ERROR);
}

TEST_F(BinderTest, ReadsThePodAfterALostReply) {
  post = LostReply("EOF", true);
  pod = PodOn("u1", "n");
  Bind();
  EXPECT_EQ(op.status, BERTH_SUCCESS);
}

TEST_F(BinderTest, ReportsALostReplyIfThePodIsNotBound) {
  post = LostReply("EOF", true);
  pod = PodOn("u1", "");
  Bind();
  EXPECT_EQ(op.status, BERTH_ERROR);
  EXPECT_EQ(op.reason, "EOF");
}

TEST_F(BinderTest, SendsALostBindingAgainIfThePodIsNotBound) {
  int posts = 0;
  server.answer = [&](const http::Request& request) {
    if (request.method == "POST") return ++posts == 1 ? LostReply("broken pipe", true) : ReplyOf(201);
    return ReplyOf(200, PodOn("u1", ""));
  };
  requests::RequestQueue queue(server, clock, {-1, 1, 8});
  Binder binder(queue);
  Bind(binder, "p", "u1", op.abi);
  EXPECT_TRUE(Eventually([&] { return op.Ended(); }));
  EXPECT_EQ(op.status, BERTH_SUCCESS);
  EXPECT_EQ(posts, 2);
}

TEST_F(BinderTest, DoesNotReadThePodIfTheBindingWasNotDelivered) {
  post = LostReply("connection refused", false);
  Bind();
  EXPECT_EQ(op.status, BERTH_ERROR);
  EXPECT_EQ(server.requests().size(), 1u);
}

// A restarted server refuses everything until it has loaded its permissions.
TEST_F(BinderTest, ReadsThePodUntilTheServerAllowsIt) {
  int asked = 0;
  server.answer = [&](const http::Request& request) {
    if (request.method == "POST") return LostReply("EOF", true);
    return ++asked < 4 ? ReplyOf(403, "") : ReplyOf(200, PodOn("u1", "n"));
  };
  requests::RequestQueue queue(server, clock, {-1, 1, 8});
  Binder binder(queue);
  Bind(binder, "p", "u1", op.abi);
  EXPECT_TRUE(Eventually([&] { return op.Ended(); }));
  EXPECT_EQ(op.status, BERTH_SUCCESS);
}

TEST_F(BinderTest, ReadsThePodAfterARefusalOfASecondDelivery) {
  post = ReplyOf(403, R"({"kind":"Status","message":"forbidden","reason":"Forbidden","code":403})");
  pod = PodOn("u1", "n");
  Bind();
  EXPECT_EQ(op.status, BERTH_SUCCESS);
}

TEST_F(BinderTest, GivesUpWhenTheQueueIsStopped) {
  server.answer = [&](const http::Request&) { return LostReply("EOF", true); };
  {
    requests::RequestQueue queue(server, clock, {-1, 1, 8});
    Binder binder(queue);
    Bind(binder, "p", "u1", op.abi);
    EXPECT_TRUE(Eventually([&] { return server.requests().size() >= 3; }));
    queue.Stop();
  }
  EXPECT_EQ(op.ended, 1);
  EXPECT_EQ(op.status, BERTH_ERROR);
}

TEST_F(BinderTest, ReadsThePodUntilTheServerIsReachable) {
  post = ReplyOf(503, "");
  int asked = 0;
  server.answer = [&](const http::Request& request) {
    if (request.method == "POST") return post;
    return ++asked < 3 ? LostReply("connection refused", false) : ReplyOf(200, PodOn("u1", "n"));
  };
  requests::RequestQueue queue(server, clock, {-1, 1, 8});
  Binder binder(queue);
  Bind(binder, "p", "u1", op.abi);
  EXPECT_TRUE(Eventually([&] { return op.Ended(); }));
  EXPECT_EQ(op.status, BERTH_SUCCESS);
}

// In virtual time.
struct Patience : BinderTest {
  base::VirtualClock virtual_clock{0};
  requests::RequestQueue queue{server, virtual_clock, {-1, 1, 8}};
  Binder binder{queue};

  void TearDown() override { queue.Stop(); }
  // Binds a pod; the answers to GETs and POSTs come in turn, and the last one repeats.
  void BindWith(std::vector<http::Reply> gets, std::vector<http::Reply> posts) {
    size_t got = 0, posted = 0;
    server.answer = [&](const http::Request& request) {
      if (request.path == "/tick") return ReplyOf(200);
      if (request.method == "POST") return posts[std::min(posted++, posts.size() - 1)];
      return gets[std::min(got++, gets.size() - 1)];
    };
    Bind(binder, "p", "u1", op.abi);
    EXPECT_TRUE(Eventually([&] {
      if (op.Ended()) return true;
      virtual_clock.Advance(5 * base::kSecond);
      queue.PostAfter(0, {.path = "/tick"}, [](const http::Reply&) {});  // has the queue look at the clock
      return false;
    }));
    EXPECT_TRUE(queue.Flush(base::kSecond));
  }
};

TEST_F(Patience, LastsAnHourIfAnySendingMayHaveBoundThePod) {
  const http::Reply lost = LostReply("EOF", true), unreachable = LostReply("connection refused", false);
  const http::Reply unbound = ReplyOf(200, PodOn("u1", ""));
  const struct {
    const char* name;
    std::vector<http::Reply> posts;
    http::Reply first_get;
    berth_status want;
  } rows[] = {
      {.name = "lost", .posts = {lost}, .first_get = unreachable, .want = BERTH_SUCCESS},
      {.name = "timeout of etcd", .posts = {ReplyOf(500)}, .first_get = unreachable, .want = BERTH_SUCCESS},
      {.name = "timeout of the server", .posts = {ReplyOf(504)}, .first_get = unreachable, .want = BERTH_SUCCESS},
      {.name = "timeout of a proxy", .posts = {ReplyOf(502)}, .first_get = unreachable, .want = BERTH_SUCCESS},
      {.name = "lost, then 503", .posts = {lost, ReplyOf(503)}, .first_get = unbound, .want = BERTH_SUCCESS},
      {.name = "500, then unsent", .posts = {ReplyOf(500), unreachable}, .first_get = unbound, .want = BERTH_SUCCESS},
      {.name = "503", .posts = {ReplyOf(503)}, .first_get = unreachable, .want = BERTH_ERROR},
      {.name = "403", .posts = {ReplyOf(403)}, .first_get = unreachable, .want = BERTH_ERROR},
  };
  for (const auto& row : rows) {
    SCOPED_TRACE(row.name);
    op.ended = 0;
    std::vector<http::Reply> gets(20, unreachable);
    gets.front() = row.first_get;
    gets.push_back(ReplyOf(200, PodOn("u1", "n")));
    BindWith(gets, row.posts);
    EXPECT_EQ(op.status, row.want) << op.reason;
  }
}

TEST_F(Patience, KnowsWhetherTheOutcomeOfABindingIsUnknown) {
  server.answer = [&](const http::Request& request) {
    return request.method == "POST" ? ReplyOf(500) : pod.empty() ? ReplyOf(403) : ReplyOf(200, pod);
  };
  EXPECT_TRUE(binder.AwaitOutcomes(0));
  Bind(binder, "p", "u1", op.abi);
  EXPECT_TRUE(queue.Flush(base::kSecond)) << "the next GET is delayed";
  EXPECT_FALSE(binder.AwaitOutcomes(0));
  pod = PodOn("u1", "n");
  virtual_clock.Advance(5 * base::kSecond);
  queue.PostAfter(0, {.path = "/tick"}, [](const http::Reply&) {});
  EXPECT_TRUE(binder.AwaitOutcomes(30 * base::kSecond));
  EXPECT_TRUE(queue.AwaitAnswers(base::kSecond)) << "the outcome is known";
}

TEST_F(Patience, TellsTheQueueWhenItGivesUp) {
  server.answer = [&](const http::Request& request) {
    return request.method == "POST" ? LostReply("EOF", true) : ReplyOf(403);
  };
  Bind(binder, "p", "u1", op.abi);
  queue.Close();
  EXPECT_TRUE(op.Ended());
  EXPECT_TRUE(binder.AwaitOutcomes(0));
  EXPECT_TRUE(queue.Flush(0));
  EXPECT_FALSE(queue.AwaitAnswers(0)) << "the binding may still take effect";
  virtual_clock.Advance(60 * base::kSecond);
  EXPECT_TRUE(queue.AwaitAnswers(0));
}

TEST_F(BinderTest, DoesNotCountABindingThatNeverReachedTheServerAsLost) {
  post = LostReply("connection refused", false);
  Bind();
  EXPECT_EQ(counts.lost, 0U);
}

// One request at a time: the binding of pod "p" waits for that of pod "first".
struct DeletedPod : BinderTest {
  requests::RequestQueue queue{server, clock, {-1, 1, 1}};
  Binder binder{queue};
  Op first;

  DeletedPod() {
    server.hold = true;
    server.answer = [](const http::Request&) { return LostReply("EOF", true); };
    Bind(binder, "first", "u0", first.abi);
    Bind(binder, "p", "u1", op.abi);
  }
  ~DeletedPod() override {
    server.Close();
    queue.Stop();
  }
};

TEST_F(DeletedPod, IsNotBoundWhenItsTurnComes) {
  binder.PodDeleted("u1");
  EXPECT_FALSE(op.Ended());
  server.answer = [](const http::Request&) { return ReplyOf(201); };
  ASSERT_TRUE(server.Release());
  EXPECT_TRUE(queue.Flush(base::kSecond));
  EXPECT_EQ(first.status, BERTH_SUCCESS);
  EXPECT_EQ(op.ended, 1);
  EXPECT_EQ(op.status, BERTH_ERROR);
  EXPECT_EQ(op.reason, "pods \"p\" not found");
  EXPECT_THAT(server.Lines(), ElementsAre("POST /api/v1/namespaces/ns/pods/first/binding"));
  EXPECT_EQ(binder.counts().lost, 0U);
}

TEST_F(DeletedPod, IsNotReadAfterALostReply) {
  binder.PodDeleted("u0");
  ASSERT_TRUE(server.Release());
  EXPECT_EQ(first.status, BERTH_ERROR);
  EXPECT_EQ(first.reason, "pods \"first\" not found");
  EXPECT_THAT(server.Lines(), ElementsAre("POST /api/v1/namespaces/ns/pods/first/binding",
                                          "POST /api/v1/namespaces/ns/pods/p/binding"));
}

TEST_F(DeletedPod, IsNotBoundWhenTheServerAllowsTheNextTry) {
  server.answer = [](const http::Request&) {
    http::Reply reply = ReplyOf(429);
    reply.retry_after_seconds = 0;
    return reply;
  };
  ASSERT_TRUE(server.Release());  // the first binding waits
  binder.PodDeleted("u0");
  server.answer = [](const http::Request&) { return ReplyOf(201); };
  server.Close();
  EXPECT_TRUE(Eventually([&] { return first.Ended(); }));
  EXPECT_EQ(first.reason, "pods \"first\" not found");
  EXPECT_EQ(server.requests().size(), 2U);
}

TEST_F(DeletedPod, IsNotBoundAfterAnOpenStatusPatch) {
  Op waits;
  const Binder::BindingPtr binding = binder.Open("ns", "waits", "u3", "n", &waits.abi);
  binder.PodDeleted("u3");
  server.answer = [](const http::Request&) { return ReplyOf(201); };
  server.Close();  // answers what it holds, and all later requests
  binder.Send(binding);
  EXPECT_TRUE(queue.Flush(base::kSecond));
  EXPECT_EQ(waits.reason, "pods \"waits\" not found");
  EXPECT_THAT(server.Lines(), Not(Contains("POST /api/v1/namespaces/ns/pods/waits/binding")));
}

TEST_F(DeletedPod, KeepsTheBindingsOfOtherPods) {
  binder.PodDeleted("u1");
  Op of_new_pod;
  Bind(binder, "p", "u2", of_new_pod.abi);
  server.answer = [](const http::Request&) { return ReplyOf(201); };
  while (server.Release()) {
  }
  EXPECT_EQ(op.status, BERTH_ERROR);
  EXPECT_EQ(of_new_pod.status, BERTH_SUCCESS);
  EXPECT_THAT(server.Lines(), ElementsAre("POST /api/v1/namespaces/ns/pods/first/binding",
                                          "POST /api/v1/namespaces/ns/pods/p/binding"));
}

TEST_F(BinderTest, CountsLostReplies) {
  post = LostReply("connection reset", true);
  pod = PodOn("u1", "n");
  Bind();
  EXPECT_EQ(op.status, BERTH_SUCCESS);
  EXPECT_EQ(counts.lost, 1u);
  EXPECT_EQ(counts.found, 1u);
  EXPECT_EQ(counts.resent, 0u);
}

}  // namespace
}  // namespace berth::writer

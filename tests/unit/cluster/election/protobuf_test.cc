// A Lease in protobuf, on a server that speaks it, and on one that does not accept it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/protobuf/fields.h"
#include "candidate.h"
#include "cluster/election/held_lease.h"
#include "meaning.h"
#include "messages.h"

namespace berth::election {
namespace {

using requests::Encoding;
using testing::Each;
using testing::ElementsAre;

constexpr requests::Encodings kBoth{Encoding::kProtobuf, Encoding::kProtobuf};

bool IsProtobuf(const http::Request& request) { return request.content_type == requests::kProtobufType; }

// The Lease that LeaseServer has.
std::string InProtobuf(const json::Value& lease) {
  const std::string metadata = protobuf::MessageOf([&](auto& message) {
    using Meta = protobuf::fields::ObjectMeta;
    message.add_string(Meta::kName, json::TextAt(lease, "metadata.name"));
    message.add_string(Meta::kNamespace, json::TextAt(lease, "metadata.namespace"));
    message.add_string(Meta::kUid, json::TextAt(lease, "metadata.uid"));
    message.add_string(Meta::kResourceVersion, json::TextAt(lease, "metadata.resourceVersion"));
    const std::string team = json::TextAt(lease, "metadata.labels.team");
    if (!team.empty()) message.add_message(Meta::kLabels, protobuf::MapEntryOf("team", team));
  });
  const std::string bare =
      protobuf::MessageOf([&](auto& message) { message.add_message(protobuf::fields::Lease::kMetadata, metadata); });
  return HeldLease::Of(protobuf::EnvelopeOf("Lease", bare))->With(Encoding::kProtobuf, RecordOf(lease));
}

// Between an election and a LeaseServer, which has JSON only.
class ProtobufServer {
 public:
  http::Reply Answer(http::Request request) {
    sent.push_back(request.method + (request.body.empty() ? "" : IsProtobuf(request) ? " protobuf" : " JSON"));
    accepts.push_back(request.accept);
    if (IsProtobuf(request)) {
      if (refuses) return http::ReplyOf(415, R"({"kind":"Status","message":"unsupported","code":415})");
      request.body = json::Dump(protobuf::MeaningOf(request.body));
    }
    http::Reply reply = server.Answer(request);
    if (!reply.ok() || !speaks || request.accept != requests::kAcceptBoth) return reply;
    reply.body = InProtobuf(*server.lease);
    return reply;
  }

  LeaseServer server;
  bool refuses = false;  // bodies in protobuf
  bool speaks = true;    // replies in protobuf
  std::vector<std::string> sent, accepts;
};

struct LeaseInProtobuf : testing::Test {
  static ElectionOptions Options(const std::string& identity) {
    ElectionOptions options = OptionsOf(identity);
    options.encodings = kBoth;
    return options;
  }
  void Settle() {
    while (me.step.kind == Step::Kind::kSend) me.step = me.election.OnReply(server.Answer(me.step.request));
  }
  void Start() {
    me.step = me.election.Start();
    Settle();
  }
  void Renew() {
    me.clock.Advance(std::max<int64_t>(0, me.step.until_ns - me.clock.mono));
    me.step = me.election.OnTime();
    Settle();
  }
  void Stop() {
    me.step = me.election.OnStop();
    if (me.step.kind == Step::Kind::kAwaitAnswers) me.step = me.election.OnAnswers(me.callbacks.AwaitAnswers());
    Settle();
  }
  ElectionRecord record() const { return server.server.record(); }

  ProtobufServer server;
  Candidate me{Options("me")};
};

TEST_F(LeaseInProtobuf, IsCreatedRenewedAndReleased) {
  Start();
  EXPECT_TRUE(me.election.leading());
  Renew();
  Renew();
  EXPECT_EQ(record().holder, "me");
  EXPECT_EQ(record().lease_duration_seconds, 15);
  EXPECT_EQ(record().acquire_time, "2026-01-01T00:00:00.000000Z");
  EXPECT_EQ(record().renew_time, "2026-01-01T00:00:02.000000Z");
  Stop();
  EXPECT_EQ(record().holder, "");
  EXPECT_EQ(record().lease_duration_seconds, 1);
  EXPECT_THAT(server.sent, ElementsAre("GET", "POST protobuf", "PUT protobuf", "PUT protobuf", "GET", "PUT protobuf"));
  EXPECT_THAT(server.accepts, Each(requests::kAcceptBoth));
  ASSERT_FALSE(me.callbacks.events.empty());
  EXPECT_EQ(me.callbacks.events[0].uid, "u1");
}

TEST_F(LeaseInProtobuf, OfAnotherHolderIsTakenOverWhenItExpires) {
  server.server.Put({.holder = "other", .lease_duration_seconds = 15, .transitions = 4});
  (*server.server.lease)["metadata"].Set("labels", json::Value::MakeObject({{"team", "a"}}));
  Start();
  EXPECT_FALSE(me.election.leading());
  while (!me.election.leading() && me.clock.mono < 1100 * base::kSecond) Renew();
  EXPECT_EQ(record().holder, "me");
  EXPECT_EQ(record().transitions, 5);
  EXPECT_EQ(json::TextAt(*server.server.lease, "metadata.labels.team"), "a");
}

// The 415 costs no wait: a leader that cannot renew in time would lose the Lease.
TEST_F(LeaseInProtobuf, IsWrittenAgainAsJsonAtOnceIfTheServerRefusesIt) {
  server.refuses = true;
  const int64_t began = me.clock.mono;
  Start();
  EXPECT_TRUE(me.election.leading());
  EXPECT_EQ(me.clock.mono, began);
  Renew();
  Stop();
  EXPECT_EQ(record().holder, "");
  EXPECT_THAT(server.sent, ElementsAre("GET", "POST protobuf", "POST JSON", "PUT JSON", "GET", "PUT JSON"));
}

// A server that was replaced by one without protobuf.
TEST_F(LeaseInProtobuf, KeepsItsContentIfTheServerRefusesItLater) {
  server.server.Put({.holder = "me", .lease_duration_seconds = 15, .transitions = 4});
  (*server.server.lease)["metadata"].Set("labels", json::Value::MakeObject({{"team", "a"}}));
  Start();
  EXPECT_TRUE(me.election.leading());
  server.refuses = true;
  Renew();
  EXPECT_TRUE(me.election.leading());
  EXPECT_THAT(server.sent, ElementsAre("GET", "PUT protobuf", "PUT protobuf", "PUT JSON"));
  EXPECT_EQ(record().holder, "me");
  EXPECT_EQ(record().transitions, 4);
  EXPECT_EQ(json::TextAt(*server.server.lease, "metadata.labels.team"), "a");
}

TEST_F(LeaseInProtobuf, IsReleasedIfTheServerRefusesThat) {
  Start();
  server.refuses = true;
  Stop();
  EXPECT_EQ(record().holder, "");
}

// As behind a proxy: nothing that it does not know may be lost, so an update is JSON too.
TEST_F(LeaseInProtobuf, IsJsonIfTheServerAnswersSo) {
  server.speaks = false;
  Start();
  Renew();
  EXPECT_TRUE(me.election.leading());
  EXPECT_THAT(server.sent, ElementsAre("GET", "POST protobuf", "PUT JSON"));
}

TEST_F(LeaseInProtobuf, IsAskedForAsJsonAfterAnAnswerThatCannotBeRead) {
  server.server.fault = [this](const http::Request& request) -> std::optional<http::Reply> {
    if (request.accept != requests::kAcceptBoth) return std::nullopt;
    server.speaks = false;
    return http::ReplyOf(200, protobuf::EnvelopeOf("Lease", "\x12\x05x"));
  };
  Start();
  EXPECT_FALSE(me.election.leading());
  Renew();
  EXPECT_TRUE(me.election.leading());
  EXPECT_THAT(server.sent, ElementsAre("GET", "GET", "POST JSON"));
}

TEST_F(LeaseInProtobuf, IsNotAskedForByConfigurationsWithJson) {
  Candidate json{OptionsOf("json")};
  json.step = json.election.Start();
  EXPECT_EQ(json.step.request.accept, "application/json");
}

}  // namespace
}  // namespace berth::election

// The same stories in protobuf: the server decides by the Content-Type of its reply.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>

#include "cluster/reflector/reflector.h"
#include "cluster/reflector/running.h"
#include "eventually.h"
#include "fake_transport.h"
#include "messages.h"
#include "story.h"

namespace berth::reflector {
namespace {

using http::FakeTransport;
using http::Reply;
using protobuf::EventOf;
using protobuf::FrameOf;
using protobuf::ObjectOf;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr char kBoth[] = "application/vnd.kubernetes.protobuf,application/json";
constexpr char kProtobuf[] = "application/vnd.kubernetes.protobuf";

Reply InProtobuf(int status, std::string body = "") {
  return {.status = status, .body = std::move(body), .content_type = kProtobuf};
}

std::string Frame(const char* type, const std::string& name, const std::string& version) {
  return FrameOf(EventOf(type, "Pod", ObjectOf(name, version)));
}

std::string BookmarkFrame(const std::string& version, bool initial_end) {
  return FrameOf(EventOf("BOOKMARK", "Pod", ObjectOf("", version, initial_end)));
}

// A feed that decodes protobuf itself.
class ProtobufStory final : public ObjectFeed {
 public:
  base::Result<Seen> Set(std::string_view) override { return base::Fail("JSON"); }
  bool decodes_protobuf() const override { return true; }
  base::Result<Seen> SetProtobuf(std::string_view message) override {
    sizes.push_back(message.size());
    return Seen{"a", "3"};
  }
  void Gone(const std::string&) override {}
  void Listed(std::shared_ptr<const base::TextSet>) override { listed = true; }
  std::vector<size_t> sizes;
  std::atomic<bool> listed = false;
};

struct ProtobufReflectorTest : testing::Test {
  FakeTransport server;
  Story story;
  std::vector<FakeTransport::StreamScript> scripts;
  size_t next = 0;
  std::unique_ptr<Reflector> reflector;
  std::optional<Running> running;

  void Start(ObjectFeed& feed, bool protobuf = true) {
    server.stream = [this](const http::Request&) {
      if (next < scripts.size()) return scripts[next++];
      return FakeTransport::StreamScript{{}, http::ReplyOf(200), true};
    };
    reflector = std::make_unique<Reflector>(kUnfinishedPods, server, feed, 1,
                                            RetryDelay(base::kMillisecond, base::kMillisecond));
    reflector->set_protobuf(protobuf);
    running.emplace(*reflector);
  }
  bool Played() {
    return Eventually([&] { return server.requests().size() > scripts.size(); });
  }
  void Stop() { running.reset(); }
  ~ProtobufReflectorTest() override { Stop(); }
};

TEST_F(ProtobufReflectorTest, ListsByAWatchAndResumes) {
  const std::string events = Frame("ADDED", "a", "3") + Frame("ADDED", "b", "4") + BookmarkFrame("5", true) +
                             Frame("DELETED", "b", "6") + Frame("MODIFIED", "a", "7");
  // In pieces that end anywhere.
  scripts = {{{events.substr(0, 3), events.substr(3, 40), events.substr(43)}, InProtobuf(200)}};
  Start(story);
  ASSERT_TRUE(Played());
  EXPECT_THAT(story.lines(), ElementsAre("set a", "set b", "listed first", "gone b", "set a"));
  EXPECT_EQ(server.requests()[0].accept, kBoth);
  EXPECT_THAT(server.Lines()[1], HasSubstr("&resourceVersion=7"));
}

TEST_F(ProtobufReflectorTest, AServerMayAnswerInJson) {
  scripts = {{{Line("ADDED", "a", 3), Bookmark(5, true)}}};
  Start(story);
  ASSERT_TRUE(Played());
  EXPECT_EQ(server.requests()[0].accept, kBoth);
  EXPECT_THAT(story.lines(), ElementsAre("set a", "listed first"));
}

TEST_F(ProtobufReflectorTest, AsksForJsonOnlyIfToldTo) {
  scripts = {{{Line("ADDED", "a", 3), Bookmark(5, true)}}};
  Start(story, /*protobuf=*/false);
  ASSERT_TRUE(Played());
  EXPECT_EQ(server.requests()[0].accept, "application/json");
}

TEST_F(ProtobufReflectorTest, AFeedThatDecodesProtobufGetsTheMessage) {
  ProtobufStory feed;
  scripts = {{{Frame("ADDED", "a", "3") + BookmarkFrame("5", true)}, InProtobuf(200)}};
  Start(feed);
  ASSERT_TRUE(Eventually([&] { return feed.listed.load(); }));
  Stop();
  EXPECT_THAT(feed.sizes, ElementsAre(ObjectOf("a", "3").size()));
}

TEST_F(ProtobufReflectorTest, ListsPages) {
  scripts = {{{}, InProtobuf(400, protobuf::EnvelopeOf("Status", protobuf::StatusMessageOf(400, "BadRequest", "no")))}};
  server.answer = [](const http::Request& request) {
    const bool second = request.path.find("continue=more") != std::string::npos;
    const auto list = second ? protobuf::ListOf({ObjectOf("c", "3")}, "9", "")
                             : protobuf::ListOf({ObjectOf("a", "1"), ObjectOf("b", "2")}, "9", "more");
    return InProtobuf(200, protobuf::EnvelopeOf("PodList", list));
  };
  Start(story);
  ASSERT_TRUE(Eventually([&] { return server.requests().size() >= 4; }));
  EXPECT_THAT(story.lines(), ElementsAre("set a", "set b", "set c", "listed first"));
  EXPECT_EQ(server.requests()[1].accept, kBoth);
  EXPECT_THAT(server.Lines()[3], HasSubstr("&resourceVersion=9"));
}

TEST_F(ProtobufReflectorTest, AnExpiredVersionListsAgain) {
  const std::string expired = FrameOf(EventOf("ERROR", "Status", protobuf::StatusMessageOf(410, "Expired", "too old")));
  scripts = {{{Frame("ADDED", "a", "3"), BookmarkFrame("5", true), expired}, InProtobuf(200)},
             {{Frame("ADDED", "b", "8"), BookmarkFrame("9", true)}, InProtobuf(200)}};
  Start(story);
  ASSERT_TRUE(Eventually([&] { return story.lines().size() >= 4; }));
  EXPECT_THAT(story.lines(), ElementsAre("set a", "listed first", "set b", "listed b"));
}

// An object that cannot be decoded counts as present.
TEST_F(ProtobufReflectorTest, AMalformedObjectKeepsItsPreviousVersion) {
  const std::string malformed = ObjectOf("a", "4") + std::string("\x12\x05", 2);
  scripts = {{{Frame("ADDED", "a", "3"), BookmarkFrame("5", true), FrameOf(EventOf("MODIFIED", "Pod", malformed)),
               Frame("ADDED", "b", "6")},
              InProtobuf(200)}};
  Start(story);
  ASSERT_TRUE(Played());
  EXPECT_THAT(story.lines(), ElementsAre("set a", "listed first", "set b"));
}

// A server that says protobuf and sends something else.
TEST_F(ProtobufReflectorTest, AMalformedFrameEndsTheWatch) {
  scripts = {
      {{Frame("ADDED", "a", "3"), BookmarkFrame("5", true), FrameOf("{}"), Frame("ADDED", "b", "6")}, InProtobuf(200)}};
  Start(story);
  ASSERT_TRUE(Played());
  EXPECT_THAT(story.lines(), ElementsAre("set a", "listed first"));
  EXPECT_THAT(server.Lines()[1], HasSubstr("&resourceVersion=5"));
}

// A name, and then metadata that ends too early, so that the key of the object is not known.
std::string Unnamed() {
  return protobuf::MessageOf([](auto& object) {
    object.add_message(protobuf::fields::Pod::kMetadata, ObjectOf("a", "4").substr(2, 3) + "\x1a\x05");
  });
}

TEST_F(ProtobufReflectorTest, ADeletedObjectWithoutAReadableNameListsAgain) {
  scripts = {{{Frame("ADDED", "a", "3"), Frame("ADDED", "b", "3"), BookmarkFrame("5", true),
               FrameOf(EventOf("DELETED", "Pod", Unnamed())), Frame("ADDED", "c", "7")},
              InProtobuf(200)},
             {{Frame("ADDED", "b", "3"), BookmarkFrame("8", true)}, InProtobuf(200)}};
  Start(story);
  ASSERT_TRUE(Played());
  EXPECT_THAT(story.lines(), ElementsAre("set a", "set b", "listed first", "set b", "listed b"));
  EXPECT_THAT(server.Lines()[1], HasSubstr("sendInitialEvents=true"));
}

TEST_F(ProtobufReflectorTest, AListWithAnObjectWithoutAReadableNameIsNone) {
  const auto refused = FakeTransport::StreamScript{
      {}, InProtobuf(400, protobuf::EnvelopeOf("Status", protobuf::StatusMessageOf(400, "BadRequest", "no")))};
  std::atomic<int> lists = 0;
  server.answer = [&](const http::Request&) {
    const auto list = ++lists == 1 ? protobuf::ListOf({ObjectOf("a", "1"), Unnamed()}, "9", "")
                                   : protobuf::ListOf({ObjectOf("a", "1"), ObjectOf("b", "2")}, "9", "");
    return InProtobuf(200, protobuf::EnvelopeOf("PodList", list));
  };
  scripts = {refused, refused};
  Start(story);
  ASSERT_TRUE(Eventually([&] { return reflector->listed(); }));
  EXPECT_THAT(story.lines(), ElementsAre("set a", "set a", "set b", "listed a b"));
}

TEST_F(ProtobufReflectorTest, AsksForJsonAfterThreeAnswersThatItCannotRead) {
  const FakeTransport::StreamScript broken{{FrameOf("{}")}, InProtobuf(200)};
  scripts = {broken,
             {{Frame("ADDED", "a", "3"), FrameOf("{}")}, InProtobuf(200)},
             broken,
             {{Line("ADDED", "a", 3), Bookmark(5, true)}}};
  Start(story);
  ASSERT_TRUE(Played());
  EXPECT_TRUE(reflector->listed());
  EXPECT_EQ(server.requests()[2].accept, kBoth);
  EXPECT_EQ(server.requests()[3].accept, "application/json");
  EXPECT_EQ(server.requests()[4].accept, "application/json");
}

// A proxy that drops the type of the content.
TEST_F(ProtobufReflectorTest, AnEnvelopeIsProtobufWhateverItsType) {
  scripts = {{{}, http::ReplyOf(400, R"({"kind":"Status","code":400})")}};
  server.answer = [](const http::Request&) {
    return http::ReplyOf(200, protobuf::EnvelopeOf("PodList", protobuf::ListOf({ObjectOf("a", "1")}, "9", "")));
  };
  Start(story);
  ASSERT_TRUE(Eventually([&] { return server.requests().size() >= 3; }));
  EXPECT_THAT(story.lines(), ElementsAre("set a", "listed first"));
}

TEST_F(ProtobufReflectorTest, AReadableListKeepsProtobuf) {
  const FakeTransport::StreamScript broken{{FrameOf("{}")}, InProtobuf(200)};
  scripts = {broken, broken, {{Frame("ADDED", "a", "3"), BookmarkFrame("5", true)}, InProtobuf(200)}, broken, broken};
  Start(story);
  ASSERT_TRUE(Played());
  EXPECT_EQ(server.requests()[5].accept, kBoth);
}

}  // namespace
}  // namespace berth::reflector

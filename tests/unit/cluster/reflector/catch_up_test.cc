// CatchUp: a reflector reaches the server's current state, by its watch or by a new list.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>
#include <optional>

#include "cluster/reflector/reflector.h"
#include "cluster/reflector/running.h"
#include "eventually.h"
#include "fake_transport.h"
#include "story.h"

namespace berth::reflector {
namespace {

using http::FakeTransport;
using http::ReplyOf;
using testing::ElementsAre;

FakeTransport::StreamScript Open(std::vector<std::string> pieces) { return {std::move(pieces), ReplyOf(200), true}; }

struct CatchUpTest : testing::Test {
  FakeTransport server;
  Story story;
  std::vector<FakeTransport::StreamScript> streams;  // stay open, the last one for all further requests
  std::atomic<size_t> opened{0};
  std::string server_version = "6";
  ResourceKind kind = kNodes;
  size_t short_list = 0;  // objects; 0: CatchUp requests a list only if the watch is behind
  std::unique_ptr<Reflector> reflector;
  std::optional<Running> running;
  std::stop_source stop;

  void Start() {
    server.stream = [this](const http::Request&) { return streams[std::min(opened++, streams.size() - 1)]; };
    server.answer = [this](const http::Request&) {
      return ReplyOf(200,
                     R"({"kind":"NodeList","metadata":{"resourceVersion":")" + server_version + R"("},"items":[]})");
    };
    reflector = std::make_unique<Reflector>(kind, server, story, 1, RetryDelay(base::kMillisecond, base::kMillisecond));
    reflector->set_short_list(short_list);
    running.emplace(*reflector);
    ASSERT_TRUE(Eventually([&] { return reflector->listed() || streams[0].reply.status != 200; }));
  }
  ~CatchUpTest() override {
    stop.request_stop();
    running.reset();
  }
};

TEST_F(CatchUpTest, NeedsNoListIfTheWatchHasTheVersionOfTheServer) {
  streams = {Open({Line("ADDED", "a", "3"), Bookmark("5", true), Line("ADDED", "b", "6")})};
  Start();
  EXPECT_TRUE(reflector->CatchUp(stop.get_token()));
  EXPECT_THAT(story.lines(), ElementsAre("set a", "listed first", "set b"));
  EXPECT_THAT(server.Lines(), testing::Contains("GET /api/v1/nodes?limit=1"));
}

TEST_F(CatchUpTest, ListsAgainIfTheWatchStaysBehind) {
  streams = {Open({Line("ADDED", "a", "3"), Bookmark("5", true)}),
             Open({Line("ADDED", "b", "8"), Bookmark("9", true)})};
  server_version = "9";
  Start();
  EXPECT_TRUE(reflector->CatchUp(stop.get_token()));
  EXPECT_THAT(story.lines(), ElementsAre("set a", "listed first", "set b", "listed b"));
}

TEST_F(CatchUpTest, RequestsAShortListBeforeItKnowsTheVersionOfTheServer) {
  streams = {Open({Line("ADDED", "a", "3"), Line("ADDED", "b", "4"), Bookmark("5", true)}),
             Open({Line("ADDED", "a", "3"), Line("ADDED", "b", "8"), Bookmark("9", true)})};
  server_version = "9";
  short_list = 3;
  Start();
  const auto answer = server.answer;
  server.answer = [&](const http::Request& request) {
    EXPECT_TRUE(Eventually([&] { return opened == 2; })) << "the list waits for the answer to " << request.path;
    return answer(request);
  };
  EXPECT_TRUE(reflector->CatchUp(stop.get_token()));
  EXPECT_EQ(opened, 2u) << "one list is enough";
  EXPECT_THAT(story.lines(), ElementsAre("set a", "set b", "listed first", "set a", "set b", "listed a b"));
}

TEST_F(CatchUpTest, RequestsNoLongListBeforeItKnowsTheVersionOfTheServer) {
  streams = {Open({Line("ADDED", "a", "3"), Line("ADDED", "b", "4"), Line("ADDED", "c", "5"), Bookmark("6", true)})};
  short_list = 3;
  Start();
  EXPECT_TRUE(reflector->CatchUp(stop.get_token()));
  EXPECT_EQ(opened, 1u);
}

TEST_F(CatchUpTest, ListsAgainForAVersionThatIsNoNumber) {
  streams = {Open({Line("ADDED", "a", "v3"), Bookmark("v5", true)}), Open({Bookmark("v5", true)})};
  server_version = "v5";
  Start();
  EXPECT_TRUE(reflector->CatchUp(stop.get_token()));
  EXPECT_THAT(story.lines(), ElementsAre("set a", "listed first", "listed"));
}

TEST_F(CatchUpTest, ListsOnceForEachCall) {
  streams = {Open({Bookmark("5", true)}), Open({Bookmark("9", true)}), Open({Bookmark("12", true)})};
  server_version = "9";
  Start();
  EXPECT_TRUE(reflector->CatchUp(stop.get_token()));
  EXPECT_TRUE(reflector->CatchUp(stop.get_token())) << "the list has reached 9";
  EXPECT_EQ(opened, 2u);
  server_version = "12";
  EXPECT_TRUE(reflector->CatchUp(stop.get_token()));
  EXPECT_EQ(opened, 3u);
}

TEST_F(CatchUpTest, AsksAgainAfterAnAnswerThatIsNoList) {
  streams = {Open({Bookmark("5", true)}), Open({Line("ADDED", "b", "8"), Bookmark("9", true)})};
  server_version = "9";
  Start();
  const auto answer = server.answer;
  std::atomic<int> asked = 0;
  server.answer = [&](const http::Request& request) {
    EXPECT_EQ(request.accept, "application/json");
    return ++asked == 1 ? ReplyOf(200, "<html>") : answer(request);
  };
  EXPECT_TRUE(reflector->CatchUp(stop.get_token()));
  EXPECT_EQ(asked, 2);
  EXPECT_THAT(story.lines(), ElementsAre("listed first", "set b", "listed first"));
}

TEST_F(CatchUpTest, EndsAtOnceForAKindThatTheServerDoesNotHave) {
  streams = {{{}, ReplyOf(404, R"({"kind":"Status","code":404,"reason":"NotFound"})")}};
  kind.optional = true;
  Start();
  server.answer = [](const http::Request&) { return ReplyOf(404, R"({"kind":"Status","code":404})"); };
  EXPECT_TRUE(reflector->CatchUp(stop.get_token()));
}

TEST_F(CatchUpTest, EndsWhenItIsStopped) {
  streams = {Open({Bookmark("5", true)}), Open({})};  // the second list never ends
  server_version = "9";
  Start();
  auto result = std::async(std::launch::async, [&] { return reflector->CatchUp(stop.get_token()); });
  ASSERT_TRUE(Eventually([&] { return opened == 2; }));
  stop.request_stop();
  EXPECT_FALSE(result.get());
}

TEST_F(CatchUpTest, AsksAgainWhileTheServerDoesNotAnswer) {
  streams = {Open({Bookmark("5", true)})};
  Start();
  std::atomic<int> asked{0};
  server.answer = [&](const http::Request&) {
    if (++asked == 1) return http::LostReply("connection refused", false);
    return ReplyOf(200, R"({"kind":"NodeList","metadata":{"resourceVersion":"5"},"items":[]})");
  };
  EXPECT_TRUE(reflector->CatchUp(stop.get_token()));
  EXPECT_EQ(asked, 2);
}

TEST(VersionNumber, OfATextOfDigits) {
  struct Case {
    const char* text;
    std::optional<uint64_t> number;
  };
  const Case cases[] = {
      {.text = "0", .number = 0},
      {.text = "18446744073709551615", .number = UINT64_MAX},
      {.text = "18446744073709551616", .number = std::nullopt},
      {.text = "", .number = std::nullopt},
      {.text = "-1", .number = std::nullopt},
      {.text = "12a", .number = std::nullopt},
  };
  for (const Case& one : cases) EXPECT_EQ(VersionNumber(one.text), one.number) << one.text;
}

}  // namespace
}  // namespace berth::reflector

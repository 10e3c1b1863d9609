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
  // Of requests without a watch; set it before Start.
  std::function<http::Reply(const http::Request&)> answer = [this](const http::Request&) { return Version(); };
  ResourceKind kind = kNodes;
  size_t short_list = 0;  // objects; 0: CatchUp requests a list only if the watch is behind
  int64_t patience_ns = 10 * base::kSecond;
  std::unique_ptr<Reflector> reflector;
  std::optional<Running> running;
  std::stop_source stop;

  http::Reply Version() const {
    return ReplyOf(200, R"({"kind":"NodeList","metadata":{"resourceVersion":")" + server_version + R"("},"items":[]})");
  }
  void Start() {
    server.stream = [this](const http::Request&) { return streams[std::min(opened++, streams.size() - 1)]; };
    server.answer = answer;
    reflector = std::make_unique<Reflector>(kind, server, story, 1, RetryDelay(base::kMillisecond, base::kMillisecond));
    reflector->set_short_list(short_list);
    reflector->set_unreadable_timeout_ns(patience_ns);
    running.emplace(*reflector);
    ASSERT_TRUE(Eventually([&] { return reflector->listed() || streams[0].reply.status != 200; }));
  }
  // Whether CatchUp ends by itself, with success.
  bool CatchesUp() {
    auto result = std::async(std::launch::async, [this] { return reflector->CatchUp(stop.get_token()); });
    if (result.wait_for(std::chrono::seconds(10)) != std::future_status::ready) stop.request_stop();
    return result.get();
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

constexpr const char* kShortList =
    R"({"kind":"NodeList","metadata":{"resourceVersion":"9"},"items":[)"
    R"({"metadata":{"name":"a","resourceVersion":"3"}},{"metadata":{"name":"b","resourceVersion":"8"}}]})";

TEST_F(CatchUpTest, ReadsAShortListInOneRequestBeforeItEndsTheWatch) {
  streams = {Open({Line("ADDED", "a", "3"), Line("ADDED", "c", "4"), Bookmark("5", true)}), Open({})};
  short_list = 3;
  Start();
  server.answer = [&](const http::Request& request) {
    EXPECT_EQ(request.path, "/api/v1/nodes?limit=500");
    EXPECT_EQ(opened, 1u) << "the watch goes on";
    return ReplyOf(200, kShortList);
  };
  EXPECT_TRUE(CatchesUp());
  EXPECT_THAT(story.lines(), ElementsAre("set a", "set c", "listed first", "set a", "set b", "listed a b"));
  ASSERT_TRUE(Eventually([&] { return opened == 2; }));
  EXPECT_EQ(server.requests().size(), 3u);
  EXPECT_THAT(server.Lines().back(), testing::EndsWith("&resourceVersion=9"));
}

TEST_F(CatchUpTest, DoesNotGoBackToAShortListThatIsOlderThanTheWatch) {
  streams = {Open({Line("ADDED", "a", "3"), Bookmark("5", true), Line("ADDED", "b", "8"), Line("ADDED", "c", "10")})};
  short_list = 3;
  Start();
  ASSERT_TRUE(Eventually([&] { return story.lines().size() == 4; }));
  server.answer = [&](const http::Request&) { return ReplyOf(200, kShortList); };
  EXPECT_TRUE(CatchesUp());
  EXPECT_THAT(story.lines(), ElementsAre("set a", "listed first", "set b", "set c"));
}

TEST_F(CatchUpTest, ListsAgainIfAShortListHasBecomeLong) {
  streams = {Open({Line("ADDED", "a", "3"), Bookmark("5", true)}),
             Open({Line("ADDED", "b", "8"), Bookmark("9", true)})};
  short_list = 3;
  Start();
  server.answer = [&](const http::Request&) {
    return ReplyOf(200, R"({"kind":"NodeList","metadata":{"resourceVersion":"9","continue":"more"},"items":[]})");
  };
  EXPECT_TRUE(CatchesUp());
  EXPECT_THAT(story.lines(), ElementsAre("set a", "listed first", "set b", "listed b"));
}

// For example behind a proxy that changes protobuf.
TEST_F(CatchUpTest, AsksForTheVersionIfItCannotReadAShortList) {
  streams = {Open({Line("ADDED", "a", "3"), Bookmark("5", true)}),
             Open({Line("ADDED", "b", "8"), Bookmark("9", true)})};
  server_version = "9";
  short_list = 3;
  answer = [&](const http::Request& request) {
    return request.path.ends_with("?limit=1") ? Version() : ReplyOf(200, "<html>");
  };
  Start();
  EXPECT_TRUE(CatchesUp());
  EXPECT_THAT(story.lines(), ElementsAre("set a", "listed first", "set b", "listed b"));
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
  answer = [](const http::Request&) { return ReplyOf(404, R"({"kind":"Status","code":404})"); };
  Start();
  EXPECT_TRUE(reflector->CatchUp(stop.get_token()));
}

http::Reply Refusal(int status) {
  return ReplyOf(status, R"({"kind":"Status","message":"no","code":)" + std::to_string(status) + "}");
}

TEST_F(CatchUpTest, EndsSoonForAKindThatCountsAsEmpty) {
  streams = {{{}, Refusal(403)}};  // the server answers CatchUp, and refuses the lists of the reflector
  kind.optional = true;
  patience_ns = 2 * base::kSecond;
  answer = [&](const http::Request& request) { return request.path.ends_with("?limit=1") ? Version() : Refusal(403); };
  Start();
  ASSERT_TRUE(Eventually([&] { return story.lines() == std::vector<std::string>{"listed first"}; }));
  const int64_t began = base::RealClock().MonoNs();
  EXPECT_TRUE(CatchesUp());
  EXPECT_LT(base::RealClock().MonoNs() - began, patience_ns);
}

TEST_F(CatchUpTest, KeepsTheWatchAndTheObjectsOfAnOptionalKindThatTheServerCannotList) {
  streams = {Open({Line("ADDED", "a", "3"), Bookmark("5", true)})};
  kind.optional = true;
  short_list = 500;
  patience_ns = 20 * base::kMillisecond;
  answer = [](const http::Request&) { return Refusal(500); };
  Start();
  EXPECT_TRUE(CatchesUp());
  EXPECT_EQ(opened, 1u) << "the watch still works";
  EXPECT_THAT(story.lines(), ElementsAre("set a", "listed first"));
}

TEST_F(CatchUpTest, WaitsForALimitedTimeForANewListOfAnOptionalKind) {
  streams = {Open({Line("ADDED", "a", "3"), Bookmark("5", true)}), {{}, Refusal(500)}};
  server_version = "9";
  kind.optional = true;
  patience_ns = 20 * base::kMillisecond;
  answer = [&](const http::Request& request) { return request.path.ends_with("?limit=1") ? Version() : Refusal(500); };
  Start();
  EXPECT_TRUE(CatchesUp());
  EXPECT_THAT(story.lines(), ElementsAre("set a", "listed first"));
}

TEST_F(CatchUpTest, WaitsForARequiredKind) {
  streams = {Open({Line("ADDED", "a", "3"), Bookmark("5", true)})};
  patience_ns = base::kMillisecond;
  answer = [](const http::Request&) { return Refusal(500); };
  Start();
  auto result = std::async(std::launch::async, [&] { return reflector->CatchUp(stop.get_token()); });
  EXPECT_EQ(result.wait_for(std::chrono::milliseconds(500)), std::future_status::timeout);
  stop.request_stop();
  EXPECT_FALSE(result.get());
}

// Then the objects of no kind can be read, and other kinds prevent decisions with an older view.
TEST_F(CatchUpTest, WaitsForAnOptionalKindWhileTheServerIsUnreachable) {
  streams = {Open({Line("ADDED", "a", "3"), Bookmark("5", true)})};
  kind.optional = true;
  patience_ns = base::kMillisecond;
  answer = [](const http::Request&) { return http::LostReply("connection refused", false); };
  Start();
  auto result = std::async(std::launch::async, [&] { return reflector->CatchUp(stop.get_token()); });
  EXPECT_EQ(result.wait_for(std::chrono::milliseconds(500)), std::future_status::timeout);
  stop.request_stop();
  EXPECT_FALSE(result.get());
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

// The requests of a reflector to a scripted server, and the calls of its feed.
#include "cluster/reflector/reflector.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>

#include "cluster/reflector/running.h"
#include "codec/json/value.h"
#include "eventually.h"
#include "fake_transport.h"
#include "story.h"

namespace berth::reflector {
namespace {

using http::FakeTransport;
using http::ReplyOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

// The times of the requests, mono ns.
struct RequestTimes {
  std::mutex mutex;
  std::vector<int64_t> at;
  void Note() {
    std::lock_guard lock(mutex);
    at.push_back(base::RealClock().MonoNs());
  }
  // The ns between request i and the next one. Call it after Stop: the transport shows a request before it is noted
  // here.
  int64_t Between(size_t i) {
    std::lock_guard lock(mutex);
    return at.at(i + 1) - at.at(i);
  }
};

constexpr const char* kOnePod =
    R"({"kind":"PodList","metadata":{"resourceVersion":"7"},"items":[{"metadata":{"name":"a","resourceVersion":"1"}}]})";

struct ReflectorTest : testing::Test {
  FakeTransport server;
  Story story;
  std::vector<FakeTransport::StreamScript> scripts;
  size_t next = 0;
  ResourceKind kind = kUnfinishedPods;
  int64_t patience_ns = 10 * base::kSecond, delay_ns = base::kMillisecond;
  std::unique_ptr<Reflector> reflector;
  RequestTimes times;  // outlives the reflector
  std::optional<Running> running;

  void Run() {
    reflector = std::make_unique<Reflector>(kind, server, story, 1, RetryDelay(delay_ns, delay_ns));
    reflector->set_unreadable_timeout_ns(patience_ns);
    running.emplace(*reflector);
  }
  void Start() {
    server.stream = [this](const http::Request&) {
      if (next < scripts.size()) return scripts[next++];
      return FakeTransport::StreamScript{{}, ReplyOf(200), true};
    };
    Run();
  }
  // The answer to both ways to list.
  void Refuse(int status, const std::string& message) {
    const std::string body =
        R"({"kind":"Status","code":)" + std::to_string(status) + R"(,"message":")" + message + "\"}";
    server.stream = [=](const http::Request&) { return FakeTransport::StreamScript{{}, ReplyOf(status, body)}; };
    server.answer = [=](const http::Request&) { return ReplyOf(status, body); };
  }
  // Whether all n streams have ended and the next one is open.
  bool Played() {
    return Eventually([&] { return server.requests().size() > scripts.size(); });
  }
  void Stop() { running.reset(); }
  ~ReflectorTest() override { Stop(); }
};

TEST_F(ReflectorTest, ListsByAWatchAndResumesAfterItsEnd) {
  scripts = {{{Line("ADDED", "a", 3) + Line("ADDED", "b", 4), Bookmark(5, true), Line("MODIFIED", "a", 6)}}};
  Start();
  ASSERT_TRUE(Played());
  EXPECT_THAT(story.lines(), ElementsAre("set a", "set b", "listed first", "set a"));
  EXPECT_TRUE(reflector->listed());
  const auto asked = server.Lines();
  EXPECT_THAT(asked[0], HasSubstr("/api/v1/pods?watch=true&allowWatchBookmarks=true&timeoutSeconds="));
  EXPECT_THAT(asked[0], HasSubstr("&sendInitialEvents=true&resourceVersionMatch=NotOlderThan"));
  EXPECT_THAT(asked[0], HasSubstr("&fieldSelector=status.phase%21%3DSucceeded%2Cstatus.phase%21%3DFailed"));
  EXPECT_THAT(asked[1], HasSubstr("&resourceVersion=6"));
  EXPECT_THAT(asked[1], Not(HasSubstr("sendInitialEvents")));
}

TEST_F(ReflectorTest, ResumesFromBookmarks) {
  scripts = {{{Line("ADDED", "a", 3), Bookmark(5, true), Bookmark(50, false)}}};
  Start();
  ASSERT_TRUE(Played());
  EXPECT_THAT(server.Lines()[1], HasSubstr("&resourceVersion=50"));
}

TEST_F(ReflectorTest, ListsAgainWhenTheVersionHasExpired) {
  const std::string expired = R"({"type":"ERROR","object":{"kind":"Status","code":410,"reason":"Expired"}})"
                              "\n";
  scripts = {{{Line("ADDED", "a", 3), Line("ADDED", "b", 3), Bookmark(5, true), expired}},
             {{Line("ADDED", "b", 3), Line("ADDED", "c", 8), Line("DELETED", "c", 9), Bookmark(10, true)}},
             {{}, ReplyOf(410, R"({"kind":"Status","code":410,"reason":"Gone"})")},
             {{Line("ADDED", "d", 11), Bookmark(12, true)}}};
  Start();
  ASSERT_TRUE(Played());
  EXPECT_THAT(story.lines(), ElementsAre("set a", "set b", "listed first", "set b", "set c", "gone c", "listed b",
                                         "set d", "listed d"));
}

TEST_F(ReflectorTest, WaitsBeforeAListIfTheServerRefusesTheVersion) {
  delay_ns = 200 * base::kMillisecond;
  scripts = {
      {{Line("ADDED", "a", 3), Bookmark(5, true)}}, {{}, ReplyOf(410)}, {{Bookmark(9, true)}, ReplyOf(200), true}};
  server.stream = [&](const http::Request&) {
    times.Note();
    return scripts[std::min(next++, scripts.size() - 1)];
  };
  Run();
  ASSERT_TRUE(Eventually([&] { return server.requests().size() == 3; }));
  Stop();
  EXPECT_GE(times.Between(1), delay_ns);
}

TEST_F(ReflectorTest, DoesNotReportAnIncompleteList) {
  FakeTransport::StreamScript broken{{Line("ADDED", "a", 3), Line("ADDED", "b", 3)}};
  broken.reply.error = "connection reset by peer";
  scripts = {broken, {{Line("ADDED", "a", 3), Bookmark(5, true)}}};
  Start();
  ASSERT_TRUE(Eventually([&] { return !reflector->trouble().empty() || reflector->listed(); }));
  ASSERT_TRUE(Played());
  EXPECT_THAT(story.lines(), ElementsAre("set a", "set b", "set a", "listed a")) << "b was deleted during the outage";
  EXPECT_EQ(reflector->trouble(), "");
}

TEST_F(ReflectorTest, ListsInPagesIfTheServerHasNoWatchList) {
  scripts = {{{}, ReplyOf(422, R"({"kind":"Status","code":422,"reason":"Invalid","message":"sendInitialEvents"})")}};
  server.answer = [](const http::Request& request) {
    const bool second = request.path.find("continue=more%2F") != std::string::npos;
    return ReplyOf(
        200,
        second
            ? R"({"kind":"PodList","metadata":{"resourceVersion":"7"},"items":[{"metadata":{"name":"b","resourceVersion":"2"}}]})"
            : R"({"kind":"PodList","metadata":{"resourceVersion":"7","continue":"more/"},)"
              R"("items":[{"metadata":{"name":"a","resourceVersion":"1"}}]})");
  };
  Start();
  ASSERT_TRUE(Eventually([&] { return server.requests().size() == 4; }));
  EXPECT_THAT(story.lines(), ElementsAre("set a", "set b", "listed first"));
  EXPECT_THAT(server.Lines()[1], HasSubstr("/api/v1/pods?limit=500&fieldSelector="));
  EXPECT_THAT(server.Lines()[3], HasSubstr("&resourceVersion=7"));
}

TEST_F(ReflectorTest, ListsInPagesIfTheWatchReportsNoWatchList) {
  scripts = {{{R"({"type":"ERROR","object":{"kind":"Status","code":500,"message":"no progress"}})"
               "\n"}}};
  server.answer = [](const http::Request&) {
    return ReplyOf(200, R"({"kind":"PodList","metadata":{"resourceVersion":"7"},"items":[]})");
  };
  Start();
  ASSERT_TRUE(Eventually([&] { return reflector->listed(); }));
  EXPECT_THAT(server.Lines()[1], HasSubstr("/api/v1/pods?limit=500"));
}

TEST_F(ReflectorTest, TriesAWatchListAgainAfterPages) {
  const FakeTransport::StreamScript no_progress{{R"({"type":"ERROR","object":{"kind":"Status","code":500}})"
                                                 "\n"}};
  scripts = {no_progress, {{}, ReplyOf(410)}, {{Bookmark(9, true)}}};
  server.answer = [](const http::Request&) {
    return ReplyOf(200, R"({"kind":"PodList","metadata":{"resourceVersion":"7"},"items":[]})");
  };
  Start();
  ASSERT_TRUE(Eventually([&] { return server.requests().size() > 4; }));
  EXPECT_THAT(server.Lines()[1], HasSubstr("/api/v1/pods?limit=500"));
  EXPECT_THAT(server.Lines()[2], HasSubstr("&resourceVersion=7"));
  EXPECT_THAT(server.Lines()[3], HasSubstr("sendInitialEvents"));
}

TEST_F(ReflectorTest, ListsAgainAfterRepeatedRefusalsOfAWatch) {
  const FakeTransport::StreamScript refused{{}, ReplyOf(500, "no")};
  scripts = {{{Line("ADDED", "a", 3), Bookmark(5, true)}}, refused, refused, refused, {{Bookmark(9, true)}}};
  Start();
  ASSERT_TRUE(Played());
  EXPECT_THAT(story.lines(), ElementsAre("set a", "listed first", "listed"));
  EXPECT_THAT(server.Lines()[3], HasSubstr("&resourceVersion=5"));
  EXPECT_THAT(server.Lines()[4], HasSubstr("sendInitialEvents"));
}

TEST_F(ReflectorTest, KeepsThePreviousVersionOfAnInvalidObject) {
  scripts = {{{Line("ADDED", "a", 3), Bookmark(5, true)}},
             {{}, ReplyOf(410, R"({"kind":"Status","code":410,"reason":"Gone"})")},
             {{R"({"type":"ADDED","object":{"bad":1,"metadata":{"name":"a","resourceVersion":"6"}}})"
               "\n",
               Bookmark(7, true)}}};
  Start();
  ASSERT_TRUE(Played());
  EXPECT_THAT(story.lines(), ElementsAre("set a", "listed first", "listed a"));
}

TEST_F(ReflectorTest, SkipsInvalidObjects) {
  scripts = {{{R"({"type":"ADDED","object":{"bad":1,"metadata":{"name":"x","resourceVersion":"1"}}})"
               "\n",
               Line("ADDED", "a", 3), Bookmark(5, true)}}};
  Start();
  ASSERT_TRUE(Played());
  EXPECT_THAT(story.lines(), ElementsAre("set a", "listed first"));
}

TEST_F(ReflectorTest, ReportsWhyItCannotList) {
  Refuse(403, "pods is forbidden");
  Run();
  ASSERT_TRUE(Eventually([&] { return !reflector->trouble().empty(); }));
  EXPECT_EQ(reflector->trouble(), "cannot list pods: pods is forbidden");
  EXPECT_FALSE(reflector->listed());
}

class UnavailableKindTest : public ReflectorTest, public testing::WithParamInterface<int> {};

TEST_P(UnavailableKindTest, CountsAsEmptyAfterAWhile) {
  kind = {.path = "/apis/storage.k8s.io/v1/storageclasses",
          .group = "storage.k8s.io",
          .resource = "storageclasses",
          .optional = true,
          .needed_by = "VolumeBinding"};
  patience_ns = 20 * base::kMillisecond;
  Refuse(GetParam(), "no");
  const int64_t started = base::RealClock().MonoNs();
  Run();
  ASSERT_TRUE(Eventually([&] { return !story.lines().empty(); }));
  EXPECT_GE(base::RealClock().MonoNs() - started, patience_ns);
  EXPECT_THAT(story.lines(), ElementsAre("listed first"));
  ASSERT_TRUE(Eventually([&] { return reflector->trouble().empty(); }));
  EXPECT_FALSE(reflector->listed());
}
INSTANTIATE_TEST_SUITE_P(Refusals, UnavailableKindTest, testing::Values(403, 404));

// The duration of an outage does not count for a refusal after it.
TEST_F(ReflectorTest, ARefusalMustLastBeforeTheKindCountsAsEmpty) {
  kind.optional = true;
  patience_ns = 40 * base::kMillisecond;
  Refuse(503, "");
  std::atomic<int> lists = 0;
  server.answer = [&](const http::Request&) {
    ++lists;
    if (lists <= 40) return ReplyOf(503, "");
    if (lists == 41) return ReplyOf(403, R"({"kind":"Status","code":403,"message":"no"})");
    return ReplyOf(200, kOnePod);
  };
  Run();
  ASSERT_TRUE(Eventually([&] { return reflector->listed(); }));
  EXPECT_THAT(story.lines(), ElementsAre("set a", "listed first"));
}

TEST_F(ReflectorTest, ARequiredKindNeverCountsAsEmpty) {
  patience_ns = 5 * base::kMillisecond;
  Refuse(403, "no");
  Run();
  ASSERT_TRUE(Eventually([&] { return server.requests().size() > 40; }));
  EXPECT_THAT(story.lines(), testing::IsEmpty());
}

TEST_F(ReflectorTest, NoKindCountsAsEmptyWhileTheServerIsUnreachable) {
  kind.optional = true;
  patience_ns = 5 * base::kMillisecond;
  Refuse(503, "");
  Run();
  ASSERT_TRUE(Eventually([&] { return server.requests().size() > 40; }));
  EXPECT_THAT(story.lines(), testing::IsEmpty());
}

class NoWatchListTest : public ReflectorTest, public testing::WithParamInterface<int> {};

// Source: k8s.io/client-go/tools/cache/reflector.go, watchList and isWatchErrorRetriable.
TEST_P(NoWatchListTest, ListsInPagesAtOnce) {
  delay_ns = 100 * base::kSecond;
  scripts = {{{}, ReplyOf(GetParam(), "no")}};
  server.answer = [](const http::Request&) { return ReplyOf(200, kOnePod); };
  Start();
  ASSERT_TRUE(Eventually([&] { return server.requests().size() == 3; }));
  EXPECT_TRUE(reflector->listed());
  EXPECT_FALSE(reflector->outage());
  EXPECT_THAT(server.Lines()[1], HasSubstr("/api/v1/pods?limit=500"));
  EXPECT_THAT(server.Lines()[2], HasSubstr("&resourceVersion=7"));
}
INSTANTIATE_TEST_SUITE_P(Statuses, NoWatchListTest,
                         testing::Values(400, 401, 403, 404, 405, 415, 422, 500, 501, 503, 504));

// As client-go, which tries both for each list.
TEST_F(ReflectorTest, TriesAWatchListAgainAfterAFailedPage) {
  scripts = {{{}, ReplyOf(500, "no")}, {{Bookmark(9, true)}, ReplyOf(200), true}};
  server.answer = [](const http::Request&) { return ReplyOf(500, "no"); };
  Start();
  ASSERT_TRUE(Eventually([&] { return reflector->listed(); }));
  EXPECT_THAT(server.Lines()[2], HasSubstr("sendInitialEvents"));
}

// A role that permits "list" and not "watch": the lists are the only source, as in kube-scheduler.
TEST_F(ReflectorTest, ListsAgainAndAgainIfItMayNotWatch) {
  patience_ns = 20 * base::kMillisecond;
  Refuse(403, "no");
  server.answer = [](const http::Request&) { return ReplyOf(200, kOnePod); };
  Run();
  ASSERT_TRUE(Eventually([&] { return story.lines().size() >= 4; }));
  Stop();
  const std::vector<std::string> lines = story.lines();
  EXPECT_THAT(std::vector(lines.begin(), lines.begin() + 4), ElementsAre("set a", "listed first", "set a", "listed a"));
}

// The answers to a list in pages: page 1, an expired page 2, then the whole list.
class ExpiringPages {
 public:
  http::Reply operator()(const http::Request& request) {
    if (request.path.find("continue=") != std::string::npos) return Expired();
    return request.path.find("limit=") != std::string::npos ? First() : Full();
  }

 private:
  static http::Reply First() {
    return ReplyOf(200, R"({"kind":"PodList","metadata":{"resourceVersion":"7","continue":"more"},)"
                        R"("items":[{"metadata":{"name":"a","resourceVersion":"1"}},)"
                        R"({"metadata":{"name":"gone","resourceVersion":"1"}}]})");
  }
  static http::Reply Expired() {
    return ReplyOf(410, R"({"kind":"Status","code":410,"reason":"Expired","message":"the continue token is too old"})");
  }
  static http::Reply Full() {
    return ReplyOf(200, R"({"kind":"PodList","metadata":{"resourceVersion":"9"},)"
                        R"("items":[{"metadata":{"name":"a","resourceVersion":"1"}},)"
                        R"({"metadata":{"name":"b","resourceVersion":"8"}}]})");
  }
};

TEST_F(ReflectorTest, ListsInOnePieceWhenThePagesExpire) {
  scripts = {{{}, ReplyOf(422, R"({"kind":"Status","code":422,"reason":"Invalid","message":"sendInitialEvents"})")}};
  server.answer = ExpiringPages();
  Start();
  ASSERT_TRUE(Eventually([&] { return server.requests().size() >= 5; }));
  EXPECT_THAT(story.lines(), ElementsAre("set a", "set gone", "set a", "set b", "listed a b"));
  const auto asked = server.Lines();
  EXPECT_THAT(asked[2], HasSubstr("&continue=more"));
  EXPECT_THAT(asked[3], testing::StartsWith("GET /api/v1/pods?fieldSelector="));
  EXPECT_THAT(asked[3], Not(HasSubstr("limit=")));
  EXPECT_THAT(asked[3], Not(HasSubstr("resourceVersion="))) << "the most recent state";
  EXPECT_THAT(asked[4], HasSubstr("&resourceVersion=9"));
}

// A server whose objects are so large that a reply has space for `most` of them.
struct LargeObjects {
  int most = 0, objects = 0;
  std::vector<std::pair<int, int>> pages;  // the first object, the limit
  http::Reply operator()(const http::Request& request) {
    const int limit = Number(request.path, "limit="), first = Number(request.path, "continue=");
    pages.emplace_back(first, limit);
    if (std::min(limit, objects - first) > most) return {.error = "the reply is too large", .too_large = true};
    const int next = std::min(objects, first + limit);
    std::string items;
    for (int i = first; i < next; ++i) {
      items += std::string(i > first ? "," : "") + R"({"metadata":{"name":"p","resourceVersion":"1"}})";
    }
    const std::string more = next < objects ? R"(,"continue":")" + std::to_string(next) + "\"" : "";
    return ReplyOf(200,
                   R"({"kind":"PodList","metadata":{"resourceVersion":"7")" + more + R"(},"items":[)" + items + "]}");
  }
  static int Number(const std::string& path, const std::string& parameter) {
    const size_t at = path.find(parameter);
    return at == std::string::npos ? 0 : std::stoi(path.substr(at + parameter.size()));
  }
};

struct LargeObjectsTest : ReflectorTest {
  LargeObjects objects;
  // Without WatchList. The first watch ends at once, so that there are two lists.
  void List() {
    scripts = {{{}, ReplyOf(422)}, {{}, ReplyOf(410)}, {{}, ReplyOf(422)}};
    server.answer = [this](const http::Request& request) { return objects(request); };
    Start();
  }
};

TEST_F(LargeObjectsTest, AreReadInSmallerPages) {
  objects = {.most = 130, .objects = 300};
  List();
  ASSERT_TRUE(Eventually([&] { return story.lines().size() == 602; }));
  Stop();
  const std::vector<std::pair<int, int>> list = {{0, 500}, {0, 250}, {0, 125}, {125, 125}, {250, 125}};
  std::vector<std::pair<int, int>> both = list;
  both.insert(both.end(), list.begin(), list.end());
  EXPECT_EQ(objects.pages, both) << "a new list begins with full pages";
}

TEST_F(LargeObjectsTest, AreReadOneByOneAtLast) {
  objects = {.most = 1, .objects = 2};
  List();
  ASSERT_TRUE(Eventually([&] { return reflector->listed(); }));
}

TEST_F(LargeObjectsTest, AnObjectThatIsTooLargeIsAFailure) {
  objects = {.most = 0, .objects = 1};
  List();
  ASSERT_TRUE(Eventually([&] { return !reflector->trouble().empty(); }));
  EXPECT_THAT(reflector->trouble(), HasSubstr("the reply is too large"));
  Stop();
  EXPECT_EQ(objects.pages.at(8), std::make_pair(0, 1));
}

http::Reply TurnedAway(int status, int64_t seconds) {
  http::Reply reply = ReplyOf(status, R"({"kind":"Status","message":"too many requests"})");
  reply.retry_after_seconds = seconds;
  return reply;
}

class BusyServerTest : public ReflectorTest, public testing::WithParamInterface<int> {};

TEST_P(BusyServerTest, DelaysAListByRetryAfter) {
  scripts = {{{}, TurnedAway(GetParam(), 1)}, {{Bookmark(5, true)}}};
  server.stream = [&](const http::Request&) {
    times.Note();
    if (next < scripts.size()) return scripts[next++];
    return FakeTransport::StreamScript{{}, ReplyOf(200), true};
  };
  Run();
  ASSERT_TRUE(Played());
  EXPECT_TRUE(reflector->listed());
  Stop();
  EXPECT_GE(times.Between(0), base::kSecond);
}

TEST_P(BusyServerTest, DelaysAPageByRetryAfter) {
  std::atomic<int> asked{0};
  const FakeTransport::StreamScript refused{{}, ReplyOf(422, R"({"kind":"Status","code":422})")};
  scripts = {refused, refused};
  server.answer = [&](const http::Request&) {
    times.Note();
    if (asked++ == 0) return TurnedAway(GetParam(), 1);
    return ReplyOf(200, R"({"kind":"PodList","metadata":{"resourceVersion":"7"},"items":[]})");
  };
  Start();
  ASSERT_TRUE(Eventually([&] { return reflector->listed(); }));
  Stop();
  EXPECT_GE(times.Between(0), base::kSecond);
}

TEST_P(BusyServerTest, DelaysAWatchByRetryAfter) {
  scripts = {{{Bookmark(5, true)}}, {{}, TurnedAway(GetParam(), 1)}};
  server.stream = [&](const http::Request&) {
    times.Note();
    if (next < scripts.size()) return scripts[next++];
    return FakeTransport::StreamScript{{}, ReplyOf(200), true};
  };
  Run();
  ASSERT_TRUE(Played());
  Stop();
  EXPECT_GE(times.Between(1), base::kSecond);
}
INSTANTIATE_TEST_SUITE_P(Statuses, BusyServerTest, testing::Values(429, 503));

TEST_F(ReflectorTest, WaitsForTheDelayInAWatchError) {
  scripts = {{{R"({"type":"ERROR","object":{"kind":"Status","code":429,"details":{"retryAfterSeconds":1}}})"
               "\n"}},
             {{Bookmark(5, true)}}};
  server.stream = [&](const http::Request&) {
    times.Note();
    if (next < scripts.size()) return scripts[next++];
    return FakeTransport::StreamScript{{}, ReplyOf(200), true};
  };
  Run();
  ASSERT_TRUE(Played());
  Stop();
  EXPECT_GE(times.Between(0), base::kSecond);
}

TEST_F(ReflectorTest, ReportsTheStartOfAnOutage) {
  const FakeTransport::StreamScript away{{}, http::LostReply("connection refused", false)};
  scripts = {{{Bookmark(5, true)}}};
  for (int i = 0; i < 3; ++i) scripts.push_back(away);
  scripts.push_back({{Line("ADDED", "a", 6)}, ReplyOf(200), true});
  std::mutex mutex;
  std::vector<std::string> why;  // the outage when each watch was requested
  server.stream = [&](const http::Request&) {
    const auto outage = reflector->outage();
    std::lock_guard lock(mutex);
    why.push_back(outage ? outage->why : "");
    return scripts.at(next++);
  };
  Run();
  ASSERT_TRUE(Eventually([&] { return story.lines().size() == 2 && !reflector->outage(); }));
  Stop();
  EXPECT_THAT(why, ElementsAre("", "", "connection refused", "connection refused", "connection refused"));
}

}  // namespace
}  // namespace berth::reflector

// The requests and replies of the filter verb. Source: HTTPExtender.Filter in pkg/scheduler/extender.go.
#include <gmock/gmock.h>

#include "fake_server.h"

namespace berth::extender {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

base::Result<framework::ExtenderFilterResult> Filter(const std::string& answer, const Change& change = nullptr) {
  const FakeServer server(answer);
  return MakeOne(server.url(), change)->Filter(kPod, kTwoNodes);
}

std::string ErrorOf(const std::string& answer, const Change& change = nullptr) {
  const auto filtered = Filter(answer, change);
  return filtered ? "passed" : filtered.error().message;
}

std::vector<std::string> Texts(const std::vector<framework::ExtenderFailedNode>& failed) {
  std::vector<std::string> texts;
  for (const framework::ExtenderFailedNode& r : failed)
    texts.push_back(r.node + ": " + r.message + (r.unresolvable ? " for good" : ""));
  return texts;
}

TEST(Filter, SendsNamesIfNodeCacheCapable) {
  const FakeServer server(R"({"NodeNames":["node1"]})");
  const auto filtered = MakeOne(server.url())->Filter(kPod, kTwoNodes);
  ASSERT_TRUE(filtered) << filtered.error().message;
  EXPECT_THAT(filtered->passed, ElementsAre(0));
  EXPECT_THAT(filtered->failed, IsEmpty());
  const http::SeenRequest request = server.only();
  EXPECT_EQ(request.line(), "POST /filter HTTP/1.1");
  EXPECT_EQ(request.header("Content-Type"), "application/json");
  EXPECT_EQ(request.body, R"({"Pod":{"metadata":{"name":"p","namespace":"ns","uid":"u"}},"Nodes":null,)"
                          R"("NodeNames":["node1","node2"]})");
}

TEST(Filter, SendsWholeNodesByDefault) {
  const FakeServer server(R"({"Nodes":{"items":[{"metadata":{"name":"node2"}}]}})");
  const auto filtered = MakeOne(server.url(), WithManifests)->Filter(kPod, kTwoNodes);
  ASSERT_TRUE(filtered) << filtered.error().message;
  EXPECT_THAT(filtered->passed, ElementsAre(1));
  EXPECT_EQ(server.only().body,
            R"({"Pod":{"metadata":{"name":"p","namespace":"ns","uid":"u"}},"Nodes":{"metadata":{},"items":[)"
            R"({"metadata":{"name":"node1"},"spec":{}},{"metadata":{"name":"node2"}}]},"NodeNames":null})");
}

TEST(Filter, NamesANodeWithoutManifest) {
  const FakeServer server("{}");
  const std::vector<framework::ExtenderNode> nodes{{"a\"b", ""}};
  ASSERT_TRUE(MakeOne(server.url(), WithManifests)->Filter("", nodes));
  EXPECT_EQ(server.only().body,
            R"({"Pod":null,"Nodes":{"metadata":{},"items":[{"metadata":{"name":"a\"b"}}]},"NodeNames":null})");
}

TEST(Filter, IgnoresTrailingSlashesOfThePrefix) {
  const FakeServer server("{}");
  ASSERT_TRUE(MakeOne(server.url() + "/scheduler//")->Filter(kPod, kTwoNodes));
  EXPECT_EQ(server.only().line(), "POST /scheduler/filter HTTP/1.1");
}

TEST(Filter, KeepsTheOrderOfTheReplyAndEachNodeOnce) {
  const auto filtered = Filter(R"({"nodenames":["node2","node1","node2"]})");
  ASSERT_TRUE(filtered) << filtered.error().message;
  EXPECT_THAT(filtered->passed, ElementsAre(1, 0));
}

TEST(Filter, WithoutAVerbEveryNodePassesAndNoRequestIsSent) {
  const FakeServer server("{}", 500);
  const auto filtered = MakeOne(server.url(), [](auto& c) { c.filter_verb = ""; })->Filter(kPod, kTwoNodes);
  ASSERT_TRUE(filtered) << filtered.error().message;
  EXPECT_THAT(filtered->passed, ElementsAre(0, 1));
  EXPECT_THAT(server.seen(), IsEmpty());
}

TEST(Filter, FailedNodesHaveMessages) {
  const auto filtered = Filter(R"({"NodeNames":[],"FailedNodes":{"node1":"no room","both":"soft","elsewhere":null},)"
                               R"("FailedAndUnresolvableNodes":{"node2":"never","both":"hard"}})");
  ASSERT_TRUE(filtered) << filtered.error().message;
  EXPECT_THAT(filtered->passed, IsEmpty());
  EXPECT_THAT(Texts(filtered->failed),
              ElementsAre("elsewhere: ", "node1: no room", "both: hard for good", "node2: never for good"));
}

TEST(Filter, ReturnsTheErrorOfTheReply) {
  EXPECT_EQ(ErrorOf(R"({"NodeNames":["node1"],"Error":"license expired"})"), "license expired");
}

TEST(Filter, UnknownNodesAreAnError) {
  const FakeServer server(R"({"NodeNames":["node1","node9"]})");
  const auto filtered = MakeOne(server.url())->Filter(kPod, kTwoNodes);
  ASSERT_FALSE(filtered);
  EXPECT_EQ(filtered.error().message, "extender \"" + server.url() +
                                          "\" claims a filtered node \"node9\" which is not found in the input node "
                                          "list");
  EXPECT_NE(ErrorOf(R"({"Nodes":{"items":[{"metadata":{"name":"node9"}}]}})", WithManifests), "passed");
}

// The list with the nodes that pass: NodeNames only if names were sent, Nodes always.
TEST(Filter, ReadsNodesOrNodeNames) {
  const struct {
    const char* name;
    bool names_sent;
    const char* answer;
    std::vector<uint32_t> passed;
  } cases[] = {
      {.name = "names before nodes",
       .names_sent = true,
       .answer = R"({"NodeNames":["node1"],"Nodes":{"items":[{"metadata":{"name":"node2"}}]}})",
       .passed = {0}},
      {.name = "nodes of who was sent names",
       .names_sent = true,
       .answer = R"({"Nodes":{"items":[{"metadata":{"name":"node2"}}]}})",
       .passed = {1}},
      {.name = "null names",
       .names_sent = true,
       .answer = R"({"NodeNames":null,"Nodes":{"items":[{"metadata":{"name":"node2"}}]}})",
       .passed = {1}},
      {.name = "empty names are names",
       .names_sent = true,
       .answer = R"({"NodeNames":[],"Nodes":{"items":[{"metadata":{"name":"node2"}}]}})"},
      {.name = "names of who was sent nodes", .names_sent = false, .answer = R"({"NodeNames":["node1"]})"},
      {.name = "neither", .names_sent = true, .answer = "{}"},
      {.name = "null", .names_sent = true, .answer = "null"},
      {.name = "null nodes", .names_sent = false, .answer = R"({"Nodes":null})"},
      {.name = "null items", .names_sent = false, .answer = R"({"Nodes":{"items":null}})"},
  };
  for (const auto& c : cases) {
    const auto filtered = Filter(c.answer, [&](auto& config) { config.node_cache_capable = c.names_sent; });
    ASSERT_TRUE(filtered) << c.name << ": " << filtered.error().message;
    EXPECT_EQ(filtered->passed, c.passed) << c.name;
  }
}

// A few at most: the reply can arrive before its connection is free again.
TEST(Filter, ReusesConnections) {
  const FakeServer server(R"({"NodeNames":["node1"]})");
  const auto extender = MakeOne(server.url());
  for (int i = 0; i < 40; ++i) ASSERT_TRUE(extender->Filter(kPod, kTwoNodes));
  EXPECT_LT(server.connections(), 10);
}

TEST(Filter, CanBeCalledByManyThreads) {
  const FakeServer server(R"({"NodeNames":["node2"]})");
  const auto extender = MakeOne(server.url());
  std::atomic<int> passed = 0;
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 8; ++i) {
      threads.emplace_back([&] {
        for (int j = 0; j < 20; ++j) {
          const auto filtered = extender->Filter(kPod, kTwoNodes);
          if (filtered && filtered->passed == std::vector<uint32_t>{1}) ++passed;
        }
      });
    }
  }
  EXPECT_EQ(passed, 160);
}

}  // namespace
}  // namespace berth::extender

// Requests of an instance to other servers than the API server, and documents that the host parses for it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "berth/http.hpp"
#include "ports.h"

namespace berth::plugin {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

struct HttpService : testing::Test, World {
  ~HttpService() override { instance.reset(); }
  void Get() {
    sdk::Http(host()).Get(
        {.url = "https://h:9090/q?a=b",
         .authorization = "Bearer t",
         .insecure = true,
         .timeout = std::chrono::seconds(10)},
        [this](const sdk::ApiReply& reply) {
          told.push_back(std::to_string(reply.code) + " " + std::string(reply.body) + "|" + std::string(reply.message));
        });
  }
  std::vector<std::string> told;
};

TEST_F(HttpService, PassesRequestAndReply) {
  Get();
  ASSERT_EQ(http.requests.size(), 1u);
  EXPECT_EQ(http.requests[0].url, "https://h:9090/q?a=b");
  EXPECT_EQ(http.requests[0].authorization, "Bearer t");
  EXPECT_TRUE(http.requests[0].insecure);
  EXPECT_EQ(http.requests[0].timeout_ns, 10'000'000'000);
  EXPECT_THAT(told, IsEmpty());
  http.waiting[0]({.code = 200, .body = "{}"});
  EXPECT_THAT(told, ElementsAre("200 {}|"));
}

TEST_F(HttpService, OpenRequestsGetAReplyWhenTheInstanceEnds) {
  Get();
  instance.reset();
  EXPECT_THAT(told, ElementsAre("0 the plugin's instance has ended|the plugin's instance has ended"));
  http.waiting[0]({.code = 200, .body = "{}"});
  EXPECT_EQ(told.size(), 1u);
}

TEST_F(HttpService, AHostWithoutNetworkRepliesWithAnError) {
  RestartWith({.tasks = &tasks});
  Get();
  EXPECT_THAT(told, IsEmpty());
  tasks.RunAll();
  const std::string why = "this host sends requests of plugins to the API server only";
  EXPECT_THAT(told, ElementsAre("0 " + why + "|" + why));
}

TEST_F(HttpService, ParsesDocuments) {
  int64_t seen = 0;
  EXPECT_TRUE(
      sdk::ReadJson(host(), R"({"a":[1,2]})", [&](sdk::Value document) { seen = document.Get("a")[1].AsInt(); }));
  EXPECT_EQ(seen, 2);
  EXPECT_FALSE(sdk::ReadJson(host(), "{", [&](sdk::Value) { seen = 3; }));
  EXPECT_FALSE(sdk::ReadJson(host(), "", [&](sdk::Value) { seen = 3; }));
  EXPECT_EQ(seen, 2);
  EXPECT_THROW(sdk::ReadJson(host(), "{}", [](sdk::Value) { throw std::runtime_error("no"); }), std::runtime_error);
}

}  // namespace
}  // namespace berth::plugin

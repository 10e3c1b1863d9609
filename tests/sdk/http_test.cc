// Requests to servers other than the API server, and documents, through the fake host.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "berth/http.hpp"
#include "berth/testing/fake_host.hpp"

namespace berth::sdk {
namespace {

using ::testing::ElementsAre;
using testing::FakeReply;
using ::testing::SizeIs;

struct HttpLayer : ::testing::Test {
  HttpLayer() : host(fake.raw()) { host.Connect(); }
  testing::FakeHost fake;
  Host host;
};

TEST_F(HttpLayer, GetsWhatTheServerAnswers) {
  const Http http(host);
  std::vector<std::string> told;
  http.Get({.url = "http://h/x", .authorization = "Bearer t", .insecure = true, .timeout = std::chrono::seconds(5)},
           [&](const ApiReply& reply) { told.push_back(std::to_string(reply.code) + std::string(reply.body)); });
  const auto requests = fake.api().requests();
  ASSERT_THAT(requests, SizeIs(1));
  EXPECT_EQ(requests[0].Line(), "GET http://h/x");
  EXPECT_EQ(requests[0].authorization, "Bearer t");
  EXPECT_TRUE(requests[0].insecure);
  EXPECT_EQ(requests[0].timeout_ns, 5'000'000'000);
  fake.api().Answer(0, {200, "{}"});
  EXPECT_THAT(told, ElementsAre("200{}"));
}

TEST_F(HttpLayer, ATimeoutMustBePositive) {
  Http(host).Get({.url = "http://h", .timeout = {}}, [](const ApiReply&) {});
  fake.api().End();
  EXPECT_THAT(fake.checker().Violations(), SizeIs(1));
}

TEST_F(HttpLayer, AHostWithoutTheServicesThrows) {
  fake.Without(BERTH_SERVICE_HTTP).Without(BERTH_SERVICE_JSON);
  Host older(fake.raw());
  older.Connect();
  EXPECT_THROW(Http(older).Get({.url = "http://h"}, [](const ApiReply&) {}), MissingService);
  EXPECT_THROW(ReadJson(older, "{}", [](Value) {}), MissingService);
}

TEST_F(HttpLayer, ReadsDocuments) {
  int64_t seen = 0;
  EXPECT_TRUE(ReadJson(host, R"({"a":7})", [&](Value document) { seen = document.Get("a").AsInt(); }));
  EXPECT_FALSE(ReadJson(host, "{", [&](Value) { seen = 0; }));
  EXPECT_EQ(seen, 7);
  EXPECT_THROW(ReadJson(host, "1", [](Value) { throw std::runtime_error("no"); }), std::runtime_error);
}

}  // namespace
}  // namespace berth::sdk

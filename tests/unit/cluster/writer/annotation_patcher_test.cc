#include "cluster/writer/annotation_patcher.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fake_transport.h"

namespace berth::writer {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

struct AnnotationPatcherTest : testing::Test {
  api::InternTables intern;
  http::FakeTransport server;
  base::RealClock clock;
  requests::RequestQueue queue{server, clock, {-1, 1, 8}};
  bool may_write = true;
  AnnotationPatcher patcher{queue, [this] { return may_write; }};

  void TearDown() override {
    server.Close();
    queue.Stop();
  }
  void Patch(const std::string& name, std::optional<std::string> value) {
    auto pod =
        api::DecodePod(intern, R"({"metadata":{"namespace":"ns","name":")" + name + R"(","uid":"u-)" + name + "\"}}");
    ASSERT_TRUE(pod) << pod.error().message;
    patcher.Patch(*pod, [value] { return engine::Annotations{{"k", value}}; });
  }
  std::vector<std::string> Bodies() const {
    std::vector<std::string> bodies;
    for (const http::Request& request : server.requests()) bodies.push_back(request.body);
    return bodies;
  }
};

TEST_F(AnnotationPatcherTest, SendsAMergePatchWithThePodsUid) {
  Patch("p", "a \"text\"");
  Patch("p", std::nullopt);
  EXPECT_THAT(server.Lines(), ElementsAre("PATCH /api/v1/namespaces/ns/pods/p", "PATCH /api/v1/namespaces/ns/pods/p"));
  EXPECT_EQ(server.requests()[0].content_type, "application/merge-patch+json");
  EXPECT_THAT(Bodies(), ElementsAre(R"({"metadata":{"uid":"u-p","annotations":{"k":"a \"text\""}}})",
                                    R"({"metadata":{"uid":"u-p","annotations":{"k":null}}})"));
}

TEST_F(AnnotationPatcherTest, OnePatchIsOpenAndTheNewestTextIsSent) {
  server.hold = true;
  Patch("p", "1");
  Patch("q", "1");
  Patch("q", "2");
  EXPECT_THAT(server.requests(), SizeIs(1));
  server.Release();
  EXPECT_THAT(Bodies(), ElementsAre(R"({"metadata":{"uid":"u-p","annotations":{"k":"1"}}})",
                                    R"({"metadata":{"uid":"u-q","annotations":{"k":"2"}}})"));
}

TEST_F(AnnotationPatcherTest, AFailureIsNotRepeatedAndDoesNotStopTheNext) {
  for (const int status : {0, 403, 404, 409, 429, 500}) {
    server.answer = [status](const http::Request&) { return http::ReplyOf(status); };
    Patch("p", "1");
  }
  EXPECT_THAT(server.requests(), SizeIs(6));
}

TEST_F(AnnotationPatcherTest, AFloodIsDropped) {
  server.hold = true;
  for (size_t i = 0; i < 2 * AnnotationPatcher::kMostWaiting; ++i) Patch("p" + std::to_string(i), "1");
  while (server.Release()) {
  }
  EXPECT_THAT(server.requests(), SizeIs(AnnotationPatcher::kMostWaiting + 1));
}

TEST_F(AnnotationPatcherTest, WithoutTheLeaseNothingIsSent) {
  may_write = false;
  Patch("p", "1");
  EXPECT_THAT(server.requests(), IsEmpty());
  may_write = true;
  Patch("q", "1");
  EXPECT_THAT(server.Lines(), ElementsAre("PATCH /api/v1/namespaces/ns/pods/q"));
}

TEST_F(AnnotationPatcherTest, NothingIsSentAfterClose) {
  server.hold = true;
  Patch("p", "1");
  Patch("q", "1");
  patcher.Close();
  Patch("r", "1");
  server.Release();
  EXPECT_THAT(server.requests(), SizeIs(1));
}

TEST_F(AnnotationPatcherTest, AQueueThatEndedTakesNothing) {
  queue.Stop();
  Patch("p", "1");
  Patch("q", "1");
  EXPECT_THAT(server.requests(), IsEmpty());
}

}  // namespace
}  // namespace berth::writer

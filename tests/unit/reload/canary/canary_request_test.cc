#include "reload/canary/canary_request.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace berth::canary {
namespace {

using testing::ElementsAre;

TEST(Request, ArrivesAsItWasAsked) {
  Request question;
  question.sources = config::Parse({{"/etc/a.yaml", "kind: \"X\"\n# \xC3\xA4 \t\n"}, {"b", "a: 1\n---\n[2]\n"}});
  question.plugin_directories = {"/plugins", "relative"};
  question.feature_gates = "A=true,B=false";
  question.staging_directory = "/state/plugins";
  question.hidden = {"/run/secrets", "/etc/kubeconfig"};
  question.parent = 4711;
  question.sample.nodes = {json::Value::MakeObject({{"kind", "Node"}})};
  question.sample.pods = {json::Value::MakeObject({{"kind", "Pod"}}), json::Value::MakeObject()};
  const auto heard = RequestOf(ToJson(question));
  ASSERT_TRUE(heard) << heard.error().message;
  ASSERT_EQ(heard->sources.size(), 2u);
  EXPECT_EQ(heard->sources[0].name, "/etc/a.yaml");
  EXPECT_EQ(heard->sources[0].documents.at(0).root, question.sources[0].documents.at(0).root);
  EXPECT_EQ(heard->sources[1].name, "b");
  EXPECT_EQ(heard->sources[1].documents.size(), 2u);
  EXPECT_THAT(heard->plugin_directories, ElementsAre("/plugins", "relative"));
  EXPECT_EQ(heard->feature_gates, "A=true,B=false");
  EXPECT_EQ(heard->staging_directory, "/state/plugins");
  EXPECT_THAT(heard->hidden, ElementsAre("/run/secrets", "/etc/kubeconfig"));
  EXPECT_EQ(heard->parent, 4711);
  EXPECT_EQ(heard->sample.nodes, question.sample.nodes);
  EXPECT_EQ(heard->sample.pods, question.sample.pods);
}

TEST(Request, AnythingElseIsNone) {
  EXPECT_FALSE(RequestOf(""));
  EXPECT_FALSE(RequestOf("[]"));
  EXPECT_FALSE(RequestOf(R"({"pods":[]})"));
}

}  // namespace
}  // namespace berth::canary

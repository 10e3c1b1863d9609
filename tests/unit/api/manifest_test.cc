// The manifests that are kept for HTTP extenders, and the text they get for a pod that has changed since.
#include "api/manifest.h"

#include <gtest/gtest.h>

#include "api/node.h"
#include "api/pod.h"
#include "codec/json/value.h"

namespace berth::api {
namespace {

const char* const kPod =
    R"({"metadata":{"managedFields":[{"a":["]"]}],"name":"p","namespace":"ns","uid":"u"},"spec":{"containers":[]},)"
    R"("status":{"conditions":[{"type":"Ready","status":"True"},{"type":"PodScheduled","status":"Unknown"}]}})";

class ManifestTest : public testing::Test {
 protected:
  PodRef Decode(std::string_view json, KeepManifest keep) {
    auto pod = DecodePod(intern_, json, keep);
    EXPECT_TRUE(pod) << pod.error().message;
    return *pod;
  }
  json::Value Shown(const Pod& pod) {
    auto value = json::Parse(CurrentManifest(intern_, pod));
    EXPECT_TRUE(value);
    return *value;
  }
  std::string TextAt(const json::Value& value, std::string_view path) {
    const json::Value* found = value.FindPath(path);
    return found == nullptr ? "(none)" : found->string();
  }
  InternTables intern_;
};

TEST_F(ManifestTest, KeepsNothingByDefault) {
  EXPECT_FALSE(Decode(kPod, KeepManifest::kNo)->manifest);
  auto node = DecodeNode(intern_, R"({"metadata":{"name":"n"}})");
  EXPECT_FALSE((*node)->manifest);
}

TEST_F(ManifestTest, KeepsOnlyPodsWithoutANodeIfRequested) {
  EXPECT_TRUE(Decode(kPod, KeepManifest::kOfUnbound)->manifest);
  const char* bound = R"({"metadata":{"name":"p"},"spec":{"nodeName":"n"}})";
  EXPECT_FALSE(Decode(bound, KeepManifest::kOfUnbound)->manifest);
  EXPECT_EQ(Decode(bound, KeepManifest::kYes)->manifest->text, bound);
}

TEST_F(ManifestTest, DropsManagedFields) {
  EXPECT_EQ(ManifestOf(R"({"metadata":{"managedFields":[{"a":["]"]}],"name":"n"}})")->text,
            R"({"metadata":{"managedFields":[],"name":"n"}})");
  EXPECT_EQ(ManifestOf(R"({"metadata":{"managedFields":null}})")->text, R"({"metadata":{"managedFields":null}})");
  EXPECT_EQ(ManifestOf(R"({"spec":{"managedFields":[1]}})")->text, R"({"spec":{"managedFields":[1]}})");
}

TEST_F(ManifestTest, ACopyShowsLaterChanges) {
  const PodRef pod = Decode(kPod, KeepManifest::kYes);
  EXPECT_EQ(CurrentManifest(intern_, *pod), pod->manifest->text);
  const PodRef moved = WithNominatedNode(intern_, *WithNodeName(intern_, *pod, "n1"), "n2");
  const json::Value shown = Shown(*moved);
  EXPECT_EQ(TextAt(shown, "spec.nodeName"), "n1");
  EXPECT_EQ(TextAt(shown, "status.nominatedNodeName"), "n2");
  EXPECT_EQ(shown.FindPath("status.conditions")->array().at(1).Find("status")->string(), "Unknown");
  EXPECT_EQ(TextAt(Shown(*WithNodeName(intern_, *moved, "")), "spec.nodeName"), "(none)");
}

TEST_F(ManifestTest, ACopyShowsItsCondition) {
  const PodRef pod = Decode(kPod, KeepManifest::kYes);
  Ref<Pod> copy(new Pod(intern_));
  copy->CopyFrom(*pod);
  copy->SetScheduledCondition(
      {.status = "False", .reason = "Unschedulable", .message = "no", .observed_generation = 3});
  const json::Value shown = Shown(*copy);
  const json::Array& conditions = shown.FindPath("status.conditions")->array();
  ASSERT_EQ(conditions.size(), 2u);
  EXPECT_EQ(conditions[1].Find("message")->string(), "no");
  EXPECT_EQ(conditions[0].Find("type")->string(), "Ready");
}

TEST_F(ManifestTest, APodOfWhichNothingWasKeptIsNamed) {
  const json::Value shown = Shown(*Decode(kPod, KeepManifest::kNo));
  EXPECT_EQ(TextAt(shown, "metadata.name"), "p");
  EXPECT_EQ(TextAt(shown, "metadata.namespace"), "ns");
  EXPECT_EQ(TextAt(shown, "metadata.uid"), "u");
}

}  // namespace
}  // namespace berth::api

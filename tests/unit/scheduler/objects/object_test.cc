#include "scheduler/objects/object.h"

#include <gtest/gtest.h>

#include "scheduler/objects/merge_patch.h"

namespace berth::objects {
namespace {

TEST(Object, ShowsItsMetadata) {
  api::InternTables intern;
  const auto object = ParseObject(intern, R"({"metadata": {"name": "claim", "namespace": "ns", "uid": "u",
      "resourceVersion": "7", "labels": {"b": "2", "a": "1"}}, "spec": {"x": 1}})");
  ASSERT_TRUE(object) << object.error().message;
  EXPECT_EQ((*object)->key(), "ns/claim");
  EXPECT_EQ((*object)->uid(), "u");
  EXPECT_EQ((*object)->resource_version(), "7");
  const berth_list& labels = (*object)->abi.labels->items;
  ASSERT_EQ(labels.n, 2u);
  EXPECT_EQ(intern.ids.Text(BERTH_AT(labels, berth_kv, 0)->key), "a");
  EXPECT_EQ(intern.ids.Text(BERTH_AT(labels, berth_kv, 1)->value), "2");
  EXPECT_EQ((*object)->value.FindPath("spec.x")->integer(), 1);
}

TEST(Object, WithoutANamespaceItsKeyIsItsName) {
  api::InternTables intern;
  EXPECT_EQ((*ParseObject(intern, R"({"metadata": {"name": "fast"}})"))->key(), "fast");
}

TEST(Object, UnneededFieldsAreDropped) {
  api::InternTables intern;
  const std::string text = R"({"metadata": {"name": "a", "managedFields": [{}], "annotations":
      {"kubectl.kubernetes.io/last-applied-configuration": "{}", "kept": "yes"}},
      "spec": {"selector": {}, "template": {"spec": {}}}})";
  const auto whole = *ParseObject(intern, text);
  EXPECT_EQ(whole->value.FindPath("metadata.managedFields"), nullptr);
  EXPECT_EQ(whole->value.FindPath("metadata.annotations")->object().size(), 1u);
  EXPECT_NE(whole->value.FindPath("spec.template"), nullptr);
  const auto bare = *ParseObject(intern, text, false);
  EXPECT_EQ(bare->value.FindPath("spec.template"), nullptr);
  EXPECT_NE(bare->value.FindPath("spec.selector"), nullptr);
}

TEST(Object, WithoutANameItIsInvalid) {
  api::InternTables intern;
  EXPECT_EQ(ParseObject(intern, "{}").error().message, "metadata: Required value");
  EXPECT_EQ(ParseObject(intern, R"({"metadata": {}})").error().message, "metadata.name: Required value");
  EXPECT_FALSE(ParseObject(intern, "{"));
}

// The examples of RFC 7396, appendix A.
TEST(MergePatch, DoesWhatTheRfcSays) {
  const char* const examples[][3] = {
      {R"({"a":"b"})", R"({"a":"c"})", R"({"a":"c"})"},
      {R"({"a":"b"})", R"({"b":"c"})", R"({"a":"b","b":"c"})"},
      {R"({"a":"b"})", R"({"a":null})", R"({})"},
      {R"({"a":"b","b":"c"})", R"({"a":null})", R"({"b":"c"})"},
      {R"({"a":["b"]})", R"({"a":"c"})", R"({"a":"c"})"},
      {R"({"a":"c"})", R"({"a":["b"]})", R"({"a":["b"]})"},
      {R"({"a":{"b":"c"}})", R"({"a":{"b":"d","c":null}})", R"({"a":{"b":"d"}})"},
      {R"({"a":[{"b":"c"}]})", R"({"a":[1]})", R"({"a":[1]})"},
      {R"(["a","b"])", R"(["c","d"])", R"(["c","d"])"},
      {R"({"a":"b"})", R"(["c"])", R"(["c"])"},
      {R"({"a":"foo"})", R"(null)", R"(null)"},
      {R"({"e":null})", R"({"a":1})", R"({"e":null,"a":1})"},
      {R"([1,2])", R"({"a":"b","c":null})", R"({"a":"b"})"},
      {R"({})", R"({"a":{"bb":{"ccc":null}}})", R"({"a":{"bb":{}}})"},
  };
  for (const auto& [target, patch, result] : examples) {
    json::Value value = *json::Parse(target);
    MergePatch(value, *json::Parse(patch));
    EXPECT_EQ(json::Dump(value), json::Dump(*json::Parse(result))) << target << " + " << patch;
  }
}

}  // namespace
}  // namespace berth::objects

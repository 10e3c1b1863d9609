#include "simulator/simulation/patch.h"

#include <gtest/gtest.h>

namespace berth::simulation {
namespace {

json::Value Parse(std::string_view text) {
  auto value = json::Parse(text);
  EXPECT_TRUE(value) << text;
  return *value;
}

struct Case {
  const char* name;
  std::string object, patch, after;
};
class StrategicMergeOf : public testing::TestWithParam<Case> {};

TEST_P(StrategicMergeOf, Merges) {
  json::Value object = Parse(GetParam().object);
  StrategicMerge(object, Parse(GetParam().patch));
  EXPECT_EQ(json::Dump(object), GetParam().after);
}

// The rules of k8s.io/apimachinery/pkg/util/strategicpatch for lists with and without a merge key.
INSTANTIATE_TEST_SUITE_P(
    Every, StrategicMergeOf,
    testing::Values(
        Case{"Fields", R"({"a":{"b":1,"c":2}})", R"({"a":{"b":null,"d":3}})", R"({"a":{"c":2,"d":3}})"},
        Case{
            "ConditionsByType", R"({"conditions":[{"type":"A","status":"True"},{"type":"B","status":"True"}]})",
            R"({"conditions":[{"type":"B","status":"False"},{"type":"C","status":"True"}]})",
            R"({"conditions":[{"type":"A","status":"True"},{"type":"B","status":"False"},{"type":"C","status":"True"}]})"},
        Case{"ElementTakenAway", R"({"conditions":[{"type":"A"},{"type":"B"}]})",
             R"({"conditions":[{"$patch":"delete","type":"A"}]})", R"({"conditions":[{"type":"B"}]})"},
        Case{"ListReplaced", R"({"conditions":[{"type":"A"}]})",
             R"({"conditions":[{"type":"B"},{"$patch":"replace"}]})", R"({"conditions":[{"type":"B"}]})"},
        Case{"AtomicList", R"({"accessModes":["a","b"]})", R"({"accessModes":["c"]})", R"({"accessModes":["c"]})"},
        Case{"Finalizers", R"({"finalizers":["a","b"]})",
             R"({"$deleteFromPrimitiveList/finalizers":["a"],"finalizers":["b","c"]})", R"({"finalizers":["b","c"]})"},
        Case{"OrderIgnored", R"({"conditions":[{"type":"A"}]})",
             R"({"$setElementOrder/conditions":[{"type":"B"},{"type":"A"}],"conditions":[{"type":"B"}]})",
             R"({"conditions":[{"type":"A"},{"type":"B"}]})"},
        Case{"KeysRetained", R"({"source":{"nfs":1,"csi":2}})", R"({"source":{"$retainKeys":["csi"],"csi":3}})",
             R"({"source":{"csi":3}})"},
        Case{"MapReplaced", R"({"m":{"a":1}})", R"({"m":{"$patch":"replace","b":2}})", R"({"m":{"b":2}})"}),
    [](const testing::TestParamInfo<Case>& info) { return std::string(info.param.name); });

TEST(Patched, GoesByTheType) {
  const json::Value object = Parse(R"({"conditions":[{"type":"A"}]})");
  const std::string body = R"({"conditions":[{"type":"B"}]})";
  EXPECT_EQ(json::Dump(*Patched(object, "application/merge-patch+json", body)), body);
  EXPECT_EQ(json::Dump(*Patched(object, "application/strategic-merge-patch+json", body)),
            R"({"conditions":[{"type":"A"},{"type":"B"}]})");
  EXPECT_FALSE(Patched(object, "application/json-patch+json", "[]"));
  EXPECT_FALSE(Patched(object, "application/yaml", body));
  EXPECT_FALSE(Patched(object, "application/merge-patch+json", "{"));
}

}  // namespace
}  // namespace berth::simulation

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
        Case{.name = "Fields",
             .object = R"({"a":{"b":1,"c":2}})",
             .patch = R"({"a":{"b":null,"d":3}})",
             .after = R"({"a":{"c":2,"d":3}})"},
        Case{
            .name = "ConditionsByType",
            .object = R"({"conditions":[{"type":"A","status":"True"},{"type":"B","status":"True"}]})",
            .patch = R"({"conditions":[{"type":"B","status":"False"},{"type":"C","status":"True"}]})",
            .after =
                R"({"conditions":[{"type":"A","status":"True"},{"type":"B","status":"False"},{"type":"C","status":"True"}]})"},
        Case{.name = "ElementTakenAway",
             .object = R"({"conditions":[{"type":"A"},{"type":"B"}]})",
             .patch = R"({"conditions":[{"$patch":"delete","type":"A"}]})",
             .after = R"({"conditions":[{"type":"B"}]})"},
        Case{.name = "ListReplaced",
             .object = R"({"conditions":[{"type":"A"}]})",
             .patch = R"({"conditions":[{"type":"B"},{"$patch":"replace"}]})",
             .after = R"({"conditions":[{"type":"B"}]})"},
        Case{.name = "AtomicList",
             .object = R"({"accessModes":["a","b"]})",
             .patch = R"({"accessModes":["c"]})",
             .after = R"({"accessModes":["c"]})"},
        Case{.name = "Finalizers",
             .object = R"({"finalizers":["a","b"]})",
             .patch = R"({"$deleteFromPrimitiveList/finalizers":["a"],"finalizers":["b","c"]})",
             .after = R"({"finalizers":["b","c"]})"},
        Case{.name = "OrderIgnored",
             .object = R"({"conditions":[{"type":"A"}]})",
             .patch = R"({"$setElementOrder/conditions":[{"type":"B"},{"type":"A"}],"conditions":[{"type":"B"}]})",
             .after = R"({"conditions":[{"type":"A"},{"type":"B"}]})"},
        Case{.name = "KeysRetained",
             .object = R"({"source":{"nfs":1,"csi":2}})",
             .patch = R"({"source":{"$retainKeys":["csi"],"csi":3}})",
             .after = R"({"source":{"csi":3}})"},
        Case{.name = "MapReplaced",
             .object = R"({"m":{"a":1}})",
             .patch = R"({"m":{"$patch":"replace","b":2}})",
             .after = R"({"m":{"b":2}})"}),
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

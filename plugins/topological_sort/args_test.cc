// TestSchedulerDefaults of apis/config/v1 of kubernetes-sigs/scheduler-plugins, and what decoding refuses.
#include "test_fixture.h"

namespace topological_sort_test {
namespace {

ArgsOutcome Completed(const FakeValue& args) {
  return PluginUnderTest(berth_entry_v1, "TopologicalSort").Complete(args);
}

TEST(TopologicalSortArgs, HaveUpstreamsDefaults) {
  EXPECT_EQ(Completed(FakeValue::Object()).json, R"({"namespaces":["default"]})");
  EXPECT_EQ(Completed(FakeValue::Object({{"namespaces", FakeValue::Array({"n1"})}})).json, R"({"namespaces":["n1"]})");
}

TEST(TopologicalSortArgs, TakeAnEmptyListForNone) {
  EXPECT_EQ(Completed(FakeValue::Object({{"namespaces", FakeValue::Array()}})).json, R"({"namespaces":["default"]})");
}

TEST(TopologicalSortArgs, MayNameTheirKind) {
  EXPECT_THAT(
      Completed(FakeValue::Object({{"apiVersion", "kubescheduler.config.k8s.io/v1"}, {"kind", "TopologicalSortArgs"}}))
          .Errors(),
      testing::IsEmpty());
}

TEST(TopologicalSortArgs, AreDecodedStrictly) {
  EXPECT_THAT(Completed(FakeValue::Object({{"namespace", "n1"}})).Errors(),
              testing::ElementsAre(testing::HasSubstr("unknown field \"namespace\"")));
  EXPECT_THAT(Completed(FakeValue::Object({{"namespaces", "n1"}})).Errors(),
              testing::ElementsAre(testing::HasSubstr("TopologicalSortArgs.namespaces of type []string")));
}

}  // namespace
}  // namespace topological_sort_test

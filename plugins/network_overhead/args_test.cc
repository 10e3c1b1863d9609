// TestSchedulerDefaults of apis/config/v1 of kubernetes-sigs/scheduler-plugins, and what decoding refuses.
#include "test_fixture.h"

namespace network_overhead_test {
namespace {

ArgsOutcome Completed(const FakeValue& args) {
  return PluginUnderTest(berth_entry_v1, "NetworkOverhead").Complete(args);
}

TEST(NetworkOverheadArgs, HaveUpstreamsDefaults) {
  EXPECT_EQ(Completed(FakeValue::Object()).json,
            R"({"namespaces":["default"],"weightsName":"UserDefined","networkTopologyName":"nt-default"})");
  EXPECT_EQ(Completed(FakeValue::Object({{"namespaces", FakeValue::Array({"n2"})},
                                         {"weightsName", "latency"},
                                         {"networkTopologyName", "nt-latency-costs"}}))
                .json,
            R"({"namespaces":["n2"],"weightsName":"latency","networkTopologyName":"nt-latency-costs"})");
}

TEST(NetworkOverheadArgs, MayNameTheirKind) {
  EXPECT_THAT(
      Completed(FakeValue::Object({{"apiVersion", "kubescheduler.config.k8s.io/v1"}, {"kind", "NetworkOverheadArgs"}}))
          .Errors(),
      testing::IsEmpty());
}

TEST(NetworkOverheadArgs, AreDecodedStrictly) {
  EXPECT_THAT(Completed(FakeValue::Object({{"weightName", "latency"}})).Errors(),
              testing::ElementsAre(testing::HasSubstr("unknown field \"weightName\"")));
  EXPECT_THAT(Completed(FakeValue::Object({{"weightsName", 7}})).Errors(),
              testing::ElementsAre(testing::HasSubstr("NetworkOverheadArgs.weightsName of type string")));
}

}  // namespace
}  // namespace network_overhead_test

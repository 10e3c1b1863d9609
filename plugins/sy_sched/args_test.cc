// TestSchedulerDefaults of apis/config/v1 of kubernetes-sigs/scheduler-plugins, and what decoding refuses.
#include "test_fixture.h"

namespace sy_sched_test {
namespace {

ArgsOutcome Completed(const FakeValue& args) { return PluginUnderTest(berth_entry_v1, "SySched").Complete(args); }

TEST(SySchedArgs, HaveUpstreamsDefaults) {
  const std::string defaults = R"({"defaultProfileNamespace":"default","defaultProfileName":"all-syscalls"})";
  EXPECT_EQ(Completed(FakeValue::Object()).json, defaults);
  EXPECT_EQ(
      Completed(FakeValue::Object({{"defaultProfileNamespace", "default"}, {"defaultProfileName", "all-syscalls"}}))
          .json,
      defaults);
}

TEST(SySchedArgs, MayBeOthers) {  // TestGetArgs, TestNew
  const FakeValue args =
      FakeValue::Object({{"defaultProfileNamespace", "spo"}, {"defaultProfileName", "x-seccomp.json"}});
  EXPECT_EQ(Completed(args).json, R"({"defaultProfileNamespace":"spo","defaultProfileName":"x-seccomp.json"})");
}

TEST(SySchedArgs, AreDecodedStrictly) {
  EXPECT_THAT(Completed(FakeValue::Object({{"defaultProfile", "x"}})).Errors(),
              testing::ElementsAre(testing::HasSubstr("unknown field \"defaultProfile\"")));
  EXPECT_THAT(Completed(FakeValue::Object({{"defaultProfileName", 7}})).Errors(),
              testing::ElementsAre(testing::HasSubstr("SySchedArgs.defaultProfileName of type string")));
}

}  // namespace
}  // namespace sy_sched_test

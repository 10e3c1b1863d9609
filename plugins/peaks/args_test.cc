// PeaksArgs.
#include "../trimaran_common/testing_args.h"

namespace peaks_test {
namespace {

using namespace trimaran_test;  // NOLINT

class PeaksDefaults : public testing::TestWithParam<ArgsCase> {};
TEST_P(PeaksDefaults, Complete) { ExpectCompleted("Peaks", GetParam()); }

INSTANTIATE_TEST_SUITE_P(
    , PeaksDefaults,
    testing::Values(
        ArgsCase{.name = "Given",
                 .given = R"({"WatcherAddress":"http://w","NodePowerModel":{"a":{"k0":1,"k1":-2.5,"k2":0}}})",
                 .want = R"({"WatcherAddress":"http://w","NodePowerModel":{"a":{"k0":1,"k1":-2.5,"k2":0}}})"},
        ArgsCase{.name = "SmallInitials",
                 .given = R"({"watcherAddress":"http://w","nodePowerModel":{"a":{"k1":3}}})",
                 .want = R"({"WatcherAddress":"http://w","NodePowerModel":{"a":{"k0":0,"k1":3,"k2":0}}})"},
        ArgsCase{.name = "WithoutModels",
                 .given = R"({"WatcherAddress":"http://w"})",
                 .want = R"({"WatcherAddress":"http://w","NodePowerModel":{}})"}),
    [](const auto& info) { return std::string(info.param.name); });

class PeaksCheck : public testing::TestWithParam<ArgsCase> {};
TEST_P(PeaksCheck, Check) { ExpectChecked("Peaks", GetParam()); }

INSTANTIATE_TEST_SUITE_P(
    , PeaksCheck,
    testing::Values(
        ArgsCase{.name = "Given", .given = R"({"WatcherAddress":"http://w"})", .want = ""},
        ArgsCase{.name = "NoWatcher", .given = "{}", .want = "WatcherAddress: Required value: the URL of load-watcher"},
        ArgsCase{.name = "NoScheme",
                 .given = R"({"WatcherAddress":"w:2020"})",
                 .want = R"(WatcherAddress: Invalid value: "w:2020": must be a URL with http:// or https://)"}),
    [](const auto& info) { return std::string(info.param.name); });

TEST(PeaksArgs, RefusesFieldsThatAModelDoesNotHave) {
  const auto outcome = PluginUnderTest(berth_entry_v1, "Peaks")
                           .Complete(ParseJson(R"({"WatcherAddress":"http://w","NodePowerModel":{"a":{"k3":1}}})"));
  EXPECT_EQ(outcome.Errors().size(), 1u);
}

}  // namespace
}  // namespace peaks_test

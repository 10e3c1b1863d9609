// Defaults and validation of NodeMetadataArgs.
#include "test_fixture.h"

namespace node_metadata_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const std::string kNoKey = R"(metadataKey: Invalid value: "": metadataKey cannot be empty)";
std::string BadSource(const std::string& given) {
  return "metadataSource: Invalid value: \"" + given + R"(": metadataSource must be either "Label" or "Annotation")";
}
std::string BadType(const std::string& given) {
  return "metadataType: Invalid value: \"" + given + R"(": metadataType must be either "Number" or "Timestamp")";
}
std::string BadStrategy(const std::string& given) {
  return "scoringStrategy: Invalid value: \"" + given +
         R"(": scoringStrategy must be one of "Highest", "Lowest", "Newest", or "Oldest")";
}
std::string OfTimes(const std::string& given) {
  return "scoringStrategy: Invalid value: \"" + given +
         R"(": scoringStrategy "Newest" and "Oldest" are only valid for metadataType "Timestamp")";
}
std::string OfNumbers(const std::string& given) {
  return "scoringStrategy: Invalid value: \"" + given +
         R"(": scoringStrategy "Highest" and "Lowest" are only valid for metadataType "Number")";
}

struct ArgsCase {
  const char* name;
  TestArgs args;
  Texts want;
};

class NodeMetadataArgsTest : public testing::TestWithParam<ArgsCase> {};

TEST_P(NodeMetadataArgsTest, Check) {
  PluginUnderTest plugin(berth_entry_v1, "NodeMetadata");
  EXPECT_EQ(plugin.Check(GetParam().args.Value()).Errors(), GetParam().want);
}

// TestValidateArgs of pkg/nodemetadata/node_metadata_test.go.
INSTANTIATE_TEST_SUITE_P(
    UpstreamPlugin, NodeMetadataArgsTest,
    testing::Values(
        ArgsCase{.name = "ValidNumber", .args = {"priority", "Label", "Number", "Highest"}, .want = {}},
        ArgsCase{.name = "ValidTimestamp", .args = {"ts", "Label", "Timestamp", "Newest", kRfc3339}, .want = {}},
        ArgsCase{.name = "MissingKey", .args = {nullptr, "Label", "Number", "Highest"}, .want = {kNoKey}},
        ArgsCase{
            .name = "InvalidSource", .args = {"key", "Invalid", "Number", "Highest"}, .want = {BadSource("Invalid")}},
        ArgsCase{.name = "InvalidType", .args = {"key", "Label", "Invalid", "Highest"}, .want = {BadType("Invalid")}},
        ArgsCase{.name = "TimestampWithoutFormat", .args = {"ts", "Label", "Timestamp", "Newest"}, .want = {}},
        ArgsCase{.name = "NumberWithStrategyOfTimes",
                 .args = {"priority", "Label", "Number", "Newest"},
                 .want = {OfTimes("Newest")}}),
    [](const auto& info) { return std::string(info.param.name); });

// TestValidateNodeMetadataArgs of apis/config/validation/validation_plugingargs_test.go.
INSTANTIATE_TEST_SUITE_P(
    UpstreamValidation, NodeMetadataArgsTest,
    testing::Values(
        ArgsCase{.name = "LabelNumber", .args = {"priority", "Label", "Number", "Highest"}, .want = {}},
        ArgsCase{
            .name = "AnnotationTimestamp", .args = {"lastUpdate", "Annotation", "Timestamp", "Newest"}, .want = {}},
        ArgsCase{.name = "EmptyKey", .args = {"", "Label", "Number", "Highest"}, .want = {kNoKey}},
        ArgsCase{.name = "InvalidSource",
                 .args = {"priority", "InvalidSource", "Number", "Highest"},
                 .want = {BadSource("InvalidSource")}},
        ArgsCase{.name = "InvalidType",
                 .args = {"priority", "Label", "InvalidType", "Highest"},
                 .want = {BadType("InvalidType")}},
        ArgsCase{.name = "InvalidStrategy",
                 .args = {"priority", "Label", "Number", "InvalidStrategy"},
                 .want = {BadStrategy("InvalidStrategy")}},
        ArgsCase{
            .name = "NumberNewest", .args = {"priority", "Label", "Number", "Newest"}, .want = {OfTimes("Newest")}},
        ArgsCase{.name = "TimestampHighest",
                 .args = {"lastUpdate", "Label", "Timestamp", "Highest"},
                 .want = {OfNumbers("Highest")}},
        ArgsCase{.name = "NumberLowest", .args = {"cost", "Annotation", "Number", "Lowest"}, .want = {}},
        ArgsCase{.name = "TimestampOldest", .args = {"provisionedAt", "Label", "Timestamp", "Oldest"}, .want = {}}),
    [](const auto& info) { return std::string(info.param.name); });

INSTANTIATE_TEST_SUITE_P(
    Own, NodeMetadataArgsTest,
    testing::Values(
        ArgsCase{.name = "NothingGiven", .args = {}, .want = {kNoKey, BadSource(""), BadType(""), BadStrategy("")}},
        ArgsCase{
            .name = "TimestampLowest", .args = {"key", "Label", "Timestamp", "Lowest"}, .want = {OfNumbers("Lowest")}},
        ArgsCase{.name = "CaseMatters", .args = {"key", "label", "Number", "Highest"}, .want = {BadSource("label")}}),
    [](const auto& info) { return std::string(info.param.name); });

// TestNewDefaultsTimestampFormat of pkg/nodemetadata/node_metadata_test.go.
TEST(NodeMetadataArgsDefaults, ATimestampHasTheFormatRfc3339) {
  PluginUnderTest plugin(berth_entry_v1, "NodeMetadata");
  const TestArgs args{"last-update", "Annotation", "Timestamp", "Newest"};
  constexpr auto kWant = R"({"metadataKey":"last-update","metadataSource":"Annotation","metadataType":"Timestamp",)"
                         R"("scoringStrategy":"Newest","timestampFormat":"2006-01-02T15:04:05Z07:00"})";
  EXPECT_EQ(plugin.Complete(args.Value()).json, kWant);
  FakeValue empty = args.Value();
  empty.Set("timestampFormat", "");
  EXPECT_EQ(plugin.Complete(empty).json, kWant);
}

TEST(NodeMetadataArgsDefaults, ANumberHasNoFormat) {
  PluginUnderTest plugin(berth_entry_v1, "NodeMetadata");
  EXPECT_EQ(plugin.Complete(TestArgs{"k", "Label", "Number", "Lowest"}.Value()).json,
            R"({"metadataKey":"k","metadataSource":"Label","metadataType":"Number","scoringStrategy":"Lowest"})");
}

TEST(NodeMetadataArgsDefaults, DecodingIsStrict) {
  PluginUnderTest plugin(berth_entry_v1, "NodeMetadata");
  FakeValue args = TestArgs{"k", "Label", "Number", "Lowest"}.Value();
  args.Set("apiVersion", "kubescheduler.config.k8s.io/v1");
  args.Set("kind", "NodeMetadataArgs");
  EXPECT_THAT(plugin.Complete(args).Errors(), IsEmpty());
  args.Set("metadatakey", "k");
  EXPECT_THAT(plugin.Complete(args).Errors(), ElementsAre(R"(metadatakey: unknown field "metadatakey")"));
  EXPECT_THAT(plugin.Complete(FakeValue::Object({{"metadataType", 1}})).Errors(),
              ElementsAre("metadataType: json: cannot unmarshal number into Go struct field "
                          "NodeMetadataArgs.metadataType of type v1.MetadataValueType"));
}

}  // namespace
}  // namespace node_metadata_test

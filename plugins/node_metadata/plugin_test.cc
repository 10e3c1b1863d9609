// Scores of nodes by their labels and annotations.
#include <limits>

#include "test_fixture.h"

namespace node_metadata_test {
namespace {

constexpr int64_t kInvalid = std::numeric_limits<int64_t>::min();
constexpr TestArgs kHighest{"key", "Label", "Number", "Highest"}, kLowest{"key", "Label", "Number", "Lowest"};
constexpr TestArgs kNewest{"key", "Annotation", "Timestamp", "Newest", kRfc3339};
constexpr TestArgs kOldest{"key", "Annotation", "Timestamp", "Oldest", kRfc3339};
constexpr TestArgs kLowestAnnotation{"key", "Annotation", "Number", "Lowest"};

struct RawCase {
  const char* name;
  TestArgs args;
  std::optional<std::string> value;
  int64_t want;
};

class NodeMetadataRaw : public testing::TestWithParam<RawCase> {};

TEST_P(NodeMetadataRaw, Score) {
  Fixture fixture(GetParam().args, {{"node1", GetParam().value}});
  EXPECT_EQ(fixture.Raw(), (Scores{{"node1", GetParam().want}}));
}

// TestCalculateScore of pkg/nodemetadata/node_metadata_test.go. Upstream wants a negative age of an hour for the time;
// here the raw score is the time itself.
INSTANTIATE_TEST_SUITE_P(
    Upstream, NodeMetadataRaw,
    testing::Values(RawCase{.name = "NumberHighest", .args = kHighest, .value = "100", .want = 100},
                    RawCase{.name = "NumberLowest", .args = kLowest, .value = "50", .want = -50},
                    RawCase{.name = "TimestampNewest",
                            .args = kNewest,
                            .value = kHourAgo,
                            .want = (1'767'225'600 - 3600) * int64_t{1'000'000}},
                    RawCase{.name = "MissingKey", .args = kHighest, .value = std::nullopt, .want = kInvalid},
                    RawCase{.name = "InvalidNumber", .args = kHighest, .value = "not-a-number", .want = kInvalid},
                    RawCase{.name = "InvalidTimestamp", .args = kNewest, .value = "not-a-timestamp", .want = kInvalid}),
    [](const auto& info) { return std::string(info.param.name); });

INSTANTIATE_TEST_SUITE_P(
    Own, NodeMetadataRaw,
    testing::Values(RawCase{.name = "FractionsAreCut", .args = kHighest, .value = "2.9", .want = 2},
                    RawCase{.name = "NegativeFractionsAreCut", .args = kLowest, .value = "-2.9", .want = 2},
                    RawCase{.name = "EmptyValue", .args = kHighest, .value = "", .want = kInvalid},
                    RawCase{.name = "NotFinite", .args = kHighest, .value = "Inf", .want = kInvalid},
                    RawCase{.name = "TooLarge", .args = kLowest, .value = "1e19", .want = kInvalid},
                    RawCase{.name = "AnAnnotation", .args = kLowestAnnotation, .value = "7", .want = -7}),
    [](const auto& info) { return std::string(info.param.name); });

struct Case {
  const char* name;
  TestArgs args;
  Values nodes;
  Scores want;
};

class NodeMetadataScores : public testing::TestWithParam<Case> {};

TEST_P(NodeMetadataScores, Normalized) {
  Fixture fixture(GetParam().args, GetParam().nodes);
  EXPECT_EQ(fixture.Normalized(), GetParam().want);
}

// TestNormalizeScore of pkg/nodemetadata/node_metadata_test.go. Upstream compares the order and the ends; the scores
// between them follow from its formula.
INSTANTIATE_TEST_SUITE_P(
    Upstream, NodeMetadataScores,
    testing::Values(Case{.name = "Highest",
                         .args = kHighest,
                         .nodes = {{"low", "10"}, {"high", "100"}, {"medium", "50"}},
                         .want = {{"low", 1}, {"high", 100}, {"medium", 45}}},
                    Case{.name = "Lowest",
                         .args = kLowest,
                         .nodes = {{"expensive", "100"}, {"cheap", "10"}, {"medium", "50"}},
                         .want = {{"expensive", 1}, {"cheap", 100}, {"medium", 56}}},
                    Case{.name = "Newest",
                         .args = kNewest,
                         .nodes = {{"old", kThreeDaysAgo}, {"newest", kHourAgo}, {"medium", kDayAgo}},
                         .want = {{"old", 1}, {"newest", 100}, {"medium", 67}}},
                    Case{.name = "Oldest",
                         .args = kOldest,
                         .nodes = {{"newest", kHourAgo}, {"oldest", kThreeDaysAgo}, {"medium", kDayAgo}},
                         .want = {{"newest", 1}, {"oldest", 100}, {"medium", 33}}},
                    Case{.name = "OneValidNode",
                         .args = kHighest,
                         .nodes = {{"none1", std::nullopt}, {"valid", "100"}, {"none2", std::nullopt}},
                         .want = {{"none1", 0}, {"valid", 1}, {"none2", 0}}},
                    Case{.name = "AllMissing",
                         .args = kHighest,
                         .nodes = {{"node1", std::nullopt}, {"node2", std::nullopt}},
                         .want = {{"node1", 0}, {"node2", 0}}},
                    Case{.name = "AllEqual",
                         .args = kHighest,
                         .nodes = {{"node1", "50"}, {"node2", "50"}, {"node3", "50"}},
                         .want = {{"node1", 1}, {"node2", 1}, {"node3", 1}}},
                    Case{.name = "Mixed",
                         .args = kLowestAnnotation,
                         .nodes = {{"high", "200"}, {"low", "100"}, {"medium", "150"}, {"missing", std::nullopt}},
                         .want = {{"high", 1}, {"low", 100}, {"medium", 50}, {"missing", 0}}}),
    [](const auto& info) { return std::string(info.param.name); });

INSTANTIATE_TEST_SUITE_P(
    Own, NodeMetadataScores,
    testing::Values(
        Case{.name = "TimesInTheFuture",
             .args = kNewest,
             .nodes = {{"future", "2026-01-02T00:00:00Z"}, {"past", kDayAgo}, {"now", "2026-01-01T00:00:00Z"}},
             .want = {{"future", 100}, {"past", 1}, {"now", 50}}},
        Case{.name = "TimeZones",
             .args = kNewest,
             .nodes = {{"utc", "2025-12-31T22:00:00Z"}, {"east", "2025-12-31T23:00:00+02:00"}, {"old", kDayAgo}},
             .want = {{"utc", 100}, {"east", 95}, {"old", 1}}},
        Case{.name = "DatesInLabels",
             .args = {"key", "Label", "Timestamp", "Oldest", "2006-01-02"},
             .nodes = {{"old", "2024-01-01"}, {"new", "2025-01-01"}, {"wrong", "2025-01-01T00"}},
             .want = {{"old", 100}, {"new", 1}, {"wrong", 0}}},
        // Upstream's product overflows: "high" gets a negative score, and the cycle fails.
        Case{.name = "LargeNumbersDoNotOverflow",
             .args = kHighest,
             .nodes = {{"low", "-9e18"}, {"middle", "0"}, {"high", "9e18"}},
             .want = {{"low", 1}, {"middle", 50}, {"high", 100}}},
        // Go's time.Since ends at 292 years.
        Case{.name = "VeryOldTimesAreEqual",
             .args = kOldest,
             .nodes = {{"year1", "0001-01-01T00:00:00Z"}, {"year1500", "1500-01-01T00:00:00Z"}},
             .want = {{"year1", 1}, {"year1500", 1}}}),
    [](const auto& info) { return std::string(info.param.name); });

TEST(NodeMetadataLabels, FollowTheRows) {
  Fixture fixture(kHighest, {{"a", "1"}, {"b", "2"}});
  const uint32_t row = fixture.plugin.cluster().RowOf("a");
  EXPECT_EQ(fixture.Raw(), (Scores{{"a", 1}, {"b", 2}}));
  fixture.plugin.NodeChanged(FakeNode("a").Label("key", "5"), row);
  EXPECT_EQ(fixture.Raw(), (Scores{{"a", 5}, {"b", 2}}));
  EXPECT_EQ(fixture.plugin.Dump(),
            std::to_string(row) + " 5\n" + std::to_string(fixture.plugin.cluster().RowOf("b")) + " 2\n");
  fixture.plugin.NodeChanged(FakeNode("a").Label("other", "5"), row);
  EXPECT_EQ(fixture.Raw(), (Scores{{"a", kInvalid}, {"b", 2}}));
  fixture.plugin.NodeChanged(FakeNode("a").Label("key", "7"), row);
  fixture.plugin.NodeRemoved(FakeNode("a").Label("key", "7"), row);
  EXPECT_EQ(fixture.Raw(), (Scores{{"a", kInvalid}, {"b", 2}}));
}

TEST(NodeMetadataAnnotations, FollowTheNodeObjects) {
  Fixture fixture(kLowestAnnotation, {{"a", "1"}, {"b", "2"}});
  EXPECT_EQ(fixture.Raw(), (Scores{{"a", -1}, {"b", -2}}));
  fixture.Put("a", "5");
  fixture.Put("b", std::nullopt);
  EXPECT_EQ(fixture.Raw(), (Scores{{"a", -5}, {"b", kInvalid}}));
  fixture.plugin.Delete("v1/nodes", "a");
  EXPECT_EQ(fixture.Raw(), (Scores{{"a", kInvalid}, {"b", kInvalid}}));
  fixture.Put("b", "3");
  EXPECT_EQ(fixture.Raw(), (Scores{{"a", kInvalid}, {"b", -3}}));
}

TEST(NodeMetadataAnnotations, OfALabelSourceAreNotWatched) {
  Fixture labels(kHighest, {{"a", "1"}}), annotations(kLowestAnnotation, {{"a", "1"}});
  EXPECT_FALSE(labels.plugin.host().objects().Needed("v1/nodes"));
  EXPECT_TRUE(annotations.plugin.host().objects().Needed("v1/nodes"));
}

TEST(NodeMetadataTimes, AgeWithTheClock) {
  Fixture fixture(kNewest, {{"now", "2026-01-01T00:00:00Z"}, {"soon", "2026-01-01T00:00:00.9Z"}, {"old", kHourAgo}});
  EXPECT_EQ(fixture.Normalized(), (Scores{{"now", 100}, {"soon", 100}, {"old", 1}}));
  fixture.plugin.host().tasks().Advance(std::chrono::milliseconds(1500));  // ages 1 s, 0 s, 3601 s
  EXPECT_EQ(fixture.Normalized(), (Scores{{"now", 99}, {"soon", 100}, {"old", 1}}));
}

}  // namespace
}  // namespace node_metadata_test

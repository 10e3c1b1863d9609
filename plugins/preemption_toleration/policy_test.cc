// The annotations of PriorityClasses, and which pods they exempt. Tables from the original's tests, and a model.
#include <limits>
#include <optional>
#include <random>

#include "test_fixture.h"

namespace preemption_toleration_test {
namespace {

using berth::sdk::Object;
using berth::sdk::Pod;

struct ParseCase {
  const char* name;
  ClassOf given;
  Policy want = Policy::Intolerant();
  const char* error = "";
};

class ParsePolicyTest : public testing::TestWithParam<ParseCase> {};

ParsedPolicy Parsed(const ClassOf& given) {
  const auto data = given.Object().Build();
  return ParsePolicy(Object(FakeValue::Table(), data->raw()));
}

TEST_P(ParsePolicyTest, Is) {
  const auto [policy, error] = Parsed(GetParam().given);
  EXPECT_EQ(policy, GetParam().want);
  EXPECT_EQ(error, GetParam().error);
}

constexpr const char* kNotANumber = "strconv.ParseInt: parsing \"a\": invalid syntax";

// TestParsePreemptionTolerationPolicyToleration of pkg/preemptiontoleration/preemption_toleration_policy_test.go.
INSTANTIATE_TEST_SUITE_P(
    Upstream, ParsePolicyTest,
    testing::Values(ParseCase{.name = "Defaults", .given = {.value = 1}, .want = {2, 0}},
                    ParseCase{.name = "Both", .given = {1, "100", "10"}, .want = {100, 10}},
                    ParseCase{.name = "UnparsableMinimum", .given = {1, "a"}, .error = kNotANumber},
                    ParseCase{.name = "UnparsableSeconds", .given = {1, nullptr, "a"}, .error = kNotANumber},
                    ParseCase{.name = "NegativeSeconds", .given = {1, "100", "-1"}, .want = {100, -1}}),
    [](const auto& info) { return std::string(info.param.name); });

INSTANTIATE_TEST_SUITE_P(
    Own, ParsePolicyTest,
    testing::Values(
        ParseCase{.name = "Empty", .given = {1, ""}, .error = "strconv.ParseInt: parsing \"\": invalid syntax"},
        ParseCase{.name = "Sign", .given = {1, "+7", "+0"}, .want = {7, 0}},
        ParseCase{
            .name = "TwoSigns", .given = {1, "+-7"}, .error = "strconv.ParseInt: parsing \"+-7\": invalid syntax"},
        ParseCase{.name = "Space", .given = {1, "7 "}, .error = "strconv.ParseInt: parsing \"7 \": invalid syntax"},
        ParseCase{.name = "MinimumIsNoInt32",
                  .given = {1, "2147483648"},
                  .error = "strconv.ParseInt: parsing \"2147483648\": value out of range"},
        ParseCase{.name = "SecondsAreAnInt64",
                  .given = {1, nullptr, "9223372036854775807"},
                  .want = {2, std::numeric_limits<int64_t>::max()}},
        ParseCase{.name = "SecondsAreNoInt64",
                  .given = {1, nullptr, "9223372036854775808"},
                  .error = "strconv.ParseInt: parsing \"9223372036854775808\": value out of range"},
        ParseCase{.name = "TheDefaultDoesNotOverflow", .given = {2147483647}, .want = {2147483648, 0}}),
    [](const auto& info) { return std::string(info.param.name); });

struct ExemptCase {
  const char* name;
  ClassOf victim_class;
  int32_t preemptor_priority;
  std::optional<int64_t> scheduled_seconds_ago = std::nullopt;  // nullopt: PodScheduled is not True
  bool want = false;
};

class ExemptsTest : public testing::TestWithParam<ExemptCase> {};

TEST_P(ExemptsTest, Is) {
  FakePod victim = Victim("victim", GetParam().victim_class.value);
  if (const auto ago = GetParam().scheduled_seconds_ago) victim.ScheduledAt(kNow - *ago * kSecond);
  const auto object = victim.Build();
  const Policy policy = Parsed(GetParam().victim_class).policy;
  EXPECT_EQ(Exempts(policy, Pod(object->raw()), GetParam().preemptor_priority, kNow), GetParam().want);
}

// TestExemptedFromPreemption* of pkg/preemptiontoleration/preemption_toleration_test.go. plugin_test.cc has the cases
// of a class that does not exist, and of a preemptor that never preempts.
INSTANTIATE_TEST_SUITE_P(
    Upstream, ExemptsTest,
    testing::Values(
        ExemptCase{.name = "UnparsableMinimum", .victim_class = {1, "a"}, .preemptor_priority = 2},
        ExemptCase{.name = "UnparsableSeconds", .victim_class = {1, "10", "a"}, .preemptor_priority = 2},
        ExemptCase{.name = "WithoutPolicyLowerThanThePreemptor", .victim_class = {1}, .preemptor_priority = 2},
        ExemptCase{
            .name = "WithoutPolicyHigherThanThePreemptor", .victim_class = {3}, .preemptor_priority = 2, .want = true},
        ExemptCase{.name = "AboveTheMinimum",
                   .victim_class = {100, "200"},
                   .preemptor_priority = 201,
                   .scheduled_seconds_ago = 0},
        ExemptCase{.name = "AtTheMinimum",
                   .victim_class = {100, "200"},
                   .preemptor_priority = 200,
                   .scheduled_seconds_ago = 0},
        ExemptCase{.name = "ZeroSeconds",
                   .victim_class = {100, "200", "0"},
                   .preemptor_priority = 199,
                   .scheduled_seconds_ago = 0},
        ExemptCase{.name = "NegativeSeconds",
                   .victim_class = {100, "200", "-1"},
                   .preemptor_priority = 199,
                   .scheduled_seconds_ago = kNow / kSecond,
                   .want = true},
        ExemptCase{.name = "SecondsHaveElapsed",
                   .victim_class = {100, "200", "100"},
                   .preemptor_priority = 199,
                   .scheduled_seconds_ago = 101},
        ExemptCase{.name = "SecondsHaveNotElapsed",
                   .victim_class = {100, "200", "100"},
                   .preemptor_priority = 199,
                   .scheduled_seconds_ago = 10,
                   .want = true}),
    [](const auto& info) { return std::string(info.param.name); });

INSTANTIATE_TEST_SUITE_P(Own, ExemptsTest,
                         testing::Values(ExemptCase{.name = "TheLastMoment",
                                                    .victim_class = {100, "200", "100"},
                                                    .preemptor_priority = 199,
                                                    .scheduled_seconds_ago = 100},
                                         ExemptCase{.name = "NotScheduled",
                                                    .victim_class = {100, "200", "0"},
                                                    .preemptor_priority = 199,
                                                    .want = true},
                                         ExemptCase{.name = "SecondsThatOverflowInGo",
                                                    .victim_class = {100, "200", "9223372036854775807"},
                                                    .preemptor_priority = 199,
                                                    .scheduled_seconds_ago = 1000,
                                                    .want = true}),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(ExemptsTest, AnUnknownTimeIsLongAgo) {
  const auto object = Victim("victim", 100).ScheduledAt(BERTH_NO_TIME + 1).Build();
  EXPECT_FALSE(Exempts({200, 3600}, Pod(object->raw()), 199, kNow));
  EXPECT_TRUE(Exempts({200, -1}, Pod(object->raw()), 199, kNow));
}

// Against 128-bit arithmetic.
TEST(ExemptsTest, AgreesWithAModel) {
  std::mt19937_64 random(205);
  const auto of = [&](int64_t low, int64_t high) { return std::uniform_int_distribution<int64_t>(low, high)(random); };
  int exempt = 0;
  for (int i = 0; i < 2000; ++i) {
    const Policy policy{of(-3, 3), of(0, 9) == 0 ? std::numeric_limits<int64_t>::max() - of(0, 9) : of(-2, 6)};
    const int64_t since = kNow - of(-2, 8) * kSecond + of(-1, 1);
    const auto preemptor = static_cast<int32_t>(of(-3, 3));
    const auto object = Victim("victim", 0).ScheduledAt(since).Build();
    const bool within =
        static_cast<__int128>(since) + static_cast<__int128>(policy.toleration_seconds) * kSecond > kNow;
    const bool want = preemptor < policy.minimum_preemptable_priority && (policy.toleration_seconds < 0 || within);
    ASSERT_EQ(Exempts(policy, Pod(object->raw()), preemptor, kNow), want) << i;
    exempt += want ? 1 : 0;
  }
  EXPECT_GT(exempt, 300);
  EXPECT_LT(exempt, 1700);
}

}  // namespace
}  // namespace preemption_toleration_test

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <berth/testing/plugin_under_test.hpp>

#include "../common/go_duration.h"
#include "berth/entry.h"

namespace {

using namespace berth::sdk::testing;  // NOLINT: tests use the fake host's names
using plugins::GoDuration;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr auto kClasses = "resource.k8s.io/v1/deviceclasses";
const Outcome kRefused{BERTH_UNRESOLVABLE, {"DynamicResources: allocation is not available in this build"}};

struct Fixture : PluginUnderTest {
  Fixture() : PluginUnderTest(berth_entry_v1, "DynamicResources") { cluster().Add(FakeNode("n1")).Add(FakeNode("n2")); }
};

FakePod Plain() { return FakePod("p").Req({{"cpu", 100}}); }
FakePod Claiming() { return FakePod("p").Claim("gpu", "my-gpu"); }
FakePod Templated() { return FakePod("p").Claim("gpu", "", "gpu-template"); }

// ---- pods without claims: TestPlugin
void ExpectPasses(const FakePod& pod) {
  Fixture rig;
  rig.Put(kClasses, FakeObject("class").Spec("{}"));
  ASSERT_TRUE(rig.Start().ok());
  auto attempt = rig.Try(pod);
  EXPECT_TRUE(attempt->PreEnqueue().ok());
  EXPECT_EQ(attempt->PreFilter().code, BERTH_SKIP);
  EXPECT_EQ(attempt->Filter().nodes.at("n1"), Outcome{});
  EXPECT_EQ(attempt->Score().nodes, (Scores{{"n1", 0}, {"n2", 0}}));
  EXPECT_EQ(attempt->Normalize({{"n1", 0}, {"n2", 0}}).nodes, (Scores{{"n1", 0}, {"n2", 0}}));
  EXPECT_TRUE(attempt->Reserve("n1").ok());
  EXPECT_EQ(attempt->PreFlight("n1").code, BERTH_SKIP);
  EXPECT_TRUE(attempt->PreBind("n1").ok());
}

TEST(WithoutClaims, PassAsUpstreamPassesThem) {
  using Named = std::pair<const char*, FakePod>;
  for (const auto& [name, pod] :
       {Named{"empty", FakePod("foo")}, Named{"empty-with-extended-resources-enabled", Plain()},
        Named{"non-DRA-extended-resource-name-with-zero-allocatable", FakePod("p").Req({{"example.com/gpu", 1}})}}) {
    SCOPED_TRACE(name);
    ExpectPasses(pod);
  }
}

TEST(WithoutClaims, HaveNoPreScore) {
  Fixture rig;
  ASSERT_TRUE(rig.Start().ok());
  EXPECT_FALSE(rig.Offers("berth.plugin.pre_score/1")) << "so Score is always asked";
}

TEST(WithoutClaims, PostFilterHasNothingToDeallocate) {
  Fixture rig;
  ASSERT_TRUE(rig.Start().ok());
  auto attempt = rig.Try(Plain());
  (void)attempt->PreFilter();
  const auto outcome = attempt->PostFilter();
  EXPECT_EQ(static_cast<const Outcome&>(outcome), (Outcome{BERTH_UNSCHEDULABLE, {"no new claims to deallocate"}}));
  EXPECT_EQ(outcome.mode, BERTH_NOMINATE_NOOP);
}

TEST(WithoutClaims, PostFilterFindsNothingWhenAnotherPreFilterEndedTheCycle) {
  Fixture rig;
  ASSERT_TRUE(rig.Start().ok());
  (void)rig.Try(Plain())->PreFilter();  // of an earlier attempt
  EXPECT_EQ(static_cast<const Outcome&>(rig.Try(Plain())->PostFilter()), (Outcome{BERTH_ERROR, {"not found"}}));
}

// ---- pods with claims
TEST(WithClaims, AreRefusedWhereverTheyCome) {
  for (const FakePod& pod : {Claiming(), Templated()}) {
    Fixture rig;
    ASSERT_TRUE(rig.Start().ok());
    auto attempt = rig.Try(pod);
    EXPECT_EQ(static_cast<const Outcome&>(attempt->PreFilter()), kRefused);
    EXPECT_EQ(attempt->Filter().nodes.at("n2"), kRefused);
    EXPECT_EQ(attempt->Reserve("n1"), kRefused);
    EXPECT_EQ(attempt->PreFlight("n1"), kRefused);
    EXPECT_EQ(attempt->PreBind("n1"), kRefused);
    EXPECT_THAT(attempt->PostFilter().reasons, ElementsAre("no new claims to deallocate"));
  }
}

TEST(WithClaims, SoAreExtendedResourcesBehindWhichADeviceClassIs) {
  Fixture rig;
  rig.Put(kClasses, FakeObject("gpus").Spec(R"({"extendedResourceName": "example.com/gpu"})"));
  ASSERT_TRUE(rig.Start().ok());
  const auto code = [&](const Amounts& requests) { return rig.Try(FakePod("p").Req(requests))->PreFilter().code; };
  EXPECT_EQ(code({{"example.com/gpu", 1}}), BERTH_UNRESOLVABLE);
  EXPECT_EQ(code({{"deviceclass.resource.kubernetes.io/gpus", 1}}), BERTH_UNRESOLVABLE);
  EXPECT_EQ(code({{"example.com/gpu", 0}}), BERTH_SKIP);
  EXPECT_EQ(code({{"example.com/fpga", 1}}), BERTH_SKIP);
  EXPECT_EQ(code({{"deviceclass.resource.kubernetes.io/other", 1}}), BERTH_SKIP);
  rig.Put(kClasses, FakeObject("fpgas").Spec(R"({"extendedResourceName": "example.com/fpga"})"));
  EXPECT_EQ(code({{"example.com/fpga", 1}}), BERTH_UNRESOLVABLE);
  rig.Delete(kClasses, "gpus");
  EXPECT_EQ(code({{"example.com/gpu", 1}}), BERTH_SKIP);
}

TEST(Events, OnlyDeviceClassesMatter) {
  Fixture rig;
  ASSERT_TRUE(rig.Start().ok());
  EXPECT_THAT(rig.Interests(), ElementsAre(InterestOutcome{"resource.k8s.io/DeviceClass", BERTH_ACTION_ALL, false}));
}

// ---- args
FakeValue Timeouts(FakeValue filter, FakeValue binding) {
  return FakeValue::Object({{"filterTimeout", std::move(filter)}, {"bindingTimeout", std::move(binding)}});
}

TEST(Args, Completed) {
  Fixture rig;
  EXPECT_EQ(rig.Complete(FakeValue()).json, R"({"filterTimeout":"10s","bindingTimeout":"10m0s"})");
  EXPECT_EQ(rig.Complete(Timeouts("0", "90s")).json, R"({"filterTimeout":"0s","bindingTimeout":"1m30s"})");
  EXPECT_THAT(rig.Complete(FakeValue::Object({{"timeout", "1s"}})).Errors(),
              ElementsAre("timeout: unknown field \"timeout\""));
  EXPECT_THAT(rig.Complete(Timeouts(7, "1s")).Errors(), testing::SizeIs(1));
}

TEST(Args, Judged) {
  Fixture rig;
  EXPECT_THAT(rig.Check(Timeouts("0s", "1s")).Errors(), IsEmpty());
  EXPECT_THAT(rig.Check(Timeouts("-1s", "999ms")).Errors(),
              ElementsAre("filterTimeout: Invalid value: \"-1s\": must be zero or positive",
                          "bindingTimeout: Invalid value: \"999ms\": must be at least 1 second"));
  EXPECT_THAT(rig.Check(Timeouts("soon", "1s")).Errors(),
              ElementsAre("filterTimeout: Invalid value: \"soon\": time: invalid duration \"soon\""));
}

// time.ParseDuration and Duration.String, from Go's own tests.
TEST(GoDurations, Read) {
  const std::pair<const char*, int64_t> good[] = {{"0", 0},
                                                  {"5s", 5'000'000'000},
                                                  {"+5s", 5'000'000'000},
                                                  {"-5s", -5'000'000'000},
                                                  {"5.6s", 5'600'000'000},
                                                  {".5s", 500'000'000},
                                                  {"5.s", 5'000'000'000},
                                                  {"1.004s", 1'004'000'000},
                                                  {"10ns", 10},
                                                  {"12\xC2\xB5s", 12'000},
                                                  {"12\xCE\xBCs", 12'000},
                                                  {"3h30m", 12'600'000'000'000},
                                                  {"-2m3.4s", -123'400'000'000},
                                                  {"39h9m14.425s", 140'954'425'000'000},
                                                  {"9223372036854775807ns", INT64_MAX},
                                                  {"-9223372036854775808ns", INT64_MIN},
                                                  {"0.3333333333333333333h", 1'200'000'000'000}};
  for (const auto& [text, nanoseconds] : good) {
    const GoDuration duration(text);
    EXPECT_TRUE(duration.ok()) << text << ": " << duration.error();
    EXPECT_EQ(duration.nanoseconds(), nanoseconds) << text;
  }
  const std::pair<const char*, const char*> bad[] = {
      {"", "time: invalid duration \"\""},
      {"3", "time: missing unit in duration \"3\""},
      {"-", "time: invalid duration \"-\""},
      {"s", "time: invalid duration \"s\""},
      {".", "time: invalid duration \".\""},
      {"1d", "time: unknown unit \"d\" in duration \"1d\""},
      {"9223372036854775808ns", "time: invalid duration \"9223372036854775808ns\""},
      {"3000000h", "time: invalid duration \"3000000h\""},
      {"99999999999999999999999999h", "time: invalid duration \"99999999999999999999999999h\""}};
  for (const auto& [text, error] : bad) EXPECT_EQ(GoDuration(text).error(), error);
}

TEST(GoDurations, Print) {
  const std::pair<int64_t, const char*> cases[] = {{0, "0s"},
                                                   {1, "1ns"},
                                                   {1'100, "1.1\xC2\xB5s"},
                                                   {2'200'000, "2.2ms"},
                                                   {3'300'000'000, "3.3s"},
                                                   {245'000'000'000, "4m5s"},
                                                   {245'001'000'000, "4m5.001s"},
                                                   {18'367'001'000'000, "5h6m7.001s"},
                                                   {-600'000'000'000, "-10m0s"},
                                                   {INT64_MIN, "-2562047h47m16.854775808s"}};
  for (const auto& [nanoseconds, text] : cases) EXPECT_EQ(GoDuration::Text(nanoseconds), text);
}

}  // namespace

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <berth/testing/plugin_under_test.hpp>

namespace {

using namespace berth::sdk::testing;  // NOLINT: tests use the fake host's names
using ::testing::ElementsAre;
using ::testing::IsEmpty;

FakeValue Selector(std::vector<FakeValue::Member> labels) {
  return FakeValue::Object({{"matchLabels", FakeValue::Object(std::move(labels))}});
}

class FilteringPodTest : public ::testing::Test {
 protected:
  ~FilteringPodTest() override { EXPECT_THAT(plugin_.Violations(), IsEmpty()); }

  static Outcome Refused(const std::string& rule) {
    return {BERTH_UNRESOLVABLE, {"pod was refused by filteringPod (" + rule + ")"}};
  }
  void Start(std::vector<FakeValue::Member> args) {
    plugin_.Args(FakeValue::Object(std::move(args)));
    ASSERT_TRUE(plugin_.Start().ok());
  }
  Outcome Judge(const FakePod& pod) {
    const PreFilterOutcome outcome = plugin_.Try(pod)->PreFilter();
    EXPECT_FALSE(outcome.narrowed);
    return outcome;
  }

  PluginUnderTest plugin_{berth_entry_v1, "filteringPod"};
  const Outcome ok_;
};

TEST_F(FilteringPodTest, WithoutArgsRefusesNone) {
  ASSERT_TRUE(plugin_.Start().ok());
  EXPECT_EQ(Judge(FakePod("test").Label("wyq", "Unschedulable")), ok_);
}

TEST_F(FilteringPodTest, NamesMayCarryTheNamespace) {
  Start({{"names", FakeValue::Array({"test", "kube-system/dns"})}});
  EXPECT_EQ(Judge(FakePod("test")), Refused("names: \"test\""));
  EXPECT_EQ(Judge(FakePod("test").Namespace("team-a")), Refused("names: \"test\""));
  EXPECT_EQ(Judge(FakePod("test-1")), ok_);
  EXPECT_EQ(Judge(FakePod("dns").Namespace("kube-system")), Refused("names: \"kube-system/dns\""));
  EXPECT_EQ(Judge(FakePod("dns")), ok_);
}

TEST_F(FilteringPodTest, PatternsMayCarryTheNamespace) {
  Start({{"patterns", FakeValue::Array({"team-a/*", "build-?"})}});
  EXPECT_EQ(Judge(FakePod("web").Namespace("team-a")), Refused("patterns: \"team-a/*\""));
  EXPECT_EQ(Judge(FakePod("build-7").Namespace("team-b")), Refused("patterns: \"build-?\""));
  EXPECT_EQ(Judge(FakePod("build-17").Namespace("team-b")), ok_);
}

TEST_F(FilteringPodTest, SelectorsLookAtLabels) {
  Start({{"labelSelectors", FakeValue::Array({Selector({{"wyq", "Unschedulable"}})})}});
  EXPECT_EQ(Judge(FakePod("p").Label("wyq", "Unschedulable")), Refused("labelSelectors: \"wyq=Unschedulable\""));
  EXPECT_EQ(Judge(FakePod("p").Label("wyq", "other")), ok_);
  EXPECT_EQ(Judge(FakePod("p")), ok_);
}

TEST_F(FilteringPodTest, RetriesWhenThePodItselfHasOtherLabels) {
  Start({{"labelSelectors", FakeValue::Array({Selector({{"wyq", "Unschedulable"}})})}});
  EXPECT_EQ(plugin_.Interests(), (std::vector<InterestOutcome>{{"Pod", BERTH_ACTION_UPDATE_POD_LABEL, true}}));
  const FakePod bad = FakePod("p").Label("wyq", "Unschedulable"), good = FakePod("p").Label("wyq", "fine");
  const auto retry = [&](const FakePod& before, const FakePod& now) -> bool {
    const FakeEvent event{.resource = "Pod", .old_pod = before, .new_pod = now};
    return plugin_.Hints(event, {bad}).queue.at(0);
  };
  EXPECT_TRUE(retry(bad, good));
  EXPECT_FALSE(retry(good, bad));
  EXPECT_FALSE(retry(FakePod("other"), FakePod("other").Label("a", "b")));
}

TEST_F(FilteringPodTest, ArgsAreCompletedAndChecked) {
  EXPECT_EQ(plugin_.Complete(FakeValue()).json, R"({"names":[],"patterns":[],"labelSelectors":[]})");
  EXPECT_THAT(plugin_.Complete(FakeValue::Object({{"labelSelector", FakeValue::Object()}})).Errors(),
              ElementsAre("labelSelector: unknown field \"labelSelector\""));
  const std::string form = "must be a name, or a namespace and a name with one '/' between them";
  EXPECT_THAT(
      plugin_.Check(FakeValue::Object({{"patterns", FakeValue::Array({"*/build-*", "/x", "x/", "a/b/c"})}})).Errors(),
      ElementsAre("patterns[1]: Invalid value: \"/x\": " + form, "patterns[2]: Invalid value: \"x/\": " + form,
                  "patterns[3]: Invalid value: \"a/b/c\": " + form));
}

}  // namespace

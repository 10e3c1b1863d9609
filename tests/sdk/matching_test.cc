// The matching service through the C++ layer and the fake host.
#include "berth/matching.hpp"

#include <gmock/gmock.h>

#include "entries.h"

namespace berth::sdk::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

struct Matcher {
  static constexpr Info kInfo{.name = "matcher", .vendor = "test"};
  static Matcher*& self() {
    static Matcher* self = nullptr;
    return self;
  }
  explicit Matcher(Host& h) : host(h), matching(h) { self() = this; }
  Status PreFilter(Cycle&, const Pod& pod) {
    const berth_selector* own = pod.spread()[0].selector;
    matches = matching.Matches(own, pod->labels);
    error = matching.Error(own);
    const FakeValue document = FakeValue::Object(
        {{"matchLabels", FakeValue::Object({{"app", "web"}})},
         {"matchExpressions", FakeValue::Array({FakeValue::Object({{"key", "x"}, {"operator", "DoesNotExist"}})})}});
    kept = matching.Keep(document.view());
    again = matching.Keep(document.view());
    map = matching.KeepMap(FakeValue::Object({{"app", "web"}}).view());
    nil = matching.KeepMap(Value());
    kept_matches = matching.Matches(kept, pod->labels);
    return Status::Ok();
  }
  Status Reserve(Cycle&, const Pod&, Id) {
    for (const berth_selector* one : {kept, again, map, nil}) matching.Drop(one);
    if (one_too_many) matching.Drop(kept);
    return Status::Ok();
  }

  Host& host;
  Matching matching;
  const berth_selector *kept = nullptr, *again = nullptr, *map = nullptr, *nil = nullptr;
  bool matches = false, kept_matches = false, one_too_many = false;
  std::string error;
};

class MatchingTest : public ::testing::Test {
 protected:
  MatchingTest() { plugin_.cluster().Add(FakeNode("n")); }
  Matcher& PreFilter(FakeSelector selector) {
    EXPECT_TRUE(plugin_.Start().ok());
    pod_ = FakePod("p").Label("app", "web").Spread({.key = "zone", .selector = std::move(selector)});
    EXPECT_TRUE(plugin_.Try(pod_)->PreFilter().ok());
    return *Matcher::self();
  }
  PluginUnderTest plugin_ = TestPlugin<Matcher>();
  FakePod pod_;
};

TEST_F(MatchingTest, PodsSelectorsAndKeptOnes) {
  Matcher& self = PreFilter({.labels = {{"app", "web"}}});
  EXPECT_TRUE(self.matches);
  EXPECT_THAT(self.error, IsEmpty());
  EXPECT_TRUE(self.kept_matches);
  EXPECT_EQ(self.kept, self.again) << "equal contents";
  EXPECT_EQ(self.map->content, Pod(pod_.Build()->raw()).spread()[0].selector->content);
  EXPECT_EQ(self.nil->has, 0u);
  EXPECT_EQ(plugin_.host().matching().kept(), 4u);
  EXPECT_TRUE(plugin_.Try(pod_)->Reserve("n").ok());
  EXPECT_EQ(plugin_.host().matching().kept(), 0u);
  EXPECT_THAT(plugin_.Violations(), IsEmpty());
}

TEST_F(MatchingTest, SelectorsThatDoNotCompileMatchNothing) {
  Matcher& self = PreFilter({.expressions = {{"app", "Is", {"web"}}}});
  EXPECT_FALSE(self.matches);
  EXPECT_EQ(self.error, "\"Is\" is not a valid label selector operator");
}

TEST_F(MatchingTest, DroppingWhatIsNotKeptIsReported) {
  PreFilter({}).one_too_many = true;
  plugin_.Try(pod_)->Reserve("n");
  EXPECT_THAT(plugin_.Violations(), ElementsAre(HasSubstr("not kept")));
}

TEST(MatchingOfOlderHosts, IsNamedInTheError) {
  PluginUnderTest plugin = TestPlugin<Matcher>();
  plugin.host().Without(BERTH_SERVICE_MATCHING);
  ASSERT_TRUE(plugin.Start().ok());
  const Outcome outcome = plugin.Try(FakePod("p").Spread({.key = "zone"}))->PreFilter();
  EXPECT_EQ(outcome.code, BERTH_ERROR);
  EXPECT_THAT(outcome.reasons, ElementsAre(HasSubstr("berth.host.matching/1: match")));
}

}  // namespace
}  // namespace berth::sdk::testing

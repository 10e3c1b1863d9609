#include "telemetry/series/plugin_families.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace berth::series {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr Limits kLimits{.families = 3, .series = 2, .labels = 8, .buckets = 4, .name = 100, .help = 100, .value = 8};

Definition CounterBy(std::vector<std::string> labels, std::string name = "c_total") {
  return {std::move(name), Kind::kCounter, "Help.", std::move(labels), {}};
}
Definition GaugeBy(std::vector<std::string> labels) { return {"g", Kind::kGauge, "Help.", std::move(labels), {}}; }

// Instances of plugins are addresses.
const char kInstances[4] = {};
constexpr User kOne = &kInstances[0], kTwo = &kInstances[1], kThree = &kInstances[2];

struct World {
  BoundedFamily& Define(const Definition& definition, User user, std::string_view plugin = "p") {
    const auto family = families.Define(plugin, definition, user);
    if (!family) throw std::logic_error(family.error().message);
    return **family;
  }
  std::string MistakeOf(const Definition& definition, User user, std::string_view plugin = "p") {
    const auto family = families.Define(plugin, definition, user);
    return family ? "" : family.error().message;
  }
  // "name{values} value" for each series.
  std::vector<std::string> Lines() const {
    std::vector<std::string> lines;
    for (const FamilySamples& family : families.Collect()) {
      for (const Sample& sample : family.samples) {
        std::string line = family.name + "{";
        for (const std::string& value : sample.values) line += value + ",";
        lines.push_back(line + "} " + std::to_string(static_cast<int>(sample.value)));
      }
    }
    return lines;
  }
  PluginFamilies families{kLimits};
};

TEST(PluginFamilies, NamesHaveAPrefixAndThePlugin) {
  EXPECT_EQ(CustomName("fewestPods", "skipped_total"), "berth_custom_fewestPods_skipped_total");
  EXPECT_EQ(CustomName("example.org/a-b", "x"), "berth_custom_example_org_a_b_x");
}

TEST(PluginFamilies, InstancesOfAPluginAddUp) {
  World world;
  BoundedFamily& counter = world.Define(CounterBy({}), kOne);
  EXPECT_EQ(&world.Define(CounterBy({}), kTwo), &counter);
  world.families.At(counter, {}, kOne).cell->Add(2);
  world.families.At(counter, {}, kTwo).cell->Add(3);
  BoundedFamily& gauge = world.Define(GaugeBy({}), kOne);
  (void)world.Define(GaugeBy({}), kTwo);
  world.families.At(gauge, {}, kOne).cell->Set(10);
  world.families.At(gauge, {}, kTwo).cell->Set(20);
  world.families.At(gauge, {}, kTwo).cell->Set(7);
  EXPECT_THAT(world.Lines(), ElementsAre("berth_custom_p_c_total{} 5", "berth_custom_p_g{} 17"));
}

TEST(PluginFamilies, CountersOutliveTheirInstancesAndGaugesDoNot) {
  World world;
  world.families.At(world.Define(CounterBy({}), kOne), {}, kOne).cell->Add(2);
  world.families.At(world.Define(GaugeBy({}), kOne), {}, kOne).cell->Set(1);
  world.families.At(world.Define(GaugeBy({}), kTwo), {}, kTwo).cell->Set(4);
  world.families.Release(kOne);
  EXPECT_THAT(world.Lines(), ElementsAre("berth_custom_p_c_total{} 2", "berth_custom_p_g{} 4"));
  world.families.Release(kTwo);
  EXPECT_THAT(world.Lines(), ElementsAre("berth_custom_p_c_total{} 2"));
  world.families.At(world.Define(CounterBy({}), kThree), {}, kThree).cell->Add(1);
  EXPECT_THAT(world.Lines(), ElementsAre("berth_custom_p_c_total{} 3")) << "an instance comes back";
}

TEST(PluginFamilies, SeriesBeyondTheBoundCountAsOverflow) {
  World world;
  BoundedFamily& family = world.Define(CounterBy({"a", "b"}), kOne);
  for (const char* value : {"1", "2", "3", "4", "1"}) world.families.At(family, {value, "x"}, kOne).cell->Add(1);
  EXPECT_THAT(world.Lines(), ElementsAre("berth_custom_p_c_total{1,x,} 2", "berth_custom_p_c_total{2,x,} 1",
                                         "berth_custom_p_c_total{overflow,overflow,} 2"));
  const Found third = world.families.At(family, {"3", "x"}, kOne);
  EXPECT_EQ(third.lack, Lack::kOverflow);
  EXPECT_FALSE(third.first) << "the first mistake was reported already";
}

TEST(PluginFamilies, TheFirstOverflowIsTold) {
  World world;
  BoundedFamily& family = world.Define(CounterBy({"a"}), kOne);
  EXPECT_FALSE(world.families.At(family, {"1"}, kOne).first);
  EXPECT_FALSE(world.families.At(family, {"2"}, kOne).first);
  EXPECT_TRUE(world.families.At(family, {"3"}, kOne).first);
  EXPECT_FALSE(world.families.At(family, {"4"}, kOne).first);
}

TEST(PluginFamilies, ValuesThatCannotBeServedCountAsOverflow) {
  World world;
  BoundedFamily& family = world.Define(CounterBy({"a"}), kOne);
  for (const char* value : {"12345678", "123456789", "caf\xe9", "caf\xc3\xa9"}) {
    world.families.At(family, {value}, kOne).cell->Add(1);
  }
  EXPECT_THAT(world.Lines(),
              ElementsAre("berth_custom_p_c_total{12345678,} 1", "berth_custom_p_c_total{caf\xc3\xa9,} 1",
                          "berth_custom_p_c_total{overflow,} 2"));
}

// A plugin may use the word itself: the page must not have a series twice.
TEST(PluginFamilies, OverflowIsOneSeries) {
  World world;
  BoundedFamily& family = world.Define(CounterBy({"a"}), kOne);
  for (const char* value : {"overflow", "1", "2", "3"}) world.families.At(family, {value}, kOne).cell->Add(1);
  EXPECT_THAT(world.Lines(), ElementsAre("berth_custom_p_c_total{1,} 1", "berth_custom_p_c_total{2,} 1",
                                         "berth_custom_p_c_total{overflow,} 2"));
}

TEST(PluginFamilies, AGaugeHasNoOverflowAndGetsItsRoomBack) {
  World world;
  BoundedFamily& family = world.Define(GaugeBy({"a"}), kOne);
  (void)world.Define(GaugeBy({"a"}), kTwo);
  world.families.At(family, {"1"}, kOne).cell->Set(1);
  world.families.At(family, {"2"}, kTwo).cell->Set(2);
  const Found third = world.families.At(family, {"3"}, kOne);
  EXPECT_EQ(third.cell, nullptr);
  EXPECT_EQ(third.lack, Lack::kDropped);
  EXPECT_TRUE(third.first);
  world.families.Release(kTwo);
  EXPECT_NE(world.families.At(family, {"3"}, kOne).cell, nullptr);
  EXPECT_THAT(world.Lines(), ElementsAre("berth_custom_p_g{1,} 1", "berth_custom_p_g{3,} 0"));
}

TEST(PluginFamilies, AnotherNumberOfValuesIsALack) {
  World world;
  BoundedFamily& family = world.Define(CounterBy({"a"}), kOne);
  const Found found = world.families.At(family, {}, kOne);
  EXPECT_EQ(found.cell, nullptr);
  EXPECT_EQ(found.lack, Lack::kLabels);
  EXPECT_TRUE(found.first);
}

TEST(PluginFamilies, AnotherDefinitionWaitsUntilTheEarlierOneIsUnused) {
  World world;
  BoundedFamily& earlier = world.Define(CounterBy({}), kOne);
  world.families.At(earlier, {}, kOne).cell->Add(5);
  BoundedFamily& later = world.Define(CounterBy({"a"}), kTwo);
  ASSERT_NE(&later, &earlier);
  world.families.At(later, {"1"}, kTwo).cell->Add(1);
  EXPECT_THAT(world.Lines(), ElementsAre("berth_custom_p_c_total{} 5"));
  world.families.Release(kOne);
  EXPECT_THAT(world.Lines(), ElementsAre("berth_custom_p_c_total{1,} 1")) << "what was recorded meanwhile";
}

TEST(PluginFamilies, ARefusedDefinitionLeavesTheEarlierOne) {
  World world;
  world.families.At(world.Define(CounterBy({}), kOne), {}, kOne).cell->Add(5);
  world.families.At(world.Define(CounterBy({"a"}), kTwo), {"1"}, kTwo).cell->Add(1);
  world.families.Release(kTwo);
  EXPECT_THAT(world.Lines(), ElementsAre("berth_custom_p_c_total{} 5"));
  world.families.Release(kOne);
  EXPECT_THAT(world.Lines(), ElementsAre("berth_custom_p_c_total{} 5"));
}

TEST(PluginFamilies, AnInstanceDefinesANameOnce) {
  World world;
  (void)world.Define(CounterBy({}), kOne);
  EXPECT_EQ(world.MistakeOf(CounterBy({"a"}), kOne),
            "name: the plugin has this family already, with another definition");
}

TEST(PluginFamilies, TwoPluginsDoNotShareAName) {
  World world;
  (void)world.Define(CounterBy({}, "b_c_total"), kOne, "a");
  EXPECT_EQ(world.MistakeOf(CounterBy({}, "c_total"), kTwo, "a-b"),
            "name: berth_custom_a_b_c_total is a family of plugin \"a\"");
}

TEST(PluginFamilies, APluginHasABoundedNumberOfThem) {
  World world;
  for (const char* name : {"a", "b", "c"}) (void)world.Define(CounterBy({}, name), kOne);
  EXPECT_EQ(world.MistakeOf(CounterBy({}, "d"), kOne), "the plugin has 3 families, and may not have more");
  EXPECT_EQ(world.MistakeOf(CounterBy({}, "d"), kTwo, "q"), "") << "another plugin";
  EXPECT_EQ(world.MistakeOf(CounterBy({}, "a"), kThree), "") << "one that exists";
  world.families.Release(kOne);
  EXPECT_EQ(world.MistakeOf(CounterBy({}, "d"), kThree), "") << "those of an earlier version make room";
  EXPECT_THAT(world.families.Collect(), testing::SizeIs(3));
}

TEST(PluginFamilies, SharedFamiliesBelongToTheHost) {
  World world;
  world.families.Share({"scheduler_preemption_victims", Kind::kHistogram, "Help.", {}, {1, 2}});
  world.families.Share({"scheduler_errors_total", Kind::kCounter, "Help.", {"operation"}, {}});
  EXPECT_EQ(world.families.Shared("scheduler_other", kOne), nullptr);
  EXPECT_THAT(world.Lines(), ElementsAre("scheduler_preemption_victims{} 0")) << "it exists before the first value";
  BoundedFamily* errors = world.families.Shared("scheduler_errors_total", kOne);
  ASSERT_NE(errors, nullptr);
  world.families.At(*errors, {"bind"}, kOne).cell->Add(1);
  world.families.Release(kOne);
  EXPECT_THAT(world.Lines(), ElementsAre("scheduler_errors_total{bind,} 1", "scheduler_preemption_victims{} 0"));
  (void)world.Define(CounterBy({}), kTwo);
  EXPECT_EQ(world.families.Shared("berth_custom_p_c_total", kThree), nullptr) << "of a plugin";
}

struct ClosedGate final : Gate {
  bool Disabled(std::string_view family) const override { return family == "berth_custom_p_c_total"; }
  void Constrain(std::string_view, LabelValues& labels) const override {
    for (auto& [name, value] : labels) value = name + "?";
  }
};

TEST(PluginFamilies, TheGateDisablesFamiliesAndReplacesValues) {
  const ClosedGate gate;
  World world;
  world.families.SetGate(gate);
  const Found disabled = world.families.At(world.Define(CounterBy({}), kOne), {}, kOne);
  EXPECT_EQ(disabled.cell, nullptr);
  EXPECT_EQ(disabled.lack, Lack::kDisabled);
  EXPECT_FALSE(disabled.first);
  world.families.At(world.Define(CounterBy({"b", "a"}, "other"), kOne), {"x", "y"}, kOne).cell->Add(1);
  EXPECT_THAT(world.Lines(), ElementsAre("berth_custom_p_other{b?,a?,} 1"));
}

}  // namespace
}  // namespace berth::series

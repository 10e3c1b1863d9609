#include "config/configuration/feature_gates.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace berth::config {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(FeatureGates, DefaultsOf136) {
  const FeatureGates gates;
  for (const char* on : {"SchedulerQueueingHints", "SchedulerPopFromBackoffQ", "NodeDeclaredFeatures",
                         "OpportunisticBatching", "DynamicResourceAllocation", "DRASchedulerFilterTimeout"}) {
    EXPECT_TRUE(gates.Enabled(on)) << on;
  }
  for (const char* off : {"SchedulerAsyncAPICalls", "GangScheduling", "GenericWorkload", "StorageCapacityScoring",
                          "TaintTolerationComparisonOperators", "NoSuchGate"}) {
    EXPECT_FALSE(gates.Enabled(off)) << off;
  }
}

TEST(FeatureGates, TableIsSortedAndWhole) {
  const std::vector<Gate>& gates = AllGates();
  EXPECT_EQ(gates.size(), 241u);
  for (size_t i = 1; i < gates.size(); ++i) EXPECT_LT(gates[i - 1].name, gates[i].name);
  for (const GateDependency& d : GateDependencies()) {
    EXPECT_NE(FindGate(d.gate), nullptr) << d.gate;
    for (std::string_view needed : d.needs) EXPECT_NE(FindGate(needed), nullptr) << needed;
  }
}

TEST(FeatureGates, Sets) {
  FeatureGates gates;
  EXPECT_THAT(gates.Set(" SchedulerPopFromBackoffQ = false,,StorageCapacityScoring=T"), IsEmpty());
  EXPECT_FALSE(gates.Enabled("SchedulerPopFromBackoffQ"));
  EXPECT_TRUE(gates.Enabled("StorageCapacityScoring"));
  EXPECT_THAT(gates.Set("StorageCapacityScoring=0"), IsEmpty());
  EXPECT_FALSE(gates.Enabled("StorageCapacityScoring"));
  EXPECT_FALSE(gates.Enabled("SchedulerPopFromBackoffQ"));
  EXPECT_THAT(gates.Set("kube:VolumeLimitScaling=true"), IsEmpty());
  EXPECT_TRUE(gates.Enabled("VolumeLimitScaling"));
  EXPECT_THAT(gates.Set(""), IsEmpty());
}

TEST(FeatureGates, ErrorsAreThoseOfUpstream) {
  const std::pair<const char*, const char*> cases[] = {
      {"Nope=true", "unrecognized feature gate: Nope"},
      {"SchedulerQueueingHints=false",
       "cannot set feature gate SchedulerQueueingHints to false, feature is locked to true"},
      {"NodeDeclaredFeatures", "missing bool value for NodeDeclaredFeatures"},
      {"NodeDeclaredFeatures=maybe",
       "invalid value of NodeDeclaredFeatures=maybe, err: strconv.ParseBool: parsing \"maybe\": invalid syntax"},
      {"other:NodeDeclaredFeatures=true", "component not registered: other"},
      {"kube:VolumeLimitScaling=true,StorageCapacityScoring=true",
       "set kube feature gates with default empty prefix or kube: prefix consistently, do not mix use"},
      {"GangScheduling=true",
       "GangScheduling is enabled, but depends on features that are disabled: [GenericWorkload]"},
  };
  for (const auto& [flag, error] : cases) {
    FeatureGates gates;
    EXPECT_THAT(gates.Set(flag), ElementsAre(error)) << flag;
    EXPECT_FALSE(gates.Enabled("GangScheduling"));
    EXPECT_FALSE(gates.Enabled("StorageCapacityScoring"));
  }
  FeatureGates gates;
  EXPECT_EQ(gates.Set("B=true,A=true,C").size(), 3u);
  EXPECT_THAT(gates.Set("SchedulerQueueingHints=true"), IsEmpty());
}

TEST(FeatureGates, AllAlphaAndAllBeta) {
  FeatureGates gates;
  EXPECT_THAT(gates.Set("AllAlpha=true,StorageCapacityScoring=false"), IsEmpty());
  EXPECT_TRUE(gates.Enabled("GangScheduling"));
  EXPECT_FALSE(gates.Enabled("StorageCapacityScoring"));
  EXPECT_FALSE(gates.Enabled("SchedulerAsyncAPICalls"));
  EXPECT_THAT(gates.Set("AllBeta=true"), IsEmpty());
  EXPECT_TRUE(gates.Enabled("SchedulerAsyncAPICalls"));
}

TEST(FeatureGates, WarnsOfWhatIsNotImplemented) {
  FeatureGates gates;
  ASSERT_THAT(gates.Set("SchedulerAsyncAPICalls=true,SchedulerPopFromBackoffQ=false,OpportunisticBatching=true"),
              IsEmpty());
  EXPECT_THAT(gates.Warnings(),
              ElementsAre("feature gate SchedulerAsyncAPICalls=true has no effect: Berth does not implement it"));
}

}  // namespace
}  // namespace berth::config

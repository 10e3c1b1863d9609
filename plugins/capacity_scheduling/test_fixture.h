// One CapacityScheduling plugin with its quotas and pods, for the tests of this folder.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <berth/testing/fake_nominations.hpp>
#include <berth/testing/fake_trials.hpp>
#include <berth/testing/names.hpp>
#include <berth/testing/plugin_under_test.hpp>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace plugins::capacity_scheduling {

using namespace berth::sdk::testing;  // NOLINT: tests use the fakes' names
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

inline constexpr const char* kElasticQuotas = "scheduling.x-k8s.io/v1alpha1/elasticquotas";
inline constexpr const char* kGpuName = "nvidia.com/gpu";
inline constexpr int32_t kMid = 100, kHigh = 1000;

// makePod: the GPU is always named, also with 0 of it.
inline FakePod PodOf(const std::string& name, const std::string& ns, int64_t memory, int64_t cpu = 0, int64_t gpu = 0,
                     int32_t priority = 0) {
  return FakePod(name).Namespace(ns).Uid(name).Priority(priority).Req(
      {{"memory", memory}, {"cpu", cpu}, {kGpuName, gpu}});
}

// min and max in JSON; "": not given.
inline FakeObject QuotaOf(const std::string& ns, const std::string& max, const std::string& min,
                          const std::string& name = "eq") {
  std::string spec;
  if (!max.empty()) spec += "\"max\": " + max;
  if (!min.empty()) spec += (spec.empty() ? "\"min\": " : ", \"min\": ") + min;
  return FakeObject(name, ns).Spec("{" + spec + "}");
}
inline std::string Memory(int64_t bytes) { return "{\"memory\": " + std::to_string(bytes) + "}"; }

struct Quoted {
  PluginUnderTest plugin;
  FakeNominations nominations{plugin.host()};
  FakeTrials trials{plugin.host(), &nominations};

  explicit Quoted(PluginUnderTest::Entry entry = berth_entry_v1, const std::string& name = "CapacityScheduling")
      : plugin(entry, name) {}
  ~Quoted() { plugin.Stop(); }

  Quoted& Nodes(const Texts& names,
                const berth::sdk::testing::Amounts& allocatable = {{"memory", 150}, {"pods", 110}}) {
    for (const std::string& name : names) plugin.cluster().Add(FakeNode(name).Allocatable(allocatable));
    return *this;
  }
  Quoted& Quota(const std::string& ns, const std::string& max, const std::string& min) {
    plugin.Put(kElasticQuotas, QuotaOf(ns, max, min));
    return *this;
  }
  Quoted& Start() {
    EXPECT_TRUE(plugin.Start().ok());
    return *this;
  }
  // The host has reported the pod on the node.
  Quoted& Came(const FakePod& pod, const std::string& node = "node-a") {
    plugin.cluster().Add(pod, node);
    plugin.PodAdded(pod, plugin.cluster().RowOf(node));
    return *this;
  }
  Quoted& Left(const FakePod& pod, const std::string& node = "node-a") {
    plugin.cluster().Remove(pod, node);
    plugin.PodRemoved(pod, plugin.cluster().RowOf(node));
    return *this;
  }
  Outcome PreFilter(const FakePod& pod) { return plugin.Try(pod)->PreFilter(); }
};

inline std::string OverMaxText(const std::string& pod, const std::string& ns) {
  return "Pod " + ns + "/" + pod + " is rejected in PreFilter because ElasticQuota " + ns + " is more than Max";
}
inline std::string OverPoolText(const std::string& pod, const std::string& ns) {
  return "Pod " + ns + "/" + pod + " is rejected in PreFilter because total ElasticQuota used is more than min";
}

}  // namespace plugins::capacity_scheduling

// One Coscheduling plugin with its groups and pods, for the tests of this folder.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <berth/testing/fake_pods.hpp>
#include <berth/testing/plugin_under_test.hpp>

#include <chrono>
#include <memory>
#include <string>
#include <utility>

#include "pod_group.h"

namespace plugins::coscheduling {

using namespace berth::sdk::testing;   // NOLINT: tests use the fakes' names
using namespace std::chrono_literals;  // NOLINT: and 5s
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

inline constexpr const char* kPodGroups = "scheduling.x-k8s.io/v1alpha1/podgroups";

inline FakePod Member(const std::string& name, const std::string& group, const std::string& ns = "ns") {
  return FakePod(name).Namespace(ns).Label(std::string(kPodGroupLabel), group);
}

inline FakeObject GroupOf(const std::string& name, int min_member, const std::string& more = "",
                          const std::string& ns = "ns") {
  return FakeObject(name, ns).Spec("{\"minMember\": " + std::to_string(min_member) + more + "}");
}

struct Gangs {
  PluginUnderTest plugin{berth_entry_v1, "Coscheduling"};
  FakePods pods{plugin.host()};

  explicit Gangs(FakeValue args = FakeValue::Object({})) {
    plugin.Args(args);
    for (const char* node : {"node-a", "node-b"}) {
      plugin.cluster().Add(FakeNode(node).Allocatable({{"cpu", 4000}, {"pods", 110}}));
    }
  }
  ~Gangs() { plugin.Stop(); }

  Gangs& Group(const FakeObject& group) {
    plugin.Put(kPodGroups, group);
    return *this;
  }
  Gangs& Pods(const std::vector<FakePod>& all) {
    for (const FakePod& pod : all) pods.Put(pod);
    return *this;
  }
  Gangs& Start() {
    EXPECT_TRUE(plugin.Start().ok());
    return *this;
  }

  // Runs Permit as the host does: a pod that must wait is in the map of waiting pods when the next cycle begins.
  Outcome Permit(const FakePod& pod, const std::string& node = "node-a") {
    const PermitOutcome outcome = plugin.Try(pod)->Permit(node);
    last_wait = outcome.wait;
    if (outcome.code == BERTH_WAIT) plugin.host().AddWaiting(FakePod(pod).Node(node));
    return outcome;
  }
  // Permit, and what the host does before the next cycle.
  Outcome PermitAndGoOn(const FakePod& pod) {
    const Outcome outcome = Permit(pod);
    plugin.host().tasks().Advance();
    return outcome;
  }
  Outcome PreFilter(const FakePod& pod) { return plugin.Try(pod)->PreFilter(); }
  Outcome PostFilter(const FakePod& pod) { return plugin.Try(pod)->PostFilter(); }
  // An attempt that ends in Filter.
  Outcome Fail(const FakePod& pod) {
    const auto attempt = plugin.Try(pod);
    attempt->PreFilter();
    return attempt->PostFilter();
  }
  void Unreserve(const FakePod& pod) { plugin.Try(pod)->Unreserve("node-a"); }

  const Texts& allowed() { return plugin.host().allowed(); }
  const Texts& rejected() { return plugin.host().rejected(); }
  const Texts& activated() { return plugin.host().tasks().activated(); }

  std::chrono::nanoseconds last_wait{0};
};

inline Outcome Refused(berth_status code, std::string reason) { return {code, {std::move(reason)}}; }

}  // namespace plugins::coscheduling

// One PreemptionToleration plugin with the services that preemption needs, for the tests of this folder.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <berth/testing/fake_nominations.hpp>
#include <berth/testing/fake_trials.hpp>
#include <berth/testing/plugin_under_test.hpp>

#include <map>
#include <string>

#include "berth/entry.h"
#include "policy.h"

namespace preemption_toleration_test {

using namespace berth::sdk::testing;             // NOLINT: tests use the fakes' names
using namespace plugins::preemption_toleration;  // NOLINT: and the plugin's

inline constexpr const char* kClasses = "scheduling.k8s.io/v1/priorityclasses";
inline constexpr const char* kClassName = "dummy";
inline constexpr int64_t kSecond = 1'000'000'000, kNow = 1'767'225'600 * kSecond;

// A PriorityClass; nullptr: it does not have the annotation.
struct ClassOf {
  int32_t value = 0;
  const char* minimum = nullptr;
  const char* seconds = nullptr;

  FakeObject Object(const std::string& name = kClassName) const {
    FakeObject object(name);
    object.Set("value", value);
    if (minimum != nullptr) object.Annotation(kMinimumPreemptablePriority, minimum);
    if (seconds != nullptr) object.Annotation(kTolerationSeconds, seconds);
    return object;
  }
};

inline FakeNode OneSlot(const std::string& name) { return FakeNode(name).Allocatable({{"pods", 1}}); }
inline FakePod Victim(const std::string& name, int32_t priority) {
  return FakePod(name).Uid(name).Priority(priority).PriorityClass(kClassName);
}
inline FakePod Preemptor(int32_t priority) { return FakePod("p").Uid("p").Priority(priority); }

struct Tolerating {
  PluginUnderTest plugin{berth_entry_v1, "PreemptionToleration"};
  FakeNominations nominations{plugin.host()};
  FakeTrials trials{plugin.host(), &nominations};

  Tolerating() { plugin.host().tasks().WallUnixNs(kNow); }
  ~Tolerating() { plugin.Stop(); }

  Tolerating& Class(const ClassOf& policy, const std::string& name = kClassName) {
    plugin.Put(kClasses, policy.Object(name));
    return *this;
  }
  // A node with room for one pod, and that pod.
  Tolerating& Full(const std::string& node, const FakePod& victim) {
    plugin.cluster().Add(OneSlot(node));
    plugin.cluster().Add(victim, node);
    return *this;
  }
  Tolerating& Start() {
    EXPECT_TRUE(plugin.Start().ok());
    return *this;
  }
  PostFilterOutcome Try(const FakePod& pod, const Texts& nodes = {"node-a"}) {
    std::map<std::string, berth_status> verdicts;
    for (const std::string& node : nodes) verdicts[node] = BERTH_UNSCHEDULABLE;
    return plugin.Try(pod)->PostFilter(verdicts, BERTH_UNRESOLVABLE);
  }
  void Answer() {
    plugin.host().api().AnswersBy([](const FakeRequest&) { return FakeReply(); });
    plugin.host().api().Deliver();
  }
  Texts Deleted() {
    Texts names;
    for (const FakeRequest& request : plugin.host().api().requests()) {
      if (request.verb == "DELETE") names.push_back(request.name);
    }
    return names;
  }
};

}  // namespace preemption_toleration_test

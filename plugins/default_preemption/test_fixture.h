// The common fixture of this folder's tests: a plugin on the fake host with the services that preemption needs.
#pragma once

#include <berth/testing/fake_nominations.hpp>
#include <berth/testing/fake_trials.hpp>
#include <berth/testing/names.hpp>
#include <berth/testing/plugin_under_test.hpp>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace default_preemption_test {

using namespace berth::sdk::testing;  // NOLINT: tests use the fake host's names

inline constexpr int32_t kNegative = -100, kLow = 0, kMid = 100, kHigh = 1000, kVeryHigh = 10000;

inline Amounts Small() { return {{"cpu", 100}, {"memory", 100}}; }
inline Amounts Medium() { return {{"cpu", 200}, {"memory", 200}}; }
inline Amounts Large() { return {{"cpu", 300}, {"memory", 300}}; }
inline Amounts VeryLarge() { return {{"cpu", 500}, {"memory", 500}}; }

inline FakeNode NodeWith(const std::string& name, Amounts amounts) {
  amounts.emplace_back("pods", 32);
  return FakeNode(name).Allocatable(std::move(amounts));
}

class Fixture {
 public:
  explicit Fixture(PluginUnderTest::Entry entry, const std::string& name) : plugin(entry, name) {}
  ~Fixture() { plugin.Stop(); }
  Fixture(const Fixture&) = delete;

  Fixture& Nodes(const Texts& names, const Amounts& amounts = VeryLarge()) {
    for (const std::string& node : names) plugin.cluster().Add(NodeWith(node, amounts));
    return *this;
  }
  Fixture& On(const std::string& node, const std::vector<FakePod>& pods) {
    for (const FakePod& pod : pods) plugin.cluster().Add(pod, node);
    return *this;
  }
  Fixture& Budget(const std::string& name, const std::string& spec, const std::string& status) {
    plugin.Put("policy/v1/poddisruptionbudgets", FakeObject(name, "default").Spec(spec).Status(status));
    return *this;
  }
  void Start() {
    if (const Outcome outcome = plugin.Start(); !outcome.ok()) throw std::runtime_error(outcome.reasons.front());
  }
  // Answers every request, and the requests that follow, with success.
  void Answer() {
    api().AnswersBy([](const FakeRequest&) { return FakeReply(); });
    api().Deliver();
  }
  FakeApi& api() { return plugin.host().api(); }
  FakeTasks& tasks() { return plugin.host().tasks(); }
  FakeMetrics& metrics() { return plugin.host().metrics(); }

  // Runs PostFilter after these nodes were rejected, all with one code.
  PostFilterOutcome Try(const FakePod& pod, const Texts& nodes, berth_status code = BERTH_UNSCHEDULABLE) {
    std::map<std::string, berth_status> verdicts;
    for (const std::string& node : nodes) verdicts[node] = code;
    return plugin.Try(pod)->PostFilter(verdicts, BERTH_UNRESOLVABLE);
  }
  size_t Filters() const {
    const Texts& steps = trials.steps();
    return static_cast<size_t>(std::count(steps.begin(), steps.end(), "filter"));
  }
  // Names of the pods that were deleted, in order.
  Texts Deleted() {
    Texts names;
    for (const FakeRequest& request : api().requests()) {
      if (request.verb == "DELETE") names.push_back(request.name);
    }
    return names;
  }

  PluginUnderTest plugin;
  FakeNominations nominations{plugin.host()};
  FakeTrials trials{plugin.host(), &nominations};
};

}  // namespace default_preemption_test

#include "berth/testing/test_host.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "berth/testing/json.hpp"
#include "documents.h"
#include "test.h"

namespace berth::sdk::testing {
namespace {

bool Has(const std::vector<Pod>& pods, const Pod& pod) {
  return std::any_of(pods.begin(), pods.end(), [&pod](const Pod& one) { return one.raw() == pod.raw(); });
}

// Calls RemovePod for the pods that left the node, and AddPod for the new ones.
Outcome Tell(Attempt& trial, const FakeTrials::Row& row) {
  const std::string node = TextOf(row.node.name());
  std::vector<Pod> before;
  const FakeCluster& cluster = trial.cluster();
  for (const auto& pod : cluster.rows()[cluster.RowOf(node)].pods) before.emplace_back(pod->raw());
  for (const Pod& pod : before) {
    if (Has(row.pods, pod)) continue;
    if (Outcome outcome = trial.RemovePod(pod.raw(), node); !outcome.ok()) return outcome;
  }
  for (const Pod& pod : row.pods) {
    if (Has(before, pod)) continue;
    if (Outcome outcome = trial.AddPod(pod.raw(), node); !outcome.ok()) return outcome;
  }
  return {};
}

// The plugin's own verdict for the pod on a node with these pods.
Outcome OwnVerdict(berth_test& test, const FakeTrials::Row& row) {
  const auto trial = test.asked->Trial();
  for (const FakeTrials::Row& other : row.others) {
    if (Outcome outcome = Tell(*trial, other); !outcome.ok()) return outcome;
  }
  if (Outcome outcome = Tell(*trial, row); !outcome.ok()) return outcome;
  if (!test.plugin.Offers(BERTH_POINT_FILTER)) return {};
  const std::string node = TextOf(row.node.name());
  const FilterOutcome outcome = trial->Filter({node});
  return outcome.ok() ? outcome.nodes.at(node) : outcome;
}

// It must not throw, because the plugin's stack frames are below it.
FakeTrials::Answer AnswerTrial(berth_test& test, const FakeTrials::Row& row) {
  FakeTrials::Answer answer;
  try {
    static_cast<Outcome&>(answer) = OwnVerdict(test, row);
  } catch (const std::exception& mistake) {
    static_cast<Outcome&>(answer) = {BERTH_ERROR, {mistake.what()}};
  }
  if (!answer.ok()) answer.plugin = "the plugin under test";
  return answer;
}

FakeValue Dispatch(berth_test& test, std::string_view verb, const Value& in) {
  if (const auto found = PluginVerbs().find(verb); found != PluginVerbs().end()) return found->second(test, in);
  const auto found = AttemptVerbs().find(verb);
  if (found == AttemptVerbs().end()) throw std::invalid_argument("there is no verb " + std::string(verb));
  Attempt& attempt = test.AttemptOf(in.Get("attempt").AsInt());
  test.asked = &attempt;
  return found->second(test, attempt, in);
}

template <class Fn>
const berth_value* Answer(berth_test& test, Fn&& fn) {
  try {
    test.answer = fn();
  } catch (const std::exception& mistake) {
    test.answer = FakeValue::Object({{"mistake", mistake.what()}});
  }
  return test.answer.raw();
}

}  // namespace
}  // namespace berth::sdk::testing

using namespace berth::sdk::testing;

berth_test::berth_test(berth_test_entry entry, const char* name) : plugin(entry, name), trials(plugin.host()) {
  plugin.host().Verbosity(INT32_MAX);
  trials.Rule([this](const FakeTrials::Row& row) { return AnswerTrial(*this, row); });
}

berth_test::~berth_test() {
  while (!attempts.empty()) attempts.erase(std::prev(attempts.end()));  // trials end before their attempts
  plugin.Stop();
  (void)plugin.Violations();  // the caller must check them
}

Attempt& berth_test::AttemptOf(int64_t number) {
  const auto found = attempts.find(number);
  if (found == attempts.end()) throw std::logic_error("there is no attempt " + std::to_string(number));
  return *found->second;
}

int64_t berth_test::Keep(std::unique_ptr<Attempt> attempt) {
  attempts[++numbers] = std::move(attempt);
  return numbers;
}

uint32_t berth_test_version() { return BERTH_TEST_HOST_VERSION; }

const berth_values* berth_test_values() { return FakeValue::Table(); }

berth_test* berth_test_open(berth_test_entry entry, const char* plugin) {
  try {
    return new berth_test(entry, plugin);
  } catch (const std::invalid_argument&) {
    return nullptr;
  }
}

void berth_test_close(berth_test* test) { delete test; }

const berth_value* berth_test_call(berth_test* test, const char* verb, berth_str json) {
  return Answer(*test, [&] {
    const FakeValue document = ParseJson(berth::sdk::View(json));
    return Dispatch(*test, verb, document.view());
  });
}

const berth_value* berth_test_start_from(berth_test* test, berth_test* before) {
  return Answer(*test, [&] { return ToJson(test->plugin.StartFrom(before->plugin)); });
}

const berth_value* berth_test_commit(berth_test* test, berth_test* before) {
  return Answer(*test, [&] {
    test->plugin.Commit(before->plugin);
    return FakeValue::Object();
  });
}

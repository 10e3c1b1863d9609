// The data of a berth_test handle of test_host.h, and its verbs. Threads and ownership: see test_host.h.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string_view>

#include "berth/testing/fake_trials.hpp"
#include "berth/testing/plugin_under_test.hpp"
#include "berth/testing/test_host.h"

struct berth_test {
  using Attempt = berth::sdk::testing::Attempt;

  berth_test(berth_test_entry entry, const char* name);
  ~berth_test();
  // Throws std::logic_error if there is no such attempt, or if it has ended.
  Attempt& AttemptOf(int64_t number);
  int64_t Keep(std::unique_ptr<Attempt> attempt);

  berth::sdk::testing::PluginUnderTest plugin;
  berth::sdk::testing::FakeTrials trials;  // their rule calls the plugin's own Filter
  std::map<int64_t, std::unique_ptr<Attempt>> attempts;
  std::map<int64_t, berth::sdk::testing::StartedCall> calls;  // kept to the end: some end late
  int64_t numbers = 0;                                        // the last number of an attempt or a call
  Attempt* asked = nullptr;                                   // the attempt of the running call
  berth::sdk::testing::FakeValue answer;
};

namespace berth::sdk::testing {

using PluginVerb = FakeValue (*)(berth_test& test, const Value& in);
const std::map<std::string_view, PluginVerb>& PluginVerbs();

// Verbs whose document has the member "attempt".
using AttemptVerb = FakeValue (*)(berth_test& test, Attempt& attempt, const Value& in);
const std::map<std::string_view, AttemptVerb>& AttemptVerbs();

}  // namespace berth::sdk::testing

// A plugin with nodes, a load-watcher that answers what the test says, and a clock. The fake host's clock starts at
// 2026-01-01T00:00:00Z.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <berth/testing/plugin_under_test.hpp>

#include <chrono>
#include <cstdint>
#include <string>

#include "../trimaran_common/testing_watcher.h"
#include "berth/entry.h"

namespace target_load_packing_test {

using namespace berth::sdk::testing;  // NOLINT: tests use the fake host's names
using namespace trimaran_test;        // NOLINT: and those of the feed

inline constexpr int64_t kStart = 1'767'225'600;  // the clock, Unix seconds
inline constexpr const char* kWatcher = "http://load-watcher:2020";

class Fixture {
 public:
  explicit Fixture(FakeValue args = FakeValue::Object()) : plugin(berth_entry_v1, "TargetLoadPacking") {
    args.Set("watcherAddress", kWatcher);
    plugin.Args(args);
  }
  ~Fixture() {
    EXPECT_THAT(plugin.Violations(), testing::IsEmpty());
    plugin.Stop();
  }

  void Node(const std::string& name, int64_t milli = 1000) {
    plugin.cluster().Add(FakeNode(name).Allocatable({{"cpu", milli}}));
    plugin.Put("v1/nodes", NodeWithCapacity(name, milli));
  }
  void Start() {
    const Outcome started = plugin.Start();
    EXPECT_TRUE(started.ok()) << started;
    plugin.SendState();
  }
  // Answers the request that waits.
  void Answer(const FakeReply& reply) {
    plugin.host().api().Answer(plugin.host().api().requests().size() - 1, reply);
    plugin.host().tasks().Advance();
  }
  void Answer(const Loads& loads, int64_t window_end = 0) { Answer(FakeReply{200, WatcherText(loads, window_end)}); }
  void Wait(std::chrono::seconds time) { plugin.host().tasks().Advance(time); }
  Scores Score(const FakePod& pod) { return plugin.Try(pod)->Score().nodes; }

  PluginUnderTest plugin;
};

}  // namespace target_load_packing_test

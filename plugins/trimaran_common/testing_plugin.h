// For tests: a plugin with nodes, and a load-watcher that answers what the test says.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <berth/testing/plugin_under_test.hpp>

#include <string>

#include "berth/entry.h"
#include "testing_watcher.h"

namespace trimaran_test {

using namespace berth::sdk::testing;  // NOLINT: tests use the fake host's names

class PluginWithWatcher {
 public:
  PluginWithWatcher(const char* name, const FakeValue& args) : plugin(berth_entry_v1, name) { plugin.Args(args); }
  ~PluginWithWatcher() {
    EXPECT_THAT(plugin.Violations(), testing::IsEmpty());
    plugin.Stop();
  }

  void Node(const std::string& name, int64_t milli = 1000, int64_t memory = 1 << 30) {
    plugin.cluster().Add(FakeNode(name).Allocatable({{"cpu", milli}, {"memory", memory}}));
    plugin.Put("v1/nodes", NodeWithCapacity(name, milli, std::to_string(memory)));
  }
  void Start() {
    const Outcome started = plugin.Start();
    EXPECT_TRUE(started.ok()) << started;
    plugin.SendState();
  }
  // Answers the last request.
  void Answer(const Loads& loads) { Answer(FakeReply{200, WatcherText(loads)}); }
  void Answer(const FakeReply& reply) {
    plugin.host().api().Answer(plugin.host().api().requests().size() - 1, reply);
    plugin.host().tasks().Advance();
  }
  Scores Score(const FakePod& pod) { return plugin.Try(pod)->Score().nodes; }

  PluginUnderTest plugin;
};

}  // namespace trimaran_test

// For tests: a plugin with nodes, and a load-watcher that answers what the test says.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <berth/testing/plugin_under_test.hpp>

#include <string>
#include <utility>
#include <vector>

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
    ++nodes_;
  }
  void Start() {
    const Outcome started = plugin.Start();
    EXPECT_TRUE(started.ok()) << started;
    plugin.SendState();
  }
  // Answers the last request.
  void Answer(const Loads& loads) {
    const size_t before = plugin.host().changed_rows().size();
    Answer(FakeReply{200, WatcherText(loads)});
    EXPECT_GE(plugin.host().changed_rows().size(), before + nodes_) << "the host keeps scores of other loads";
  }
  void Answer(const FakeReply& reply) {
    plugin.host().api().Answer(plugin.host().api().requests().size() - 1, reply);
    plugin.host().tasks().Advance();
  }
  // As Answer, and returns how many rows the plugin reports in each task, until there are so many.
  std::vector<size_t> ChangesByTask(const FakeReply& reply, size_t until) {
    struct Counter {  // a task that runs between those of the plugin
      FakeHost& host;
      const size_t until;
      size_t before;
      std::vector<size_t> changes = {};

      static void Run(void* arg, int32_t run) {
        auto& self = *static_cast<Counter*>(arg);
        if (run == 0) return;
        const size_t now = self.host.changed_rows().size();
        self.changes.push_back(now - std::exchange(self.before, now));
        if (now < self.until) self.Post();
      }
      void Post() { FakeTasks::Table().post(host.raw(), 0, &Run, this); }
    };
    const size_t before = plugin.host().changed_rows().size();
    Counter counter{plugin.host(), before + until, before};
    plugin.host().api().Answer(plugin.host().api().requests().size() - 1, reply);
    counter.Post();
    plugin.host().tasks().Advance();
    return counter.changes;
  }
  Scores Score(const FakePod& pod) { return plugin.Try(pod)->Score().nodes; }

  PluginUnderTest plugin;

 private:
  size_t nodes_ = 0;
};

}  // namespace trimaran_test

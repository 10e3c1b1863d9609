// One instance of a plugin with a fake host and a cluster: the start of a plugin's unit tests.
//
//   PluginUnderTest plugin(berth_entry_v1, "randScore");       // the sources are linked into the test
//   PluginUnderTest plugin = PluginUnderTest::Load(path, name) // or a built library
//   plugin.Args(FakeValue::Object({{"seed", 7}}));
//   plugin.cluster().Add(FakeNode("n1"));
//   ASSERT_TRUE(plugin.Start().ok());
//   auto attempt = plugin.Try(FakePod("p"));
//   EXPECT_EQ(attempt->Score().nodes["n1"], 42);
//   EXPECT_THAT(plugin.Violations(), IsEmpty());
//
// It is a strict host: it calls in order, checks writes outside of out arrays, and checks for every host function
// whether it may be called there. A mistake of the plugin is a violation; if the test does not read the violations, the
// destructor prints them and aborts. A mistake of the test (a call before Start) throws std::logic_error.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "berth/berth.h"
#include "berth/deltas.h"
#include "berth/draft/succession.h"
#include "berth/handover.h"
#include "berth/queue_sort.h"
#include "berth/testing/attempt.hpp"

namespace berth::sdk::testing {

// An event, for hints. Objects that do not apply to the event stay empty.
struct FakeEvent {
  std::string resource;
  uint32_t actions = 0;
  uint32_t interest = 0;
  std::optional<FakePod> old_pod = std::nullopt, new_pod = std::nullopt;
  std::optional<FakeNode> old_node = std::nullopt, new_node = std::nullopt;
  std::optional<FakeValue> old_value = std::nullopt, new_value = std::nullopt;
};

// A change of a row: kind is BERTH_DELTA_NODE_* with a node, or BERTH_DELTA_POD_* with a pod.
struct FakeDelta {
  uint32_t kind = 0, row = 0;
  std::optional<FakeNode> node = std::nullopt;
  std::optional<FakePod> pod = std::nullopt;
};

// A pod in the queue; times in Unix nanoseconds.
struct FakeQueued {
  FakePod pod;
  int64_t queued = 0;
  int64_t initial_attempt = BERTH_NO_TIME;
  uint32_t attempts = 0;
};

class PluginUnderTest {
 public:
  using Entry = const berth_entry* (*)(uint32_t);

  PluginUnderTest(Entry entry, std::string name, uint32_t host_minor = BERTH_ABI_MINOR);
  // Loads a library and never closes it. Throws std::runtime_error if the library cannot be loaded.
  static PluginUnderTest Load(const std::string& path, std::string name);
  PluginUnderTest(PluginUnderTest&&) noexcept;
  PluginUnderTest& operator=(PluginUnderTest&&) = delete;
  ~PluginUnderTest();

  FakeHost& host();
  FakeCluster& cluster() { return cluster_; }
  PluginUnderTest& Args(const FakeValue& args);
  Texts Violations();

  // ---- life cycle
  // Calls create, init, and activate; stops at the first failure and returns its outcome.
  Outcome Start();
  Outcome Init();
  // Like Start, but the active `before` prepares the instance if the plugin offers the succession
  // (berth/draft/succession.h), as the host does if only args change. If the plugin refuses: ERROR with the reasons.
  Outcome StartFrom(PluginUnderTest& before);
  // Makes this instance, which `before` has prepared, the active one.
  void Commit(PluginUnderTest& before);
  Outcome Activate();
  void Deactivate();
  // Deactivates if necessary, and destroys. All attempts must have ended.
  void Stop();
  bool Offers(const char* id);
  template <class Table>
  const Table* Extension(const char* id) {
    return static_cast<const Table*>(ExtensionTable(id));
  }

  // ---- calls
  // Starts an attempt for this pod with the current state of the cluster; end it before Stop.
  std::unique_ptr<Attempt> Try(const FakePod& pod);
  bool Less(const FakeQueued& a, const FakeQueued& b);
  std::vector<InterestOutcome> Interests();
  // For each pod, whether a retry is worthwhile.
  struct HintsOutcome : Outcome {
    std::vector<bool> queue;
  };
  HintsOutcome Hints(const FakeEvent& event, const std::vector<FakePod>& pods);
  // Sends changes in this order, if the plugin asks for their kind. Views live until the instance stops.
  void Deltas(const std::vector<FakeDelta>& changes);  // in one call
  void SendState();  // the current state of the cluster as additions, which the host sends after activate
  void NodeAdded(const FakeNode& node, uint32_t row);
  void NodeChanged(const FakeNode& node, uint32_t row);
  void NodeRemoved(const FakeNode& node, uint32_t row);
  void PodAdded(const FakePod& pod, uint32_t row);
  void PodRemoved(const FakePod& pod, uint32_t row);
  std::string Dump();

  // The handover (berth/handover.h), between two instances that are active.
  std::string Save();
  Outcome LoadState(const std::string& version, const std::string& state);
  std::string Describe(const FakePod& pod, const std::string& node);
  void Adopt(const FakePod& pod, const std::string& node, const std::string& state);
  void Settle(const FakePod& pod, bool bound);

  // Adds, changes, or deletes an object of a kind ("v1/services", "apps/v1/replicasets"), as the API server does. An
  // active instance that needs the kind gets the change; at activation it gets the objects that exist.
  PluginUnderTest& Put(const std::string& kind, const FakeObject& object);
  PluginUnderTest& Delete(const std::string& kind, const std::string& name, const std::string& ns = "");

  // ---- args, without an instance
  ArgsOutcome Complete(const FakeValue& args);
  ArgsOutcome Check(const FakeValue& args);

 private:
  Outcome InitMade();
  Outcome Stage(const char* name, Domain domain, const std::function<berth_status()>& fn);
  berth_plugin* Up() const;
  berth_plugin* Active() const;
  template <class Table>
  const Table& Need(const char* id) {
    return *static_cast<const Table*>(NeedTable(id));
  }
  const void* ExtensionTable(const char* id);
  const void* NeedTable(const char* id);
  void Tell(uint32_t kind, const FakeObjects::Change& change);
  void TellObjects();
  void Send(std::vector<berth_delta> deltas);
  // The text that fn(sink, ctx) writes in a call.
  std::string Written(const char* name, const std::function<void(berth_text_sink, void*)>& fn);
  ArgsOutcome JudgeArgs(const FakeValue& args, bool complete);

  const berth_entry* entry_;
  std::string name_;
  std::unique_ptr<FakeHost> host_;
  FakeCluster cluster_;
  Arena shown_;
  berth_plugin* instance_ = nullptr;
  bool active_ = false;
  std::vector<std::shared_ptr<const void>> sent_;
};

}  // namespace berth::sdk::testing

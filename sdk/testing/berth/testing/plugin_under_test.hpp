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

#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "berth/berth.h"
#include "berth/deltas.h"
#include "berth/draft/succession.h"
#include "berth/handover.h"
#include "berth/queue_sort.h"
#include "berth/testing/attempt.hpp"

namespace berth::sdk::testing {

// An event, for hints. Objects that do not apply stay empty.
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

  PluginUnderTest(Entry entry, std::string name, uint32_t host_minor = BERTH_ABI_MINOR)
      : entry_(entry(host_minor)), name_(std::move(name)), host_(std::make_unique<FakeHost>()) {
    if (entry_ == nullptr) throw std::invalid_argument("the library refuses this host");
    host_->Name(name_);
  }
  // Loads a library for good (it is never closed). Throws std::runtime_error when it cannot be loaded.
  static PluginUnderTest Load(const std::string& path, std::string name) {
    void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) throw std::runtime_error(dlerror());
    void* symbol = dlsym(library, "berth_entry_v1");
    if (symbol == nullptr) throw std::runtime_error(path + " has no berth_entry_v1");
    return {reinterpret_cast<Entry>(symbol), std::move(name)};
  }
  PluginUnderTest(PluginUnderTest&&) = default;
  PluginUnderTest& operator=(PluginUnderTest&&) = delete;
  ~PluginUnderTest() {
    if (host_ == nullptr) return;  // moved from
    Stop();
    const Texts unseen = host_->checker().Unseen();
    for (const std::string& violation : unseen) {
      std::fprintf(stderr, "plugin %s: %s\n", name_.c_str(), violation.c_str());
    }
    if (!unseen.empty()) std::abort();
  }

  FakeHost& host() { return *host_; }
  FakeCluster& cluster() { return cluster_; }
  PluginUnderTest& Args(const FakeValue& args) { return host_->Args(args), *this; }
  Texts Violations() { return host_->checker().Violations(); }

  // ---- life cycle
  // create, init, activate; stops at the first that fails and answers its outcome.
  Outcome Start() {
    const Outcome outcome = Init();
    return outcome.ok() ? Activate() : outcome;
  }
  Outcome Init() {
    if (instance_ != nullptr) throw std::logic_error("the plugin is started already");
    {
      const CallScope scope(host_->checker(), "create", kCreating);
      instance_ = entry_->create(shown_.Text(name_).ptr, host_->raw());
    }
    return InitMade();
  }
  // As Start, with an instance that the active `before` prepares if the plugin offers the succession
  // (berth/draft/succession.h), as the host does if only args change. If it refuses: ERROR with the reasons.
  Outcome StartFrom(PluginUnderTest& before) {
    const auto* table = before.Extension<berth_succession>(BERTH_POINT_SUCCESSION);
    if (table == nullptr) return Start();
    if (instance_ != nullptr) throw std::logic_error("the plugin is started already");
    {
      CallScope scope(host_->checker(), "prepare", kAsking);
      instance_ = table->prepare(before.Active(), host_->raw());
      if (instance_ == nullptr && !scope.because.empty()) return {BERTH_ERROR, std::move(scope.because)};
    }
    if (instance_ == nullptr) return Start();
    const Outcome outcome = InitMade();
    return outcome.ok() ? Activate() : outcome;
  }
  // This instance, which `before` has prepared, takes over.
  void Commit(PluginUnderTest& before) {
    const auto& table = Need<berth_succession>(BERTH_POINT_SUCCESSION);
    if (table.commit == nullptr) return;
    const CallScope scope(host_->checker(), "commit", kSerial);
    table.commit(instance_, before.Active());
  }
  Outcome Activate() {
    Outcome outcome = Stage("activate", kActivating, [this] { return Up()->activate(instance_); });
    active_ = outcome.ok();
    if (active_) TellObjects();
    return outcome;
  }
  void Deactivate() {
    if (!std::exchange(active_, false)) return;
    const CallScope scope(host_->checker(), "deactivate", kEnding);
    instance_->deactivate(instance_);
  }
  // Deactivates if need be, and destroys. Attempts must have ended.
  void Stop() {
    if (instance_ == nullptr) return;
    Deactivate();
    host_->tasks().End();
    host_->api().End();
    {
      const CallScope scope(host_->checker(), "destroy", kEnding);
      instance_->destroy(instance_);
    }
    instance_ = nullptr;
    host_->api().DropAll();
    host_->set_instance(nullptr);
    host_->checker().set_alive(false);
  }
  bool Offers(const char* id) {
    const CallScope scope(host_->checker(), "extension", kAsking);
    return Up()->extension(instance_, id) != nullptr;
  }
  template <class Table>
  const Table* Extension(const char* id) {
    const CallScope scope(host_->checker(), "extension", kAsking);
    return static_cast<const Table*>(Up()->extension(instance_, id));
  }

  // ---- calls
  // An attempt for this pod over the cluster as it is now; end it before Stop.
  std::unique_ptr<Attempt> Try(const FakePod& pod) {
    return std::make_unique<Attempt>(Active(), *host_, cluster_, pod);
  }
  bool Less(const FakeQueued& a, const FakeQueued& b) {
    Arena arena;
    const auto pod_a = a.pod.Build(), pod_b = b.pod.Build();
    const berth_queued raw_a{sizeof(berth_queued), a.attempts, pod_a->raw(), a.queued, a.initial_attempt};
    const berth_queued raw_b{sizeof(berth_queued), b.attempts, pod_b->raw(), b.queued, b.initial_attempt};
    const auto& table = Need<berth_queue_sort>(BERTH_POINT_QUEUE_SORT);
    const CallScope scope(host_->checker(), "Less", kSerial);
    return table.less(instance_, arena.Make(raw_a), arena.Make(raw_b)) != 0;
  }
  std::vector<InterestOutcome> Interests() {
    const auto& table = Need<berth_events>(BERTH_POINT_EVENTS);
    const CallScope scope(host_->checker(), "Interests", kSerial);
    std::vector<InterestOutcome> interests;
    for (const berth_interest& one : List<berth_interest>(table.interests(instance_))) {
      interests.push_back({std::string(View(one.resource)), one.actions, (one.flags & BERTH_INTEREST_HINT) != 0});
    }
    return interests;
  }
  // Per pod: is it worth a retry?
  struct HintsOutcome : Outcome {
    std::vector<bool> queue;
  };
  HintsOutcome Hints(const FakeEvent& event, const std::vector<FakePod>& pods);
  // A feed of changes, in order, of the kinds that the plugin asks for. Views live until the instance stops.
  void Deltas(const std::vector<FakeDelta>& changes);  // in one call
  void SendState();  // the cluster as it is now, as additions: what the host sends after activate
  void NodeAdded(const FakeNode& node, uint32_t row) { Deltas({{BERTH_DELTA_NODE_ADD, row, node}}); }
  void NodeChanged(const FakeNode& node, uint32_t row) { Deltas({{BERTH_DELTA_NODE_CHANGE, row, node}}); }
  void NodeRemoved(const FakeNode& node, uint32_t row) { Deltas({{BERTH_DELTA_NODE_REMOVE, row, node}}); }
  void PodAdded(const FakePod& pod, uint32_t row) { Deltas({{BERTH_DELTA_POD_ADD, row, std::nullopt, pod}}); }
  void PodRemoved(const FakePod& pod, uint32_t row) { Deltas({{BERTH_DELTA_POD_REMOVE, row, std::nullopt, pod}}); }
  std::string Dump();

  // The handover (berth/handover.h), between two instances that are active.
  std::string Save();
  Outcome LoadState(const std::string& version, const std::string& state);
  std::string Describe(const FakePod& pod, const std::string& node);
  void Adopt(const FakePod& pod, const std::string& node, const std::string& state);
  void Settle(const FakePod& pod, bool bound);

  // An object of a kind ("v1/services", "apps/v1/replicasets") that the API server adds, changes, or
  // deletes. An active instance that needs the kind gets the change; at activation it gets the objects that exist.
  PluginUnderTest& Put(const std::string& kind, const FakeObject& object);
  PluginUnderTest& Delete(const std::string& kind, const std::string& name, const std::string& ns = "");

  // ---- args, without an instance
  ArgsOutcome Complete(const FakeValue& args) { return JudgeArgs(args, true); }
  ArgsOutcome Check(const FakeValue& args) { return JudgeArgs(args, false); }

 private:
  Outcome InitMade() {
    if (instance_ == nullptr) throw std::invalid_argument("the library has no plugin " + name_);
    host_->set_instance(instance_);
    return Stage("init", kStarting, [this] { return instance_->init(instance_); });
  }
  template <class Fn>
  Outcome Stage(const char* name, Domain domain, Fn&& fn) {
    CallScope scope(host_->checker(), name, domain);
    const berth_status code = fn();
    if (code == BERTH_ERROR && scope.because.empty()) {
      host_->checker().Report(std::string(name) + " returned ERROR without saying why");
    }
    return {code, std::move(scope.because)};
  }
  berth_plugin* Up() const {
    if (instance_ == nullptr) throw std::logic_error("the plugin is not started");
    return instance_;
  }
  berth_plugin* Active() const {
    if (!active_) throw std::logic_error("the plugin is not active");
    return instance_;
  }
  template <class Table>
  const Table& Need(const char* id) {
    Active();
    const Table* table = Extension<Table>(id);
    if (table == nullptr) throw std::logic_error(std::string("the plugin does not offer ") + id);
    return *table;
  }
  void Tell(uint32_t kind, const FakeObjects::Change& change);
  void TellObjects();
  void Send(std::vector<berth_delta> deltas);
  // What fn(sink, ctx) writes in a call.
  template <class Fn>
  std::string Written(const char* name, Fn&& fn);
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

#include "berth/testing/plugin_calls.hpp"

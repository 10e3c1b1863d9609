// One scheduling attempt of one pod, as the host makes it. A test can call the extension points in any order, on any
// thread of their thread domain. PluginUnderTest::Try makes it. The end of the attempt frees the plugin's data.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "berth/berth.h"
#include "berth/pod_change.h"
#include "berth/post_filter.h"
#include "berth/testing/fake_host.hpp"
#include "berth/testing/outcome.hpp"

namespace berth::sdk::testing {

// A berth_op that remembers its outcome.
class FakeOp {
 public:
  explicit FakeOp(Checker& checker);
  berth_op* raw() { return &face_; }
  bool ended();
  // Waits for done(); nullopt: the plugin did not call done() in time.
  std::optional<Outcome> Wait(std::chrono::milliseconds time);

 private:
  static void Done(berth_op* op, berth_status status, const berth_str* reasons, uint32_t n);

  berth_op face_;  // first: a berth_op* is a FakeOp* the first member, so that a berth_op* is a FakeOp*
  Checker& checker_;
  std::mutex mutex_;
  std::condition_variable ended_;
  std::optional<Outcome> outcome_;
};

// A call whose result may come later, after the call has returned.
class StartedCall {
 public:
  StartedCall(Outcome answered, std::shared_ptr<FakeOp> op);
  bool ended() const;
  // Throws std::logic_error if the call has not ended.
  Outcome outcome() const;
  void WaitFor(std::chrono::milliseconds time) const;

 private:
  Outcome answered_;
  std::shared_ptr<FakeOp> op_;
};

class Attempt {
 public:
  // Tries the pod against the current state of the cluster. The instance must be active.
  Attempt(berth_plugin* instance, FakeHost& host, const FakeCluster& cluster, const FakePod& pod);
  Attempt(const Attempt&) = delete;
  Attempt& operator=(const Attempt&) = delete;
  ~Attempt();

  void Cancel() { cycle_.cancelled = true; }
  FakeHost::CycleState& cycle() { return cycle_; }
  const berth_pod* pod() const;
  const FakeCluster& cluster() const { return *cluster_; }

  // These functions throw std::logic_error if the plugin has no table for the extension point.
  Outcome PreEnqueue();
  PreFilterOutcome PreFilter();
  // Judges the named nodes; by default, all nodes. If the table has BERTH_TOTAL, the plugin is also called with
  // dense rows, and a different answer is a violation.
  FilterOutcome Filter(const Texts& nodes = {});
  // Like Filter, in chunks of a few rows on several threads at once.
  FilterOutcome FilterInParallel(uint32_t threads, uint32_t chunk = 3);
  Outcome PreScore(const Texts& nodes = {});
  ScoreOutcome Score(const Texts& nodes = {});
  // Normalizes the raw scores as the host does: by the plugin, by the rule that its table names, or not at all.
  ScoreOutcome Normalize(const Scores& raw);
  Outcome Reserve(const std::string& node);
  void Unreserve(const std::string& node);
  PermitOutcome Permit(const std::string& node);
  Outcome PreFlight(const std::string& node);
  // Does not wait. The attempt must outlive the code that ends the call.
  StartedCall StartPreBind(const std::string& node);
  // PreBind and Bind wait for an outcome that comes later, and report an outcome that does not come within ten seconds.
  // Meanwhile they run the tasks that are due and answer requests with host.api().AnswersBy; no fake time passes.
  Outcome PreBind(const std::string& node);
  Outcome Bind(const std::string& node);
  void PostBind(const std::string& node);
  // verdicts: the result of Filter per node name; all other nodes count as not examined, and get `absent`.
  PostFilterOutcome PostFilter(const std::map<std::string, berth_status>& verdicts = {},
                               berth_status absent = BERTH_UNSCHEDULABLE);

  // A trial: the same pod over a changed cluster, with a copy of the cycle data, as for nominated pods and preemption.
  // It must end before this attempt does. If cycle_clone fails, the trial has no data.
  std::unique_ptr<Attempt> Trial();
  Outcome AddPod(const FakePod& added, const std::string& node);
  Outcome RemovePod(const FakePod& removed, const std::string& node);
  // Takes a view that a fake has made.
  Outcome AddPod(const berth_pod* added, const std::string& node);
  Outcome RemovePod(const berth_pod* removed, const std::string& node);

 private:
  Attempt(const Attempt& parent, void* data, bool own);

  using Fn = std::function<berth_status()>;

  template <class Table>
  const Table& Ask(const char* id) {
    return *static_cast<const Table*>(AskTable(id));
  }
  const void* AskTable(const char* id);
  // Runs fn as a call of this thread domain.
  Outcome Call(const char* name, Domain domain, const Fn& fn);
  // Like Call, for calls in which the cycle has no snapshot.
  Outcome CallOutside(const char* name, Domain domain, const Fn& fn);
  StartedCall StartOp(const char* name, const std::function<berth_status(berth_op*)>& fn);
  Outcome CallOp(const char* name, const std::function<berth_status(berth_op*)>& fn);
  Outcome Change(const std::shared_ptr<const PodObject>& pod, const std::string& node, bool added);
  std::vector<uint32_t> RowsOf(const Texts& nodes) const;
  FilterOutcome FilterRows(const std::vector<uint32_t>& rows);
  void CompareDense(const std::vector<uint32_t>& rows, const FilterOutcome& picked);
  ScoreOutcome ScoreRows(const std::vector<uint32_t>& rows);

  berth_plugin* instance_;
  FakeHost* host_;
  std::shared_ptr<FakeCluster> cluster_;
  std::shared_ptr<const PodObject> pod_;
  std::shared_ptr<FakeSnapshot> snap_;
  FakeHost::CycleState cycle_;
  void* borrowed_ = nullptr;  // the parent's data, shared because the plugin has no cycle_clone
  std::vector<std::shared_ptr<void>> kept_;
};

}  // namespace berth::sdk::testing

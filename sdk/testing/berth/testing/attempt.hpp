// One scheduling attempt of one pod, as the host would drive it: call the points in the order you like to test, on any
// thread domain's thread. Data the plugin set is freed when the attempt ends. Made by PluginUnderTest::Try.
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
  // Waits for done(); nullopt when it does not come in time.
  std::optional<Outcome> Wait(std::chrono::milliseconds time);

 private:
  static void Done(berth_op* op, berth_status status, const berth_str* reasons, uint32_t n);

  berth_op face_;  // first: a berth_op* is a FakeOp*
  Checker& checker_;
  std::mutex mutex_;
  std::condition_variable ended_;
  std::optional<Outcome> outcome_;
};

// A call that may end later, and may not have ended yet.
class StartedCall {
 public:
  StartedCall(Outcome answered, std::shared_ptr<FakeOp> op);
  bool ended() const;
  // Throws std::logic_error when it has not ended.
  Outcome outcome() const;
  void WaitFor(std::chrono::milliseconds time) const;

 private:
  Outcome answered_;
  std::shared_ptr<FakeOp> op_;
};

class Attempt {
 public:
  // pod is tried against the cluster as it is now. instance is active.
  Attempt(berth_plugin* instance, FakeHost& host, const FakeCluster& cluster, const FakePod& pod);
  Attempt(const Attempt&) = delete;
  Attempt& operator=(const Attempt&) = delete;
  ~Attempt();

  void Cancel() { cycle_.cancelled = true; }
  FakeHost::CycleState& cycle() { return cycle_; }
  const berth_pod* pod() const;
  const FakeCluster& cluster() const { return *cluster_; }

  // Without a table for the point these throw std::logic_error.
  Outcome PreEnqueue();
  PreFilterOutcome PreFilter();
  // Judges the named nodes, all of them by default. Where the table says BERTH_TOTAL the question is put densely as
  // well, and different answers are a violation.
  FilterOutcome Filter(const Texts& nodes = {});
  // As Filter, in chunks of a few rows on several threads at once.
  FilterOutcome FilterInParallel(uint32_t threads, uint32_t chunk = 3);
  Outcome PreScore(const Texts& nodes = {});
  ScoreOutcome Score(const Texts& nodes = {});
  // As the host would normalise these raw scores: by the plugin, by the rule its table names, or not at all.
  ScoreOutcome Normalize(const Scores& raw);
  Outcome Reserve(const std::string& node);
  void Unreserve(const std::string& node);
  PermitOutcome Permit(const std::string& node);
  Outcome PreFlight(const std::string& node);
  // Does not wait; the attempt must outlive what ends it.
  StartedCall StartPreBind(const std::string& node);
  // PreBind and Bind wait for an outcome that comes later, and report one that does not come within ten seconds.
  // Meanwhile tasks that are due run, and requests are answered as host.api().AnswersBy says; no fake time passes.
  Outcome PreBind(const std::string& node);
  Outcome Bind(const std::string& node);
  void PostBind(const std::string& node);
  // verdicts: per node name what Filter said; other nodes count as not examined, and get `absent`.
  PostFilterOutcome PostFilter(const std::map<std::string, berth_status>& verdicts = {},
                               berth_status absent = BERTH_UNSCHEDULABLE);

  // A trial: the same pod over a changed cluster, with a copy of the cycle data, as for nominated pods and preemption.
  // It must end before this attempt does. Without data when cycle_clone fails.
  std::unique_ptr<Attempt> Trial();
  Outcome AddPod(const FakePod& added, const std::string& node);
  Outcome RemovePod(const FakePod& removed, const std::string& node);
  // With a view that a fake has made.
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
  // Runs fn as a call of that domain.
  Outcome Call(const char* name, Domain domain, const Fn& fn);
  // As Call, for calls in which the cycle has no snapshot.
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

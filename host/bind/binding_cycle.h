// The binding cycle of one pod: PreFlight, the wait for Permit, PreBind, Bind (by an extender or by plugins), PostBind.
// It advances on the executor, gives its thread back wherever it has to wait, and reports to the scheduling thread. An
// extender is asked on the threads for that, since the call waits for a reply. Source: bindingCycle of
// pkg/scheduler/schedule_one.go; core.md 1.14.
//
// Thread: Start from the scheduling thread, then executor threads, one at a time. Ownership: the job is the caller's
// and must live until Finished has been called for it.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/pod.h"
#include "base/clock.h"
#include "bind/executor.h"
#include "bind/open_operations.h"
#include "bind/pods_in_pre_bind.h"
#include "bind/waiting_pods.h"
#include "framework/profile.h"
#include "framework/serial_points.h"

namespace berth::bind {

// One pod on its way from the scheduling cycle to its node.
struct BindJob {
  std::shared_ptr<const framework::ProfileSet> policy;  // the generation that decided
  framework::Profile* profile = nullptr;
  api::PodRef pod;  // assumed: with its node's name
  base::OwnedId node;
  std::string node_name;
  berth_cycle* cycle = nullptr;
  uint32_t evaluated_nodes = 0, feasible_nodes = 0;  // for the log
  bool waits_on_permit = false;
  bool nominated = false;               // SetNominatedNode was asked for
  std::vector<uint8_t> pre_bind_skips;  // by position in At(kPreBind): PreFlight answered SKIP
  bool pre_bind_works = false;          // some did not
};

// What the cycle tells the scheduling thread and asks of the API server. Called on executor threads.
class BindingPort {
 public:
  virtual ~BindingPort() = default;
  virtual void SetNominatedNode(BindJob& job) = 0;  // status.nominatedNodeName = node, best effort
  virtual void PermitOver(BindJob& job) = 0;        // events no longer need to be kept for the pod
  virtual void BoundByExtender(BindJob& job) = 0;   // an extender says so; Finished follows
  // status: Success, or why not. at_permit: Permit's outcome, which counts as a rejection of the node; later failures
  // count as errors. Unreserve has been called for a failure. The job is not touched afterwards.
  virtual void Finished(BindJob& job, plugin::Status status, bool at_permit) = 0;
};

class BindingCycle {
 public:
  // blocking: where extenders are asked; may be the executor, whose threads then wait.
  BindingCycle(Executor& executor, Executor& blocking, WaitingPods& waiting, BindingPort& port,
               const base::Clock& clock)
      : executor_(executor), blocking_(blocking), waiting_(waiting), port_(port), operations_(clock) {}
  void Start(BindJob& job);
  // A pod whose PreBind has not ended goes back: its attempt fails with this cause. false: it is not that far, or too
  // far. Any thread.
  bool GiveUp(std::string_view uid, std::string cause) { return in_pre_bind_.GiveUp(uid, std::move(cause)); }
  OpenOperations& operations() { return operations_; }
  const OpenOperations& operations() const { return operations_; }

 private:
  template <class Taken, class Fn>
  void CallWithOp(plugin::Instance& plugin, const char* what, const api::PodRef& pod, Taken&& taken, Fn&& fn,
                  std::function<void(plugin::Status)> resume);
  void PreFlight(BindJob& job);
  void PermitDecided(BindJob& job, plugin::Status status);
  void PreBind(BindJob& job, size_t i);
  void PreBindOver(BindJob& job, size_t i, plugin::Status status);
  void PreBound(BindJob& job);
  void AskExtender(BindJob& job, size_t i);
  void Bind(BindJob& job, size_t i);
  void Bound(BindJob& job);
  void BindOver(BindJob& job, size_t i, plugin::Status status);
  void PostBind(BindJob& job);
  void Fail(BindJob& job, plugin::Status status, bool at_permit = false);

  Executor& executor_;
  Executor& blocking_;
  WaitingPods& waiting_;
  BindingPort& port_;
  PodsInPreBind in_pre_bind_;
  OpenOperations operations_;
};

}  // namespace berth::bind

// The binding cycle of one pod: PreBindPreFlight, WaitOnPermit, PreBind, Bind (by an extender or by plugins), PostBind.
// It returns its thread whenever it has to wait, and reports to the scheduling thread. What may block its thread runs
// on the executor. The rest needs no change of threads: PreBindPreFlight and Bind of plugins that never block run on
// the scheduling thread, and the end of an operation goes on where the operation ended. Extenders have their own
// threads, because a call waits for the reply. Source: bindingCycle of pkg/scheduler/schedule_one.go.
//
// Thread: Start on the scheduling thread, then any thread, one at a time for each job. Ownership: the caller owns the
// job and keeps it until Finished has been called for it.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/pod.h"
#include "base/clock.h"
#include "scheduler/bind/executor.h"
#include "scheduler/bind/open_operations.h"
#include "scheduler/bind/pods_in_pre_bind.h"
#include "scheduler/bind/waiting_pods.h"
#include "scheduler/framework/attempt_trace.h"
#include "scheduler/framework/profile.h"
#include "scheduler/framework/serial_points.h"

namespace berth::bind {

// One pod between the scheduling cycle and the end of its binding.
struct BindJob {
  std::shared_ptr<const framework::ProfileSet> policy;  // of the scheduling cycle
  framework::Profile* profile = nullptr;
  api::PodRef pod;  // the assumed pod, with the name of its node
  base::OwnedId node;
  std::string node_name;
  berth_cycle* cycle = nullptr;
  uint32_t evaluated_nodes = 0, feasible_nodes = 0;  // for the log
  bool waits_on_permit = false;
  bool nominated = false;               // SetNominatedNode has been called
  std::vector<uint8_t> pre_bind_skips;  // by position in At(kPreBind): PreBindPreFlight returned SKIP
  bool pre_bind_works = false;          // some plugin did not return SKIP
  bool off_executor = false;            // the cycle runs on a thread that it must not block
  bool sampled = false;                 // as CycleContext::sampled
  framework::AttemptTrace trace;
  trace::SpanContext point_span;                    // of the extension point that began at point_began_ns
  int64_t point_began_ns = 0, plugin_began_ns = 0;  // steady clock; of PreBind or Bind
  decisions::PointMicros points{};                  // of the points of the binding cycle
  int64_t permit_wait_ns = 0;
};

// The reports of binding cycles to the scheduling thread, and their writes. Called on the thread of the cycle; no call
// blocks it.
class BindingPort {
 public:
  virtual ~BindingPort() = default;
  virtual void SetNominatedNode(BindJob& job) = 0;  // status.nominatedNodeName = node, best effort
  virtual void PermitOver(BindJob& job) = 0;        // the queue no longer has to record events for the pod
  virtual bool MayBind() const = 0;                 // whether an extender may be called to bind a pod now
  virtual void BoundByExtender(BindJob& job) = 0;   // an extender has bound the pod; Finished follows
  // status: Success, or the failure, for which Unreserve has run. at_permit: the failure comes from Permit and counts
  // as a rejection of the node; later failures count as errors. The binding cycle does not use the job afterwards.
  virtual void Finished(BindJob& job, plugin::Status status, bool at_permit) = 0;
};

class BindingCycle {
 public:
  // blocking: runs the calls of extenders; may be the executor, whose threads then wait for the replies.
  BindingCycle(Executor& executor, Executor& blocking, WaitingPods& waiting, BindingPort& port,
               const base::Clock& clock)
      : executor_(executor), blocking_(blocking), waiting_(waiting), port_(port), operations_(clock) {}
  void Start(BindJob& job);
  // Fails the attempt of a pod that is in PreBind with this cause. false: the pod is not in PreBind. Any thread.
  bool GiveUp(std::string_view uid, std::string cause) { return in_pre_bind_.GiveUp(uid, std::move(cause)); }
  OpenOperations& operations() { return operations_; }
  const OpenOperations& operations() const { return operations_; }

 private:
  using Resume = std::function<void(plugin::Status)>;
  // Where the cycle goes on.
  enum class Then { kHere, kOnExecutor };
  template <class Fn>
  static void Continue(Executor& executor, BindJob& job, Then then, Fn&& rest);
  template <class Fn>
  void OnExecutor(BindJob& job, Fn&& rest);
  template <class Taken, class Fn>
  void CallWithOp(plugin::Instance& plugin, const char* what, BindJob& job, Then then, Taken&& taken, Fn&& fn,
                  Resume resume);
  void PreFlight(BindJob& job);
  plugin::Status AskPreFlights(BindJob& job);
  void PreFlightOver(BindJob& job);
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
  void Unreserve(BindJob& job, plugin::Status status, bool at_permit);

  Executor& executor_;
  Executor& blocking_;
  WaitingPods& waiting_;
  BindingPort& port_;
  PodsInPreBind in_pre_bind_;
  OpenOperations operations_;
};

}  // namespace berth::bind

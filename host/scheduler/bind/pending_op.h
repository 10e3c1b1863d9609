// A call that may end later: the berth_op that a plugin gets. The return of LATER and the call of done() come in either
// order; the second one resumes the binding cycle.
// Thread: any. Ownership: a pool owns the operations and never frees them, so that a plugin that breaks the rules and
// ends an operation twice does not crash the host. The pool reuses the operation that has been idle for the longest
// time, so that a second end rarely meets another call.
#pragma once

#include <functional>

#include "base/thread_annotations.h"
#include "berth/abi.h"
#include "plugin/instance/status.h"

namespace berth::bind {

class PendingOp {
 public:
  using Resume = std::function<void(plugin::Status)>;

  PendingOp() : op_{{sizeof(berth_op), 0, Done}, this} {}  // of the pool

  // plugin_name: the plugin that gets the operation. resume is called at most once, on the thread that ends it.
  static PendingOp* Take(base::Id plugin_name, Resume resume);
  berth_op* abi() { return &op_.abi; }

  // The function has returned LATER. When done() has been called before, this calls resume.
  void ReturnedLater();
  // The function has returned another status: the operation has ended, and a later done() has no effect.
  void ReturnedNow();
  // The number of this use of the operation. Only the caller of Take may read it, until the plugin's call returns.
  // NO_THREAD_SAFETY_ANALYSIS: only Take changes it, and until then no Take gets this operation.
  uint64_t ticket() const NO_THREAD_SAFETY_ANALYSIS { return ticket_; }
  // Ends the operation with this status: resume is called with it as soon as the function has returned LATER, and the
  // plugin's done() has no effect. When the operation has ended, or has another ticket, nothing happens. Any thread.
  void Abandon(uint64_t ticket, plugin::Status status);
  // Like Abandon, but does nothing to an operation that the host ends. false: nothing happened.
  bool AbandonUnlessHeld(uint64_t ticket, plugin::Status status);
  // The host ends the operation. When the plugin's call ends before, for example because the plugin passes the op to
  // the binder and then throws, no other call gets the operation until the host has called done().
  static void HeldByHost(berth_op* op);
  bool held_by_host();

 private:
  struct Op {
    berth_op abi;
    PendingOp* owner;
  };
  // The call of resume, to be made after the lock is released.
  struct Outcome {
    Resume resume;  // empty: there is nothing to call
    plugin::Status status;
    void Deliver() {
      if (resume) resume(std::move(status));
    }
  };
  enum class State { kIdle, kRunning, kDone, kLater, kAbandoned };
  static void Done(berth_op* op, berth_status status, const berth_str* reasons, uint32_t n);
  void SetStatus(berth_status status, const berth_str* reasons, uint32_t n) REQUIRES(mutex_);
  bool MayAbandon(uint64_t ticket) const REQUIRES(mutex_);
  Outcome AbandonNow(plugin::Status status) REQUIRES(mutex_);
  Outcome Finish() REQUIRES(mutex_);
  Outcome FinishAbandoned() REQUIRES(mutex_);
  void GiveBack() REQUIRES(mutex_);

  Op op_;  // the same in every use, because a plugin may end an operation that has ended
  base::Mutex mutex_;
  State state_ GUARDED_BY(mutex_) = State::kIdle;
  uint64_t ticket_ GUARDED_BY(mutex_) = 0;
  bool held_by_host_ GUARDED_BY(mutex_) = false;
  bool abandoned_ GUARDED_BY(mutex_) = false;  // before the return of LATER; status_ is the outcome
  base::Id plugin_ GUARDED_BY(mutex_) = base::kNoId;
  plugin::Status status_ GUARDED_BY(mutex_);
  Resume resume_ GUARDED_BY(mutex_);
};

}  // namespace berth::bind

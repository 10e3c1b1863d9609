// A call that may end later: the berth_op that a plugin gets. The return of LATER and the call of done() come in either
// order; the second one resumes the binding cycle.
// Thread: any. Ownership: a pool owns the operations and never frees them, so that a plugin that breaks the rules and
// ends an operation twice does not crash the host. The pool reuses the operation that has been idle for the longest
// time, so that a second end rarely meets another call.
#pragma once

#include <functional>
#include <mutex>

#include "berth/abi.h"
#include "plugin/instance/status.h"

namespace berth::bind {

class PendingOp {
 public:
  using Resume = std::function<void(plugin::Status)>;

  // plugin_name: the plugin that gets the operation. resume is called at most once, on the thread that ends it.
  static PendingOp* Take(base::Id plugin_name, Resume resume);
  berth_op* abi() { return &op_.abi; }

  // The function has returned LATER. When done() has been called before, this calls resume.
  void ReturnedLater();
  // The function has returned another status: the operation has ended, and a later done() has no effect.
  void ReturnedNow();
  // The number of this use of the operation. Only the caller of Take may read it, until the plugin's call returns.
  uint64_t ticket() const { return ticket_; }
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
  enum class State { kIdle, kRunning, kDone, kLater, kAbandoned };
  static void Done(berth_op* op, berth_status status, const berth_str* reasons, uint32_t n);
  void SetStatus(berth_status status, const berth_str* reasons, uint32_t n);
  void Finish(std::unique_lock<std::mutex> lock);
  bool Abandon(std::unique_lock<std::mutex> lock, plugin::Status status);
  void FinishAbandoned(std::unique_lock<std::mutex> lock);
  void GiveBack();

  Op op_{};
  std::mutex mutex_;  // guards what follows
  State state_ = State::kIdle;
  uint64_t ticket_ = 0;
  bool held_by_host_ = false, abandoned_ = false;  // abandoned_: before the return of LATER; status_ is the outcome
  base::Id plugin_ = base::kNoId;
  plugin::Status status_;
  Resume resume_;
};

}  // namespace berth::bind

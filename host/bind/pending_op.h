// A call that may end later: the berth_op handed to a plugin, and the meeting of two parties that may come in either
// order, the function returning LATER and done() being called. Whoever comes second goes on. Thread: any. Ownership:
// operations come from a pool that is never given back to the system, so that a plugin that ends one twice, against the
// rules, finds memory and not a crash; the pool hands the longest idle one out, so that it rarely finds another's call.
#pragma once

#include <functional>
#include <mutex>

#include "berth/abi.h"
#include "plugin/status.h"

namespace berth::bind {

class PendingOp {
 public:
  using Resume = std::function<void(plugin::Status)>;

  // plugin_name: whose call it is. resume is called at most once, on the thread that ended the operation.
  static PendingOp* Take(base::Id plugin_name, Resume resume);
  berth_op* abi() { return &op_.abi; }

  // The function returned LATER; when done() already came, resume is called here.
  void ReturnedLater();
  // The function returned something else: the operation is over, and a later done() is ignored.
  void ReturnedNow();
  // Tells this use of the operation from others. Whoever called Take may ask, until the call has returned.
  uint64_t ticket() const { return ticket_; }
  // The outcome is no longer waited for: once LATER has been returned, resume is called with this status, and the
  // plugin's done() changes nothing. Too late, or for another use of the operation: nothing happens. Any thread.
  void Abandon(uint64_t ticket, plugin::Status status);
  // As Abandon, but not of what the host itself is going to end. false: nothing happened.
  bool AbandonUnlessHeld(uint64_t ticket, plugin::Status status);
  // The host itself is going to end the operation. Should the plugin's call be over before, as when it hands the op to
  // the binder and then throws, the operation is not used for another call until the host's done() has come.
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
  bool held_by_host_ = false, abandoned_ = false;  // abandoned_: before LATER was returned; status_ is the outcome
  base::Id plugin_ = base::kNoId;
  plugin::Status status_;
  Resume resume_;
};

}  // namespace berth::bind

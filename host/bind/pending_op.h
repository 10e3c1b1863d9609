// A call that may end later: the berth_op handed to a plugin, and the meeting of two parties that may come in either
// order, the function returning LATER and done() being called. Whoever comes second goes on. Thread: any. Ownership:
// operations come from a pool that is never given back to the system, so that a plugin that ends one twice, against the
// rules, finds memory and not a crash.
#pragma once

#include <atomic>
#include <functional>

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

 private:
  struct Op {
    berth_op abi;
    PendingOp* owner;
  };
  enum State : int { kIdle, kRunning, kDoneFirst, kLater };
  static void Done(berth_op* op, berth_status status, const berth_str* reasons, uint32_t n);
  void Finish();
  void GiveBack();

  Op op_{};
  std::atomic<int> state_{kIdle};
  std::atomic<bool> ended_{true};
  base::Id plugin_ = base::kNoId;
  plugin::Status status_;
  Resume resume_;
};

}  // namespace berth::bind

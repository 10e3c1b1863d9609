#include "scheduler/bind/pending_op.h"

#include <deque>
#include <utility>

namespace berth::bind {
namespace {

constexpr size_t kRestingOps = 1024;  // the pool reuses an operation after so many calls
struct OpPool {
  base::Mutex mutex;
  std::deque<PendingOp*> resting GUARDED_BY(mutex);
  // Every operation, also those that a plugin never ends, so that a leak checker finds them.
  std::deque<PendingOp> all GUARDED_BY(mutex);
};
OpPool& Pool() {
  static auto* pool = new OpPool;
  return *pool;
}

}  // namespace

PendingOp* PendingOp::Take(base::Id plugin_name, Resume resume) {
  PendingOp* op = nullptr;
  {
    OpPool& pool = Pool();
    base::MutexLock lock(pool.mutex);
    if (pool.resting.size() >= kRestingOps) {
      op = pool.resting.front();
      pool.resting.pop_front();
    } else {
      op = &pool.all.emplace_back();
    }
  }
  base::MutexLock lock(op->mutex_);
  op->plugin_ = plugin_name;
  op->status_ = {};
  op->resume_ = std::move(resume);
  op->held_by_host_ = op->abandoned_ = false;
  ++op->ticket_;
  op->state_ = State::kRunning;
  return op;
}

void PendingOp::HeldByHost(berth_op* abi) {
  PendingOp& op = *reinterpret_cast<Op*>(abi)->owner;
  base::MutexLock lock(op.mutex_);
  op.held_by_host_ = op.state_ == State::kRunning || op.state_ == State::kLater;
}

bool PendingOp::held_by_host() {
  base::MutexLock lock(mutex_);
  return held_by_host_;
}

void PendingOp::Done(berth_op* abi, berth_status code, const berth_str* reasons, uint32_t n) {
  PendingOp& op = *reinterpret_cast<Op*>(abi)->owner;
  Outcome outcome;
  {
    base::MutexLock lock(op.mutex_);
    switch (op.state_) {
      case State::kRunning:
        op.status_ = {};
        op.SetStatus(code, reasons, n);
        op.state_ = State::kDone;
        break;
      case State::kLater:
        op.SetStatus(code, reasons, n);
        outcome = op.Finish();
        break;
      case State::kAbandoned: op.GiveBack(); break;
      case State::kIdle:
      case State::kDone: break;  // it has ended before
    }
  }
  outcome.Deliver();
}

void PendingOp::SetStatus(berth_status code, const berth_str* reasons, uint32_t n) {
  status_.plugin = plugin_;
  status_.code =
      code >= BERTH_SUCCESS && code <= BERTH_PENDING ? static_cast<plugin::Code>(code) : plugin::Code::kError;
  for (uint32_t i = 0; i < n; ++i) status_.reasons.emplace_back(reasons[i].ptr, reasons[i].len);
  if (status_.code == plugin::Code::kError && status_.reasons.empty()) {
    status_.reasons.push_back("the operation ended with status " + std::to_string(code) + " and no reason");
  }
}

void PendingOp::ReturnedLater() {
  Outcome outcome;
  {
    base::MutexLock lock(mutex_);
    if (state_ == State::kDone) {
      outcome = Finish();
    } else if (abandoned_) {
      outcome = FinishAbandoned();
    } else {
      state_ = State::kLater;
    }
  }
  outcome.Deliver();
}

void PendingOp::Abandon(uint64_t ticket, plugin::Status status) {
  Outcome outcome;
  {
    base::MutexLock lock(mutex_);
    if (MayAbandon(ticket)) outcome = AbandonNow(std::move(status));
  }
  outcome.Deliver();
}

bool PendingOp::AbandonUnlessHeld(uint64_t ticket, plugin::Status status) {
  Outcome outcome;
  {
    base::MutexLock lock(mutex_);
    if (held_by_host_ || !MayAbandon(ticket)) return false;
    outcome = AbandonNow(std::move(status));
  }
  outcome.Deliver();
  return true;
}

bool PendingOp::MayAbandon(uint64_t ticket) const {
  return ticket == ticket_ && !abandoned_ && (state_ == State::kRunning || state_ == State::kLater);
}

PendingOp::Outcome PendingOp::AbandonNow(plugin::Status status) {
  status_ = std::move(status);
  abandoned_ = true;
  return state_ == State::kLater ? FinishAbandoned() : Outcome{};
}

void PendingOp::ReturnedNow() {
  base::MutexLock lock(mutex_);
  resume_ = nullptr;
  if (state_ == State::kRunning && held_by_host_) {
    state_ = State::kAbandoned;
  } else {
    GiveBack();
  }
}

PendingOp::Outcome PendingOp::Finish() {
  Outcome outcome{std::exchange(resume_, nullptr), std::move(status_)};
  GiveBack();
  return outcome;
}

// No other call gets it before the plugin has called done().
PendingOp::Outcome PendingOp::FinishAbandoned() {
  state_ = State::kAbandoned;
  return {std::exchange(resume_, nullptr), std::move(status_)};
}

void PendingOp::GiveBack() {
  state_ = State::kIdle;
  OpPool& pool = Pool();
  base::MutexLock lock(pool.mutex);
  pool.resting.push_back(this);
}

}  // namespace berth::bind

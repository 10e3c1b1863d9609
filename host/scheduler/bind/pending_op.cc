#include "scheduler/bind/pending_op.h"

#include <deque>
#include <utility>

namespace berth::bind {
namespace {

constexpr size_t kRestingOps = 1024;  // the pool reuses an operation after so many calls
std::mutex pool_mutex;
std::deque<PendingOp*>& Pool() {
  static auto* pool = new std::deque<PendingOp*>;
  return *pool;
}
// Every operation, also those that a plugin never ends, so that a leak checker finds them.
std::deque<PendingOp>& All() {
  static auto* all = new std::deque<PendingOp>;
  return *all;
}

}  // namespace

PendingOp* PendingOp::Take(base::Id plugin_name, Resume resume) {
  PendingOp* op = nullptr;
  {
    std::lock_guard lock(pool_mutex);
    if (Pool().size() >= kRestingOps) {
      op = Pool().front();
      Pool().pop_front();
    } else {
      op = &All().emplace_back();
    }
  }
  std::lock_guard lock(op->mutex_);
  op->op_ = {{sizeof(berth_op), 0, Done}, op};
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
  std::lock_guard lock(op.mutex_);
  op.held_by_host_ = op.state_ == State::kRunning || op.state_ == State::kLater;
}

bool PendingOp::held_by_host() {
  std::lock_guard lock(mutex_);
  return held_by_host_;
}

void PendingOp::Done(berth_op* abi, berth_status code, const berth_str* reasons, uint32_t n) {
  PendingOp& op = *reinterpret_cast<Op*>(abi)->owner;
  std::unique_lock lock(op.mutex_);
  switch (op.state_) {
    case State::kRunning:
      op.status_ = {};
      op.SetStatus(code, reasons, n);
      op.state_ = State::kDone;
      return;
    case State::kLater: op.SetStatus(code, reasons, n); return op.Finish(std::move(lock));
    case State::kAbandoned: return op.GiveBack();
    case State::kIdle:
    case State::kDone: return;  // it has ended before
  }
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
  std::unique_lock lock(mutex_);
  if (state_ == State::kDone) return Finish(std::move(lock));
  if (abandoned_) return FinishAbandoned(std::move(lock));
  state_ = State::kLater;
}

void PendingOp::Abandon(uint64_t ticket, plugin::Status status) {
  std::unique_lock lock(mutex_);
  if (ticket == ticket_) Abandon(std::move(lock), std::move(status));
}

bool PendingOp::AbandonUnlessHeld(uint64_t ticket, plugin::Status status) {
  std::unique_lock lock(mutex_);
  return ticket == ticket_ && !held_by_host_ && Abandon(std::move(lock), std::move(status));
}

bool PendingOp::Abandon(std::unique_lock<std::mutex> lock, plugin::Status status) {
  if (abandoned_ || (state_ != State::kRunning && state_ != State::kLater)) return false;
  status_ = std::move(status);
  abandoned_ = true;
  if (state_ == State::kLater) FinishAbandoned(std::move(lock));
  return true;
}

void PendingOp::ReturnedNow() {
  std::lock_guard lock(mutex_);
  resume_ = nullptr;
  if (state_ == State::kRunning && held_by_host_) {
    state_ = State::kAbandoned;
  } else {
    GiveBack();
  }
}

void PendingOp::Finish(std::unique_lock<std::mutex> lock) {
  const Resume resume = std::exchange(resume_, nullptr);
  plugin::Status status = std::move(status_);
  GiveBack();
  lock.unlock();
  resume(std::move(status));
}

// No other call gets it before the plugin has called done().
void PendingOp::FinishAbandoned(std::unique_lock<std::mutex> lock) {
  const Resume resume = std::exchange(resume_, nullptr);
  plugin::Status status = std::move(status_);
  state_ = State::kAbandoned;
  lock.unlock();
  resume(std::move(status));
}

void PendingOp::GiveBack() {
  state_ = State::kIdle;
  std::lock_guard lock(pool_mutex);
  Pool().push_back(this);
}

}  // namespace berth::bind

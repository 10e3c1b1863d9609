#include "scheduler/bind/pods_in_pre_bind.h"

namespace berth::bind {
namespace {

// Ends the operation; the binding cycle then reads the cause.
plugin::Status GivenUp() { return plugin::ErrorStatus("given up"); }

}  // namespace

void PodsInPreBind::Enter(std::string_view uid, berth_cycle& cycle) {
  base::MutexLock lock(mutex_);
  entries_.insert_or_assign(std::string(uid), Entry{&cycle});
}

void PodsInPreBind::Awaits(std::string_view uid, PendingOp& op) {
  {
    base::MutexLock lock(mutex_);
    const auto at = entries_.find(uid);
    if (at == entries_.end()) return;
    at->second.op = &op;
    at->second.ticket = op.ticket();
    if (!at->second.cause) return;
  }
  op.Abandon(op.ticket(), GivenUp());
}

std::optional<std::string> PodsInPreBind::Cause(std::string_view uid) const {
  base::MutexLock lock(mutex_);
  const auto at = entries_.find(uid);
  return at == entries_.end() ? std::nullopt : at->second.cause;
}

std::optional<std::string> PodsInPreBind::Leave(std::string_view uid) {
  base::MutexLock lock(mutex_);
  const auto at = entries_.find(uid);
  if (at == entries_.end()) return std::nullopt;
  std::optional<std::string> cause = std::move(at->second.cause);
  entries_.erase(at);
  return cause;
}

bool PodsInPreBind::GiveUp(std::string_view uid, std::string cause) {
  PendingOp* op = nullptr;
  uint64_t ticket = 0;
  {
    base::MutexLock lock(mutex_);
    const auto at = entries_.find(uid);
    if (at == entries_.end()) return false;
    Entry& entry = at->second;
    if (entry.cause) return true;
    entry.cause = std::move(cause);
    entry.cycle->cancelled.store(true, std::memory_order_relaxed);
    op = entry.op;
    ticket = entry.ticket;
  }
  // The operation may have ended meanwhile; its memory is never freed.
  if (op != nullptr) op->Abandon(ticket, GivenUp());
  return true;
}

}  // namespace berth::bind

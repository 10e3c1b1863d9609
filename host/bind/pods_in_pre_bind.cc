#include "bind/pods_in_pre_bind.h"

namespace berth::bind {
namespace {

// What ends the operation; whoever goes on then asks for the cause.
plugin::Status GivenUp() { return plugin::ErrorStatus("given up"); }

}  // namespace

void PodsInPreBind::Enter(const std::string& uid, berth_cycle& cycle) {
  std::lock_guard lock(mutex_);
  entries_.insert_or_assign(uid, Entry{&cycle});
}

void PodsInPreBind::Awaits(const std::string& uid, PendingOp& op) {
  {
    std::lock_guard lock(mutex_);
    const auto at = entries_.find(uid);
    if (at == entries_.end()) return;
    at->second.op = &op;
    at->second.ticket = op.ticket();
    if (!at->second.cause) return;
  }
  op.Abandon(op.ticket(), GivenUp());
}

std::optional<std::string> PodsInPreBind::Cause(const std::string& uid) const {
  std::lock_guard lock(mutex_);
  const auto at = entries_.find(uid);
  return at == entries_.end() ? std::nullopt : at->second.cause;
}

std::optional<std::string> PodsInPreBind::Leave(const std::string& uid) {
  std::lock_guard lock(mutex_);
  const auto node = entries_.extract(uid);
  return node.empty() ? std::nullopt : std::move(node.mapped().cause);
}

bool PodsInPreBind::GiveUp(std::string_view uid, std::string cause) {
  PendingOp* op = nullptr;
  uint64_t ticket = 0;
  {
    std::lock_guard lock(mutex_);
    const auto at = entries_.find(std::string(uid));
    if (at == entries_.end()) return false;
    Entry& entry = at->second;
    if (entry.cause) return true;
    entry.cause = std::move(cause);
    entry.cycle->cancelled.store(true, std::memory_order_relaxed);
    op = entry.op;
    ticket = entry.ticket;
  }
  // An operation is memory for good, so it may have ended meanwhile.
  if (op != nullptr) op->Abandon(ticket, GivenUp());
  return true;
}

}  // namespace berth::bind

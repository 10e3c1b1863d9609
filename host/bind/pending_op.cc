#include "bind/pending_op.h"

#include <mutex>
#include <vector>

namespace berth::bind {
namespace {

std::mutex pool_mutex;
std::vector<PendingOp*>& Pool() {
  static auto* pool = new std::vector<PendingOp*>;
  return *pool;
}

}  // namespace

PendingOp* PendingOp::Take(base::Id plugin_name, Resume resume) {
  PendingOp* op = nullptr;
  {
    std::lock_guard lock(pool_mutex);
    if (!Pool().empty()) {
      op = Pool().back();
      Pool().pop_back();
    }
  }
  if (op == nullptr) op = new PendingOp;
  op->op_ = {{sizeof(berth_op), 0, Done}, op};
  op->plugin_ = plugin_name;
  op->status_ = {};
  op->resume_ = std::move(resume);
  op->state_.store(kRunning);
  op->ended_.store(false);
  return op;
}

void PendingOp::Done(berth_op* abi, berth_status code, const berth_str* reasons, uint32_t n) {
  PendingOp& op = *reinterpret_cast<Op*>(abi)->owner;
  if (op.ended_.exchange(true)) return;
  op.status_.plugin = op.plugin_;
  op.status_.code =
      code >= BERTH_SUCCESS && code <= BERTH_PENDING ? static_cast<plugin::Code>(code) : plugin::Code::kError;
  for (uint32_t i = 0; i < n; ++i) op.status_.reasons.emplace_back(reasons[i].ptr, reasons[i].len);
  if (op.status_.code == plugin::Code::kError && op.status_.reasons.empty()) {
    op.status_.reasons.push_back("the operation ended with status " + std::to_string(code) + " and no reason");
  }
  int running = kRunning;
  if (!op.state_.compare_exchange_strong(running, kDoneFirst)) op.Finish();  // LATER was returned before
}

void PendingOp::ReturnedLater() {
  int running = kRunning;
  if (!state_.compare_exchange_strong(running, kLater)) Finish();  // done() came before
}

void PendingOp::ReturnedNow() {
  ended_.store(true);
  GiveBack();
}

void PendingOp::Finish() {
  Resume resume = std::move(resume_);
  plugin::Status status = std::move(status_);
  GiveBack();
  resume(std::move(status));
}

void PendingOp::GiveBack() {
  resume_ = nullptr;
  std::lock_guard lock(pool_mutex);
  Pool().push_back(this);
}

}  // namespace berth::bind

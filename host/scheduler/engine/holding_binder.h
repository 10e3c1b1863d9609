// The binder that plugins get: marks the operation as one that the host ends, then sends the Binding.
// Thread: executor threads. Ownership: the writes outlive it.
#pragma once

#include <string_view>

#include "plugin/instance/ports.h"
#include "scheduler/bind/pending_op.h"
#include "scheduler/engine/writes.h"

namespace berth::engine {

class HoldingBinder final : public plugin::BinderPort {
 public:
  explicit HoldingBinder(Writes& writes) : writes_(writes) {}

  void Bind(const berth_pod& pod, std::string_view node, berth_op* op) override {
    bind::PendingOp::HeldByHost(op);
    writes_.Bind(pod, node, op);
  }

 private:
  Writes& writes_;
};

}  // namespace berth::engine

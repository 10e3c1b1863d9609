// What binding cycles report: to the scheduling thread through the inbox, to the API server through the writes.
// Thread: executor threads. Ownership: everything passed in outlives it.
#pragma once

#include "api/intern_tables.h"
#include "scheduler/bind/binding_cycle.h"
#include "scheduler/engine/message_inbox.h"
#include "scheduler/engine/writes.h"

namespace berth::engine {

class BindingReports final : public bind::BindingPort {
 public:
  BindingReports(const api::InternTables& intern, MessageInbox& inbox, Writes& writes)
      : intern_(intern), inbox_(inbox), writes_(writes) {}

  void SetNominatedNode(bind::BindJob& job) override;
  void PermitOver(bind::BindJob& job) override;
  bool MayBind() const override { return writes_.MayWrite(); }
  void BoundByExtender(bind::BindJob& job) override;
  void Finished(bind::BindJob& job, plugin::Status status, bool at_permit) override;

 private:
  const api::InternTables& intern_;
  MessageInbox& inbox_;
  Writes& writes_;
};

}  // namespace berth::engine

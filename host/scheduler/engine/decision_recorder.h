// Records the attempts of the engine. Every attempt gets an entry in the ring; a table of its nodes as often as the
// time allows. A pod in the queue keeps its last decision that has a table.
// Thread: the scheduling thread. Ownership: owns the ring; the collaborators outlive it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "api/intern_tables.h"
#include "base/clock.h"
#include "scheduler/decisions/budget.h"
#include "scheduler/decisions/node_table_writer.h"
#include "scheduler/decisions/ring.h"
#include "scheduler/engine/attempt.h"

namespace berth::engine {

struct DecisionOptions {
  decisions::Limits limits = {};  // decisions 0: nothing is recorded
  // The part of the scheduling thread's time that tables of nodes may take; 1: every attempt gets one.
  double time_share = 0.005;
};

class DecisionRecorder {
 public:
  DecisionRecorder(const DecisionOptions& options, const base::Clock& clock, const api::InternTables& intern);

  // The writer for the table of an attempt that begins now; null: the attempt gets none.
  decisions::NodeTableWriter* NextWriter();
  // The attempt has ended; its queued pod is still there.
  void Record(const Attempt& attempt, bool bound);

  decisions::Ring& ring() { return ring_; }
  // The table of the last attempt is complete: its time counts. Before another use of the writer.
  void ChargeTable() { budget_.Spend(writer_.TakeSpentNs()); }
  // For tables that do not belong to an attempt.
  decisions::NodeTableWriter& writer() { return writer_; }

 private:
  decisions::DecisionNumbers NumbersOf(const Attempt& attempt, bool bound) const;
  void KeepForPod(queue::QueuedPod& queued, uint64_t id);
  std::string_view Rejectors(const cycle::CycleResult& result);  // as DecisionTexts::rejected_by

  const base::Clock& clock_;
  const base::RealClock real_clock_{};  // of the budget: a simulation's clock stands still during an attempt
  const api::InternTables& intern_;
  const bool enabled_;
  const std::shared_ptr<decisions::MemoryMeter> meter_;
  const std::shared_ptr<decisions::MemoryMeter> kept_;  // about what pods in the queue keep
  decisions::Ring ring_;
  decisions::NodeTableWriter writer_;
  decisions::Budget budget_;
  std::string rejectors_, victims_;  // scratch
};

}  // namespace berth::engine

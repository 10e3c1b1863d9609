// What plugins may do with nominated pods and with pods that hold resources: the port of the nominate service.
// Thread: as plugin::NominationPort says; Reset on the scheduling thread. Ownership: owns the lists that it lends; the
// collaborators outlive it.
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "api/intern_tables.h"
#include "api/pod.h"
#include "plugin/instance/ports.h"
#include "scheduler/bind/binding_cycle.h"
#include "scheduler/bind/waiting_pods.h"
#include "scheduler/engine/pod_lister.h"
#include "scheduler/engine/writes.h"
#include "scheduler/queue/scheduling_queue.h"

namespace berth::engine {

class Nominations final : public plugin::NominationPort {
 public:
  struct Collaborators {
    const api::InternTables& intern;
    Writes& writes;
    queue::SchedulingQueue& queue;
    const PodLister& pods;
    bind::WaitingPods& waiting;
    bind::BindingCycle& binding;
  };
  explicit Nominations(const Collaborators& with)
      : intern_(with.intern),
        writes_(with.writes),
        queue_(with.queue),
        pods_(with.pods),
        waiting_(with.waiting),
        binding_(with.binding) {}

  berth_list NominatedTo(berth_id node) override;
  berth_list NominatedNodes() override;
  void ClearNomination(const berth_pod& pod) override;
  bool GiveUp(std::string_view uid, const plugin::Instance& plugin, std::string_view reason) override;

  // No call into a plugin is running, so no plugin reads the lent lists.
  void Reset() { used_ = 0, nodes_.clear(); }

 private:
  struct List {
    std::vector<api::PodRef> pods;
    std::vector<const berth_pod*> views;
  };
  const api::InternTables& intern_;
  Writes& writes_;
  queue::SchedulingQueue& queue_;
  const PodLister& pods_;
  bind::WaitingPods& waiting_;
  bind::BindingCycle& binding_;
  std::deque<List> lists_;  // the first used_ of them are lent
  size_t used_ = 0;
  std::deque<std::vector<berth_id>> nodes_;  // lent
};

}  // namespace berth::engine

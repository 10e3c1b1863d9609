// HTTP extenders as preemption asks them, through berth/draft/extenders.h. The scheduling thread waits for the replies.
// Source: callExtenders in pkg/scheduler/framework/preemption/preemption.go, ProcessPreemption's conversions in
// pkg/scheduler/extender.go; core.md 1.13 (step 4), 9.
// Thread: scheduling thread. Ownership: answers live until the next Preempt.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "cache/cache.h"
#include "extender/extender.h"
#include "framework/profile.h"
#include "plugin/ports.h"

namespace berth::cycle {

class PreemptExtenders final : public plugin::ExtenderPort {
 public:
  explicit PreemptExtenders(const cache::Cache& cache) : cache_(cache) {}
  void set_extenders(const framework::ExtenderList& extenders) { extenders_ = &extenders; }  // outlive the use

  bool Preempts(const berth_pod& pod) const override;
  base::Result<berth_list> Preempt(const berth_pod& pod, berth_list candidates) override;

 private:
  struct Candidate {
    uint32_t row;
    int64_t violations;
    std::vector<const berth_pod*> pods;
  };
  bool Asks(const extender::Extender& one, const berth_pod& pod) const;
  base::Result<void> Ask(extender::Extender& one, const std::string& pod);
  extender::VictimsByNode Victims(bool with_manifests);
  base::Result<std::vector<Candidate>> Read(const extender::Extender& one,
                                            const extender::MetaVictimsByNode& answer) const;
  base::Result<Candidate> ReadNode(const extender::Extender& one, const std::string& node,
                                   const extender::MetaVictims& victims) const;
  void KeepOrder(std::vector<Candidate> left);
  berth_list Views();

  const cache::Cache& cache_;
  const framework::ExtenderList* extenders_ = nullptr;
  std::vector<Candidate> candidates_;
  std::vector<berth_candidate> views_;  // of candidates_
  std::deque<std::string> texts_;       // manifests that had to be written
};

}  // namespace berth::cycle

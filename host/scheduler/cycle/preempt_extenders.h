// The extenders' part of preemption: DefaultPreemption calls them through berth/extenders.h. The scheduling
// thread waits for the replies. Source: callExtenders in pkg/scheduler/framework/preemption/preemption.go;
// ProcessPreemption in pkg/scheduler/extender.go. Thread: scheduling thread. Ownership: results belong to the object
// and are valid until the next Preempt.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "plugin/instance/ports.h"
#include "scheduler/cache/cache.h"
#include "scheduler/framework/extender.h"
#include "scheduler/framework/profile.h"

namespace berth::cycle {

class PreemptExtenders final : public plugin::ExtenderPort {
 public:
  explicit PreemptExtenders(const cache::Cache& cache) : cache_(cache) {}
  void set_extenders(const framework::ExtenderList& extenders) { extenders_ = &extenders; }  // outlive their use

  bool Preempts(const berth_pod& pod) const override;
  base::Result<berth_list> Preempt(const berth_pod& pod, berth_list candidates) override;

 private:
  struct Candidate {
    uint32_t row;
    int64_t violations;
    std::vector<const berth_pod*> pods;
  };
  bool Asks(const framework::Extender& one, const berth_pod& pod) const;
  base::Result<void> Ask(framework::Extender& one, const std::string& pod);
  framework::NodeNameToVictims Victims(bool with_manifests);
  base::Result<std::vector<Candidate>> Read(const framework::Extender& one,
                                            const framework::NodeNameToMetaVictims& answer) const;
  base::Result<Candidate> ReadNode(const framework::Extender& one, const std::string& node,
                                   const framework::MetaVictims& victims) const;
  void KeepOrder(std::vector<Candidate> left);
  berth_list Views();

  const cache::Cache& cache_;
  const framework::ExtenderList* extenders_ = nullptr;
  std::vector<Candidate> candidates_;
  std::vector<berth_candidate> views_;  // of candidates_
  std::deque<std::string> texts_;       // manifests of victims
};

}  // namespace berth::cycle

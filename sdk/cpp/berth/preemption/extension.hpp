// HTTP extenders filter the candidates before one is chosen. Serial, in PostFilter; memory is kept from use to use.
// Source: k8s.io/kubernetes pkg/scheduler/framework/preemption/preemption.go (callExtenders).
#pragma once

#include <vector>

#include "berth/extenders.hpp"
#include "berth/preemption/candidate.hpp"

namespace berth::sdk::preemption {

class Extension {
 public:
  explicit Extension(const Host& host) : extenders_(host) {}

  // Whether an extender takes part. If so, all candidates must be kept.
  bool Wanted(const Pod& pod) const { return extenders_.Preempt(pod); }

  // Afterwards `found` holds the best remaining candidate, with the victims that they name; there may be none. ERROR:
  // an extender failed.
  Status Ask(const Pod& pod, Candidates& found) {
    Show(found);
    const Extenders::Left left = extenders_.Ask(pod, asked_);
    if (!left.status.ok()) return left.status;
    found.Forget();
    for (const berth_candidate& candidate : left.candidates) {
      victims_.clear();
      for (const Pod victim : PodList(candidate.pods)) {
        victims_.emplace_back(victim, static_cast<uint32_t>(victims_.size()));
      }
      if (!victims_.empty()) found.Consider(candidate.row, victims_, candidate.violations);
    }
    return Status::Ok();
  }

 private:
  void Show(const Candidates& found) {
    pods_.clear();
    asked_.clear();
    for (const Candidates::Candidate& candidate : found.all()) {
      std::vector<const berth_pod*>& pods = pods_.emplace_back();
      for (const Victim& victim : candidate.victims) pods.push_back(victim.pod.raw());
      const berth_list list{pods.data(), static_cast<uint32_t>(pods.size()), sizeof(const berth_pod*)};
      asked_.push_back({candidate.row, 0, candidate.violations, list});
    }
  }

  Extenders extenders_;
  std::vector<std::vector<const berth_pod*>> pods_;  // of asked_
  std::vector<berth_candidate> asked_;
  std::vector<Victim> victims_;
};

}  // namespace berth::sdk::preemption

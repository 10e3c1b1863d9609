// The rules of the search for victims: as DefaultPreemption's, but pods may be exempt. Thread: serial. Source:
// sigs.k8s.io/scheduler-plugins pkg/preemptiontoleration/preemption_toleration.go.
#pragma once

#include <berth/preemption.hpp>

#include <cstdint>
#include <string>
#include <string_view>

#include "../common/candidate_args.h"
#include "classes.h"

namespace plugins::preemption_toleration {

// The input of the rules; the plugin sets the time before each search, so that one time applies to all nodes.
struct Facts {
  Classes classes;
  int64_t now_unix_ns = 0;
};

class Rules : public berth::sdk::preemption::DefaultRules {
 public:
  Rules(const CandidateArgs& args, const Facts& facts) : facts_(&facts) {
    min_candidates_percentage = args.percentage;
    min_candidates = args.absolute;
  }

  // Throws TrialError if the pod names a class that does not exist.
  bool MayLeave(const berth::sdk::Pod& victim, const berth::sdk::Pod& preemptor) const {
    if (victim->priority_class == berth::sdk::kNoId) return true;
    return !Exempts(facts_->classes.Of(victim->priority_class), victim, preemptor.priority(), facts_->now_unix_ns);
  }
  // For every pod that terminates, whatever the cause.
  bool WaitsFor(const berth::sdk::Pod&, const berth::sdk::Pod&) const { return true; }
  std::string NoVictims(std::string_view node, const berth::sdk::Pod& preemptor) const {
    return "No victims found on node " + std::string(node) + " for preemptor pod " + std::string(preemptor.name());
  }

 private:
  const Facts* facts_;
};

}  // namespace plugins::preemption_toleration

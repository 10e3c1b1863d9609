#include "config/options/options.h"

#include <algorithm>

namespace berth::options {

SchedulerOptions::SchedulerOptions() {
  using std::chrono::seconds;
  leader_election = {true, seconds(15), seconds(10), seconds(2), "leases", "kube-scheduler", "kube-system"};
}

bool SchedulerOptions::Changed(std::string_view flag) const {
  return std::any_of(states.begin(), states.end(),
                     [&](const flags::FlagState& state) { return state.name == flag && state.changed; });
}

}  // namespace berth::options

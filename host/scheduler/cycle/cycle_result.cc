#include "scheduler/cycle/cycle_result.h"

#include "scheduler/framework/fit_error.h"

namespace berth::cycle {

void CycleResult::Reset() {
  outcome = Outcome::kError;
  status = {};
  message.clear();
  row = cache::kNoRow;
  node_name.clear();
  ties = evaluated_nodes = feasible_nodes = 0;
  unschedulable_plugins.Clear();
  pending_plugins.Clear();
  rejected_nodes.clear();
  nominating = {};
  victims.clear();
  n_victims = 0;
  nodes.clear();
  table.reset();
}

std::string OneNodeFitError(const plugin::Status& status) {
  framework::FitError error;
  error.num_all_nodes = 1;
  for (const std::string& reason : status.reasons) ++error.histogram[reason];
  return error.Text();
}

}  // namespace berth::cycle

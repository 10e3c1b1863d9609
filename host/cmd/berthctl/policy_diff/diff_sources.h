// The three ways to find out what a change of the policy does: a running scheduler, a decision log, and simulations.
// Thread: main.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/result.h"
#include "cmd/berthctl/admin/admin_connection.h"
#include "cmd/berthctl/policy_diff/loaded_policy.h"
#include "codec/json/value.h"
#include "simulator/simulation/run.h"

namespace berth::ctl {

struct DiffResult {
  std::vector<json::Value> diffs;    // PolicyDiffs, one for each profile, or one of two simulations
  std::vector<std::string> notices;  // what the result does not show
};

struct RecordsQuestion {
  std::string profile;  // "": all that both policies have
  size_t limit = 100;   // decisions of each profile
};

// Each error says which difference no record can show.
base::Result<DiffResult> DiffOfRunning(const AdminConnection& scheduler, const assembly::Policy& after,
                                       const RecordsQuestion& question);
base::Result<DiffResult> DiffOfLog(const std::string& path, const assembly::Policy& after,
                                   const RecordsQuestion& question);
// Simulates the manifests twice. Mistakes in the files go to err.
base::Result<DiffResult> DiffOfSimulations(const simulation::RunOptions& before, const simulation::RunOptions& after,
                                           std::ostream& err);

// "NEW cannot be tried on recorded decisions: ..."
std::string Unknowable(const std::string& profile, const std::vector<std::string>& differences);

}  // namespace berth::ctl

// The policy that a scheduler starts with: from options and files to checked libraries. Thread: main.
#pragma once

#include <memory>

#include "api/intern_tables.h"
#include "base/result.h"
#include "config/configuration/feature_gates.h"
#include "config/options/options.h"
#include "policy/assembly/policy.h"

namespace berth {

// The options with which this process builds every policy. Fails for a --state-dir that cannot be
// used.
base::Result<assembly::PolicyOptions> PolicyOptionsOf(const options::SchedulerOptions& options,
                                                      const config::FeatureGates& gates);

// The configuration and its libraries. Writes all warnings to the log, and all mistakes to standard error, which
// "the configuration has 2 errors" sums up.
base::Result<std::unique_ptr<assembly::Policy>> ReadFirstPolicy(const options::SchedulerOptions& options,
                                                                const assembly::PolicyOptions& policy_options,
                                                                api::InternTables& intern);

}  // namespace berth

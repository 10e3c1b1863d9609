// Runs one candidate on a sample: builds its profiles, schedules the pods with every profile, destroys the instances.
// Thread: one. Ownership: keeps nothing.
#pragma once

#include "api/intern_tables.h"
#include "base/result.h"
#include "policy/assembly/policy.h"
#include "reload/canary/sample.h"

namespace berth::canary {

// The error is that of building the profiles. Reports its steps through Progress.
base::Result<void> Try(api::InternTables& intern, assembly::Policy& policy, const Sample& sample);

}  // namespace berth::canary

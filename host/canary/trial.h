// One candidate run on a sample: profiles are built, pods are tried with every profile, instances go away again.
// Thread: one. Ownership: nothing is kept.
#pragma once

#include "api/vocabulary.h"
#include "assembly/policy.h"
#include "base/result.h"
#include "canary/sample.h"

namespace berth::canary {

// The error is that of building the profiles. Says through Progress what it does.
base::Result<void> Try(api::Vocabulary& words, assembly::Policy& policy, const Sample& sample);

}  // namespace berth::canary

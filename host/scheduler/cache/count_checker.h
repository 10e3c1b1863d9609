// The part of the consistency checker that recounts topology domains and sets of pods, which the cache updates
// incrementally. Thread: the scheduling thread, between cycles.
#pragma once

#include <string>
#include <vector>

#include "scheduler/cache/cache.h"

namespace berth::cache {

// Appends one sentence per difference to `out`.
void CheckDomains(const api::InternTables& intern, Cache& cache, std::vector<std::string>& out);
void CheckPodSets(const Cache& cache, std::vector<std::string>& out);

}  // namespace berth::cache

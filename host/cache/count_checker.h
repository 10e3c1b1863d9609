// The part of the consistency checker that counts anew what is kept from change to change: domains and sets of pods.
// Thread: scheduling thread, between cycles.
#pragma once

#include <string>
#include <vector>

#include "cache/cache.h"

namespace berth::cache {

// One sentence per difference is added to out.
void CheckDomains(const api::Vocabulary& words, Cache& cache, std::vector<std::string>& out);
void CheckPodSets(const Cache& cache, std::vector<std::string>& out);

}  // namespace berth::cache

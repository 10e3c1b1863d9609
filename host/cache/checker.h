// The consistency checker: builds a second cache from the objects the first one holds and compares everything plugins
// can read, cell by cell. Thread: scheduling thread, between cycles.
#pragma once

#include <string>
#include <vector>

#include "cache/cache.h"

namespace berth::cache {

// One sentence per difference, naming node and cell; empty when the cache is right.
std::vector<std::string> CheckAgainstRebuilt(api::Vocabulary& words, Cache& cache);

}  // namespace berth::cache

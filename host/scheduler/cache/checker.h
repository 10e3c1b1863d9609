// The consistency checker. It builds a second cache from the objects of the first one, and compares everything that
// plugins can read, cell by cell. Thread: the scheduling thread, between cycles.
#pragma once

#include <string>
#include <vector>

#include "scheduler/cache/cache.h"

namespace berth::cache {

// Returns one sentence per difference, with the node and the cell; empty if there is no difference.
std::vector<std::string> CheckAgainstRebuilt(api::InternTables& intern, Cache& cache);

}  // namespace berth::cache

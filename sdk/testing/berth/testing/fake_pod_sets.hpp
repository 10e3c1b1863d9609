// Sets of pods for tests: which pods a set has, and how many of them are on each row, counted at each call.
#pragma once

#include "berth/pod_sets.h"
#include "berth/testing/fake_cluster.hpp"
#include "berth/testing/fake_matching.hpp"

namespace berth::sdk::testing {

bool PodMatches(const berth_pod_match& match, const berth_pod& pod);

bool PodSetHas(const berth_pod_set& set, const berth_pod& pod);

// Whether the set has a selector that the host has not shown. The real host reads the block behind a selector.
bool HasForeignSelector(const berth_pod_set& set);

// The arena owns the counts.
berth_pod_counts CountPods(const FakeCluster& cluster, const berth_pod_set& set, Arena& arena);

}  // namespace berth::sdk::testing

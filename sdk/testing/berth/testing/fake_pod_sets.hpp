// Sets of pods for tests: which pods belong, and how many each row of a FakeCluster has, counted at each call.
#pragma once

#include "berth/pod_sets.h"
#include "berth/testing/fake_cluster.hpp"
#include "berth/testing/fake_matching.hpp"

namespace berth::sdk::testing {

bool PodMatches(const berth_pod_match& match, const berth_pod& pod);

bool PodSetHas(const berth_pod_set& set, const berth_pod& pod);

// Is there a selector that the host has not shown? The real one looks at the block behind it.
bool HasForeignSelector(const berth_pod_set& set);

// The counts live in the arena.
berth_pod_counts CountPods(const FakeCluster& cluster, const berth_pod_set& set, Arena& arena);

}  // namespace berth::sdk::testing

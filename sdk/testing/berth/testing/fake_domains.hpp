// The topology domains of a FakeCluster, computed from its nodes' labels. The ordinal 0 is a domain that has no node,
// so that code which takes every ordinal for a domain with nodes is caught; the others are numbered by the order of
// Add.
#pragma once

#include "berth/domains.h"
#include "berth/testing/fake_cluster.hpp"

namespace berth::sdk::testing {

// The arrays live in the arena. No node with the key: n is 0.
berth_domains ComputeDomains(const FakeCluster& cluster, Id key, Arena& arena);

}  // namespace berth::sdk::testing

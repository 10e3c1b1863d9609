// The topology domains of a FakeCluster, computed from the labels of its nodes. The ordinal 0 is a domain without
// nodes, so that a test catches code that takes every ordinal for a domain with nodes; the others are numbered by the
// order of Add.
#pragma once

#include "berth/domains.h"
#include "berth/testing/fake_cluster.hpp"

namespace berth::sdk::testing {

// The arena owns the arrays. If no node has the key, n is 0.
berth_domains ComputeDomains(const FakeCluster& cluster, Id key, Arena& arena);

}  // namespace berth::sdk::testing

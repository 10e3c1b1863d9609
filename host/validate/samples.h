// Clusters and pods to ask plugins about. Everything is made from numbers, so that two processes make the same.
// Thread: any. Ownership: values.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/random.h"
#include "berth/testing/fake_cluster.hpp"
#include "berth/testing/plugin_under_test.hpp"

namespace berth::validate {

// Nodes n0, n1, ... of different sizes, zones, labels, taints, images; some with pods. Row 1 is no node.
sdk::testing::FakeCluster SampleCluster(uint32_t nodes);
sdk::testing::FakeNode SampleNode(uint32_t number);

// Pods as people write them: each asks for something else.
std::vector<sdk::testing::FakePod> SamplePods();
// Pods as nobody writes them: nothing at all, a thousand labels, amounts that nearly fill an int64, texts that are odd.
std::vector<sdk::testing::FakePod> OddPods();

// The three kinds of event that an interest in the resource brings.
std::vector<sdk::testing::FakeEvent> SampleEvents(const std::string& resource, uint32_t interest);

// Anything, by chance.
sdk::testing::FakePod RandomPod(base::Random& random, uint32_t number);
sdk::testing::FakeNode RandomNode(base::Random& random, uint32_t number);

}  // namespace berth::validate

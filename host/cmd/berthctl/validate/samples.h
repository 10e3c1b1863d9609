// Sample clusters and pods. Everything depends on numbers only, so that two processes make the same samples.
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

struct SampleObject {
  std::string kind;  // "v1/services"
  sdk::testing::FakeObject object;
};
// Objects that the sample pods refer to.
std::vector<SampleObject> SampleObjects();

// Usual pods, each with another requirement.
std::vector<sdk::testing::FakePod> SamplePods();
// Unusual pods: without any field, with a thousand labels, amounts near the limit of an int64, unknown texts.
std::vector<sdk::testing::FakePod> OddPods();

// An addition, a change, and a deletion for an interest in the resource.
std::vector<sdk::testing::FakeEvent> SampleEvents(const std::string& resource, uint32_t interest);

// Random contents.
sdk::testing::FakePod RandomPod(base::Random& random, uint32_t number);
sdk::testing::FakeNode RandomNode(base::Random& random, uint32_t number);

}  // namespace berth::validate

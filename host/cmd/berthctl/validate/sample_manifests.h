// The samples as manifests, for Berth's own host: the fields that samples.h sets. Thread: as the samples. Ownership:
// values.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "berth/testing/fake_cluster.hpp"
#include "berth/testing/fake_objects.hpp"
#include "codec/json/value.h"

namespace berth::validate {

json::Value ManifestOf(const berth_pod& pod);
json::Value ManifestOf(const sdk::testing::FakeCluster::Row& node);
json::Value ManifestOf(const sdk::testing::FakeObject& object);

}  // namespace berth::validate

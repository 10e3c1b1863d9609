// The documents of test_host.h: JSON to the builders of the fake host, and outcomes to JSON. Members that are absent
// keep the builder's default. Pure; any thread.
//   pod      {"name", "uid", "labels": {KEY: TEXT}, "requests": {RESOURCE: AMOUNT}, "priority"}
//   node     {"name", "labels", "allocatable": {RESOURCE: AMOUNT}, "unschedulable": BOOL, "pods": [pod]}
//   object   {"kind": "apps/v1/replicasets", "name", "namespace", "labels", "document": {...}}
//   queued   {"pod", "queued": NS, "initial_attempt": NS, "attempts"}
//   event    {"resource", "actions", "interest", "old_pod", "new_pod", "old_node", "new_node", "old_value",
//             "new_value"}
//   change   {"kind": BERTH_DELTA_*, "row", "node" or "pod"}
//   bytes    [0..255, ...]
//   outcome  {"code": BERTH_*, "reasons": [TEXT]}
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "berth/testing/plugin_under_test.hpp"

namespace berth::sdk::testing {

std::string TextAt(const Value& document, std::string_view key);
FakePod ReadPod(const Value& pod);
FakeNode ReadNode(const Value& node);
void AddNode(FakeCluster& cluster, const Value& node);  // and its pods
FakeObject ReadObject(const Value& object);
FakeQueued ReadQueued(const Value& queued);
FakeEvent ReadEvent(const Value& event);
FakeDelta ReadDelta(const Value& change);
std::string ReadBytes(const Value& bytes);

FakeValue BytesToJson(std::string_view bytes);
FakeValue ToJson(const Texts& texts);
FakeValue ToJson(const Outcome& outcome);

// convert(element) of each element.
template <class Convert>
auto ReadEach(const Value& array, Convert&& convert) {
  std::vector<decltype(convert(array))> all;
  for (uint32_t i = 0; i < array.size(); ++i) all.push_back(convert(array[i]));
  return all;
}

}  // namespace berth::sdk::testing

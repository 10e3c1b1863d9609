// The cache that reserves, without the plugin around it, and pods as the API server has them.
#pragma once

#include <berth/objects.hpp>
#include <berth/testing/fake_host.hpp>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "over_reserve.h"
#include "test_fixture.h"

namespace plugins::node_topology {

inline constexpr auto kFingerprint = "nodeTopologyPodsFingerprint", kMethod = "nodeTopologyPodsFingerprintMethod";

// {"name": "amount", ...}
inline FakeValue AmountsValue(const Quantities& amounts) {
  FakeValue value = FakeValue::Object({});
  for (const auto& [name, amount] : amounts) value.Set(name, amount);
  return value;
}

struct TestContainer {
  Quantities requests, limits = {};
  bool init = false, sidecar = false;
  std::string name = "cnt";
};
struct TestPod {
  std::string name, ns = "default", node, scheduler = {}, phase = "Running", qos = {}, uid = {};
  std::vector<TestContainer> containers = {};
};

inline FakeObject ObjectOf(const TestPod& pod) {
  std::vector<FakeValue> inits, apps;
  for (const TestContainer& container : pod.containers) {
    FakeValue resources = FakeValue::Object({{"requests", AmountsValue(container.requests)}});
    resources.Set("limits", AmountsValue(container.limits));
    FakeValue value = FakeValue::Object({{"name", container.name}, {"resources", resources}});
    if (container.sidecar) value.Set("restartPolicy", "Always");
    (container.init || container.sidecar ? inits : apps).push_back(value);
  }
  FakeValue spec =
      FakeValue::Object({{"initContainers", FakeValue::Array(inits)}, {"containers", FakeValue::Array(apps)}});
  if (!pod.node.empty()) spec.Set("nodeName", pod.node);
  if (!pod.scheduler.empty()) spec.Set("schedulerName", pod.scheduler);
  FakeValue status = FakeValue::Object({{"phase", pod.phase}});
  if (!pod.qos.empty()) status.Set("qosClass", pod.qos);
  FakeObject object(pod.name, pod.ns);
  object.Uid(pod.uid.empty() ? pod.ns + "/" + pod.name : pod.uid);
  object.Set("spec", spec).Set("status", status);
  return object;
}

inline std::string FingerprintOf(const std::vector<std::pair<std::string, std::string>>& pods) {
  Fingerprint fingerprint;
  for (const auto& [ns, name] : pods) fingerprint.Add(ns, name);
  return fingerprint.Text();
}

// The zones of makeDefaultTestTopology of pkg/noderesourcetopology/cache/cache_test.go.
inline TestNode TwoZones(const std::string& name, const Texts2& attributes = {}) {
  const Quantities zone = {{kCpu, "30"}, {kMemory, "60Gi"}, {kNic, "16"}};
  return {name, kContainerSingle, {{"node-0", zone}, {"node-1", zone}}, {}, attributes};
}

struct ReservingCache {
  FakeHost fake;
  berth::sdk::Host host;
  std::unique_ptr<berth::sdk::Objects> objects;
  std::unique_ptr<Board> board;
  std::unique_ptr<OverReserve> cache;
  std::vector<std::shared_ptr<const void>> kept;

  explicit ReservingCache(const CacheArgs& args = {}, bool evictions = false)
      : host((fake.Profile("our-profile"), fake.raw())) {
    host.Connect();
    objects = std::make_unique<berth::sdk::Objects>(host);
    board = std::make_unique<Board>(host, false, evictions);
    cache = std::make_unique<OverReserve>(host, *board, *objects, args, evictions);
  }

  berth::sdk::Object Kept(const FakeObject& object) {
    auto data = object.Build();
    kept.push_back(data);
    return {&host.services().value, data->raw()};
  }
  void Report(const FakeObject& now) { cache->TopologyChanged({}, Kept(now)); }
  void Report(const TestNode& node) { Report(TopologyOf(node)); }
  void Unreport(const TestNode& node) { cache->TopologyChanged(Kept(TopologyOf(node)), {}); }
  void Put(const TestPod& pod) { cache->PodChanged({}, Kept(ObjectOf(pod))); }
  void Change(const TestPod& before, const TestPod& now) {
    cache->PodChanged(Kept(ObjectOf(before)), Kept(ObjectOf(now)));
  }
  void Delete(const TestPod& pod) { cache->PodChanged(Kept(ObjectOf(pod)), {}); }
  void Reserve(const std::string& node, const FakePod& pod) {
    const auto built = pod.Build();
    const berth::sdk::Pod view(built->raw());
    cache->Reserve({.uid = std::string(view.uid()), .node = node}, view);
  }
  void Release(const std::string& node, const FakePod& pod) {
    cache->Release({.uid = std::string(berth::sdk::Pod(pod.Build()->raw()).uid()), .node = node});
  }
  void Resync() {
    while (cache->Resync()) {
    }
  }
  bool stale(uint32_t row) const { return board->At(row).stale; }
  // The rows of the board with "cpu", as "row cpus memory-in-Gi" of the first zone.
  std::string Shown(uint32_t row) const {
    const auto cell = [&](const char* name) {
      const int64_t* cells = board->Column(const_cast<berth::sdk::Host&>(host).Intern(name));
      return cells == nullptr || !board->At(row).known ? -1 : cells[size_t{row} * board->width()];
    };
    return std::to_string(cell(kCpu) / 1000) + " cpus, " + std::to_string(cell(kMemory) / kGi) + " Gi";
  }
};

}  // namespace plugins::node_topology

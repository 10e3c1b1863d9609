// Random nodes and pods against a second implementation, written for clarity from the description of the plugin alone:
// maps of amounts, and all sets of zones one after the other.
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "test_fixture.h"

namespace plugins::node_topology {
namespace {

using Map = std::map<std::string, int64_t>;

struct ModelZone {
  uint32_t id;
  Map available;
  std::map<uint32_t, int> costs;
};
struct ModelNode {
  bool pod_scope = false;
  std::vector<ModelZone> zones;
  Map offers;
};
struct ModelPod {
  bool guaranteed = false;
  std::vector<Map> inits, apps;
};

const std::string kCpuName = "cpu", kMemoryName = "memory", kDevice = "example.com/nic",
                  kStorageName = "ephemeral-storage";

class Model {
 public:
  static std::string Filter(ModelNode node, const ModelPod& pod) {
    if (node.pod_scope) return Fit(node, pod, Whole(pod)) ? "" : "cannot align pod";
    for (const Map& init : pod.inits) {
      if (!Fit(node, pod, init)) return "cannot align init container";
    }
    for (const Map& app : pod.apps) {
      const auto zone = Fit(node, pod, app);
      if (!zone) return "cannot align container";
      for (ModelZone& one : node.zones) {
        if (one.id == *zone) Subtract(one, pod, app);
      }
    }
    return "";
  }

  static int64_t LeastNuma(ModelNode node, const ModelPod& pod) {
    std::vector<Map> parts = pod.inits;
    parts.insert(parts.end(), pod.apps.begin(), pod.apps.end());
    if (node.pod_scope) parts = {Whole(pod)};
    int most = 0;
    bool nearest = true;
    for (const Map& part : parts) {
      if (TouchesNone(node, part)) continue;
      const auto found = Find(node, part);
      if (!found) return 0;
      most = std::max(most, std::popcount(found->first));
      nearest = nearest && found->second;
      Drain(node, part, found->first);
    }
    return most == 0 ? 100 : 100 - most * 12 + (nearest ? 6 : 0);
  }

  static Map Whole(const ModelPod& pod) {
    Map sum, largest;
    for (const Map& app : pod.apps) {
      for (const auto& [name, amount] : app) sum[name] += amount;
    }
    for (const Map& init : pod.inits) {
      for (const auto& [name, amount] : init) largest[name] = std::max(largest[name], amount);
    }
    for (const auto& [name, amount] : largest) sum[name] = std::max(sum[name], amount);
    return sum;
  }

 private:
  static bool Soft(const ModelPod& pod, const std::string& name) {
    return !pod.guaranteed && (name == kCpuName || name == kMemoryName);
  }

  static std::optional<uint32_t> Fit(const ModelNode& node, const ModelPod& pod, const Map& request) {
    std::map<uint32_t, bool> fits;
    bool any = false;
    for (const ModelZone& zone : node.zones) fits[zone.id] = true;
    for (const auto& [name, amount] : request) {
      if (amount == 0) continue;
      if (name == kDevice && !node.offers.contains(name)) return std::nullopt;
      const auto lists = [&name = name](const ModelZone& zone) { return zone.available.contains(name); };
      const bool listed = std::any_of(node.zones.begin(), node.zones.end(), lists);
      if (!listed && (name == kDevice || name == kStorageName)) continue;
      any = true;
      for (const ModelZone& zone : node.zones) {
        const bool enough = lists(zone) && (Soft(pod, name) || zone.available.at(name) >= amount);
        fits[zone.id] = fits[zone.id] && enough;
      }
    }
    if (!any) return 0;
    for (const auto& [id, fit] : fits) {
      if (fit) return id;
    }
    return std::nullopt;
  }
  static void Subtract(ModelZone& zone, const ModelPod& pod, const Map& request) {
    for (const auto& [name, amount] : request) {
      if (!Soft(pod, name) && zone.available.contains(name)) zone.available[name] -= amount;
    }
  }

  static bool TouchesNone(const ModelNode& node, const Map& request) {
    return std::none_of(request.begin(), request.end(), [&](const auto& want) {
      return std::any_of(node.zones.begin(), node.zones.end(),
                         [&](const ModelZone& zone) { return zone.available.contains(want.first); });
    });
  }
  static double Distance(const ModelNode& node, uint64_t set) {
    double sum = 0, n = 0;
    for (size_t a = 0; a < node.zones.size(); ++a) {
      if ((set >> a & 1) == 0) continue;
      ++n;
      for (size_t b = 0; b < node.zones.size(); ++b) {
        if ((set >> b & 1) == 0) continue;
        const auto cost = node.zones[a].costs.find(node.zones[b].id);
        sum += cost == node.zones[a].costs.end() ? 255 : cost->second;
      }
    }
    return sum / (n * n);
  }
  static bool Enough(const ModelNode& node, const Map& request, uint64_t set) {
    for (const auto& [name, amount] : request) {
      int64_t sum = 0;
      for (size_t i = 0; i < node.zones.size(); ++i) {
        if ((set >> i & 1) == 0) continue;
        if (!node.zones[i].available.contains(name)) return false;
        sum += node.zones[i].available.at(name);
      }
      if (sum < amount) return false;
    }
    return true;
  }
  // Whether a comes before b if both sets are compared as lists of places.
  static bool Before(uint64_t a, uint64_t b) {
    const uint64_t differing = a ^ b;
    return (a & (differing & (~differing + 1))) != 0;
  }
  static std::optional<std::pair<uint64_t, bool>> Find(const ModelNode& node, const Map& request) {
    for (int size = 1; size <= static_cast<int>(node.zones.size()); ++size) {
      double least = 255;
      std::optional<uint64_t> best;
      for (uint64_t set = 1; set >> node.zones.size() == 0; ++set) {
        if (std::popcount(set) != size) continue;
        least = std::min(least, Distance(node, set));
        if (!Enough(node, request, set)) continue;
        const double now = Distance(node, set), then = best ? Distance(node, *best) : 256;
        if (now < then || (now == then && Before(set, *best))) best = set;
      }
      if (best) return {{*best, Distance(node, *best) == least}};
    }
    return std::nullopt;
  }
  static void Drain(ModelNode& node, Map request, uint64_t set) {
    for (auto& [name, amount] : request) {
      for (size_t i = 0; i < node.zones.size(); ++i) {
        if ((set >> i & 1) == 0) continue;
        const int64_t taken = std::min(amount, node.zones[i].available[name]);
        node.zones[i].available[name] -= taken;
        amount -= taken;
      }
    }
  }
};

class Random {
 public:
  explicit Random(uint32_t seed) : engine_(seed) {}

  ModelNode Node() {
    ModelNode node;
    node.pod_scope = Below(2) == 0;
    if (Below(2) == 0) node.offers[kDevice] = 4;
    const int64_t zones = Below(5);
    for (uint32_t id = static_cast<uint32_t>(Below(3)); std::ssize(node.zones) < zones;
         id += 1 + static_cast<uint32_t>(Below(2))) {
      ModelZone zone{id, {}, {}};
      if (Below(6) != 0) zone.available[kCpuName] = Below(5) * 1000;
      if (Below(6) != 0) zone.available[kMemoryName] = Below(5);
      if (Below(2) == 0 && node.offers.contains(kDevice)) zone.available[kDevice] = Below(4);
      for (uint32_t to = 0; to < 8; ++to) {
        if (Below(4) != 0) zone.costs[to] = static_cast<int>(10 + Below(3) * 10);
      }
      node.zones.push_back(zone);
    }
    return node;
  }
  ModelPod PodOf() {
    ModelPod pod;
    pod.guaranteed = Below(2) == 0;
    for (int64_t i = Below(3); i > 0; --i) pod.inits.push_back(Part());
    for (int64_t i = 1 + Below(3); i > 0; --i) pod.apps.push_back(Part());
    return pod;
  }

 private:
  int64_t Below(int64_t end) { return std::uniform_int_distribution<int64_t>(0, end - 1)(engine_); }
  // cpu and memory are not 0, so that limits make a pod Guaranteed.
  Map Part() {
    Map part{{kCpuName, 1000 + Below(4) * 500}, {kMemoryName, 1 + Below(4)}};
    if (Below(3) == 0) part[kDevice] = Below(4);
    if (Below(4) == 0) part[kStorageName] = 1;
    return part;
  }

  std::mt19937 engine_;
};

TestNode Shown(const ModelNode& node, const std::string& name, bool single) {
  TestNode test{.name = name, .policy = {}, .zones = {}};
  test.policy = single ? (node.pod_scope ? kPodSingle : kContainerSingle)
                       : (node.pod_scope ? kPodBestEffort : kContainerBestEffort);
  for (const ModelZone& zone : node.zones) {
    TestZone& shown = test.zones.emplace_back(TestZone{"node-" + std::to_string(zone.id), {}, std::vector<int>(8, -1)});
    for (const auto& [key, amount] : zone.available) {
      shown.available.emplace_back(key, std::to_string(amount) + (key == kCpuName ? "m" : ""));
    }
    for (const auto& [to, cost] : zone.costs) shown.costs[to] = cost;
  }
  for (const auto& [key, amount] : node.offers) test.more.emplace_back(key, amount);
  return test;
}
FakePod Shown(const ModelPod& pod) {
  FakePod shown("pod");
  const auto amounts = [](const Map& part) { return Amounts(part.begin(), part.end()); };
  const auto limits = [&](const Map& part) { return pod.guaranteed ? amounts(part) : Amounts(); };
  for (const Map& part : pod.inits) shown.InitReq(amounts(part), limits(part));
  for (const Map& part : pod.apps) shown.Req(amounts(part), limits(part));
  return shown;
}

struct World {
  std::vector<ModelNode> models;
  std::vector<TestNode> nodes;

  World(Random& random, bool single) {
    for (int i = 0; i < 20; ++i) {
      models.push_back(random.Node());
      nodes.push_back(Shown(models.back(), "node" + std::to_string(i), single));
    }
  }
};

TEST(TopologyModel, Filter) {
  Random random(7);
  int refused = 0;
  for (int round = 0; round < 10; ++round) {
    const World world(random, true);
    Fixture fixture(world.nodes);
    for (int i = 0; i < 30; ++i) {
      const ModelPod pod = random.PodOf();
      const auto attempt = fixture.plugin.Try(Shown(pod));
      const FilterOutcome got = attempt->FilterInParallel(3, 5);
      for (size_t n = 0; n < world.nodes.size(); ++n) {
        const std::string want = Model::Filter(world.models[n], pod);
        ASSERT_EQ(got.nodes.at(world.nodes[n].name), Wanted(want)) << round << " " << i << " " << n;
        refused += want.empty() ? 0 : 1;
      }
    }
  }
  EXPECT_GT(refused, 500);
  EXPECT_LT(refused, 5500);
}

TEST(TopologyModel, LeastNumaNodes) {
  Random random(11);
  std::map<int64_t, int> seen;
  for (int round = 0; round < 10; ++round) {
    const World world(random, false);
    Fixture fixture(world.nodes, StrategyArgs("LeastNUMANodes"));
    for (int i = 0; i < 30; ++i) {
      ModelPod pod = random.PodOf();
      pod.guaranteed = true;
      const Scores got = fixture.Score(Shown(pod));
      for (size_t n = 0; n < world.nodes.size(); ++n) {
        const int64_t want = Model::LeastNuma(world.models[n], pod);
        ASSERT_EQ(got.at(world.nodes[n].name), want) << round << " " << i << " " << n;
        ++seen[want];
      }
    }
  }
  EXPECT_GE(seen.size(), 6u);
}

}  // namespace
}  // namespace plugins::node_topology

// Random clusters against plain models: the sums over quotas against a recount, and the victims of a node against the
// steps of SelectVictimsOnNode in pkg/capacityscheduling/capacity_scheduling.go of kubernetes-sigs/scheduler-plugins,
// with maps, and with what docs/differences.md says is different.
#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "test_fixture.h"

namespace plugins::capacity_scheduling {
namespace {

struct ModelPod {
  std::string name, ns;
  int64_t memory, gpu;
  int32_t priority;
  int64_t started;
};
struct ModelQuota {
  int64_t min_memory, min_gpu, max_memory, max_gpu;
};
struct ModelUse {
  int64_t memory = 0, gpu = 0;
};
using ModelQuotas = std::map<std::string, ModelQuota>;

struct ModelWorld {
  ModelQuotas quotas;
  std::vector<ModelPod> pods;
  ModelPod preemptor;
  int64_t room, gpus;  // of the node

  ModelUse Used(const std::vector<ModelPod>& present, const std::string& ns) const {
    ModelUse use;
    for (const ModelPod& pod : present) {
      const bool counts = ns.empty() ? quotas.contains(pod.ns) : pod.ns == ns;
      if (counts) use = {use.memory + pod.memory, use.gpu + pod.gpu};
    }
    return use;
  }
  bool BorrowsWith(const std::vector<ModelPod>& present, const std::string& ns, ModelUse more) const {
    const ModelUse use = Used(present, ns);
    const ModelQuota& quota = quotas.at(ns);
    return use.memory + more.memory > quota.min_memory || use.gpu + more.gpu > quota.min_gpu;
  }
  bool QuotasAdmit(const std::vector<ModelPod>& present) const {
    if (!quotas.contains(preemptor.ns)) return true;
    const ModelUse own = Used(present, preemptor.ns), all = Used(present, "");
    const ModelQuota& quota = quotas.at(preemptor.ns);
    int64_t memory = 0, gpu = 0;
    for (const auto& [ns, one] : quotas) memory += one.min_memory, gpu += one.min_gpu;
    return own.memory + preemptor.memory <= quota.max_memory && own.gpu + preemptor.gpu <= quota.max_gpu &&
           all.memory + preemptor.memory <= memory && all.gpu + preemptor.gpu <= gpu;
  }
  bool NodeAdmits(const std::vector<ModelPod>& present) const {
    ModelUse use{preemptor.memory, preemptor.gpu};
    for (const ModelPod& pod : present) use = {use.memory + pod.memory, use.gpu + pod.gpu};
    return (preemptor.memory == 0 || use.memory <= room) && (preemptor.gpu == 0 || use.gpu <= gpus);
  }

  std::string NamespaceOf(const std::string& name) const {
    return std::find_if(pods.begin(), pods.end(), [&](const ModelPod& pod) { return pod.name == name; })->ns;
  }

  // The names, the most important first; none: the node is no candidate.
  std::vector<std::string> Victims() const {
    std::vector<ModelPod> ascending = pods, present = pods, potential;
    const auto less_important = [](const ModelPod& a, const ModelPod& b) {
      return a.priority != b.priority ? a.priority < b.priority : a.started > b.started;
    };
    std::sort(ascending.begin(), ascending.end(), less_important);
    const auto leave = [](std::vector<ModelPod>& from, const ModelPod& pod) {
      std::erase_if(from, [&](const ModelPod& one) { return one.name == pod.name; });
    };
    const bool has = quotas.contains(preemptor.ns);
    const bool own = has && BorrowsWith(pods, preemptor.ns, {preemptor.memory, preemptor.gpu});
    for (const ModelPod& pod : ascending) {
      const bool lower = pod.priority < preemptor.priority, quota = quotas.contains(pod.ns);
      bool take = false;
      if (!has) take = !quota && lower;
      if (has && own) take = pod.ns == preemptor.ns && lower;
      if (has && !own) take = quota && pod.ns != preemptor.ns && BorrowsWith(present, pod.ns, {});
      if (!take) continue;
      potential.push_back(pod);
      leave(present, pod);
    }
    if (potential.empty() || !NodeAdmits(present) || !QuotasAdmit(present)) return {};
    std::reverse(potential.begin(), potential.end());
    std::vector<std::string> victims;
    for (const ModelPod& pod : potential) {
      present.push_back(pod);
      if (NodeAdmits(present) && QuotasAdmit(present)) continue;
      leave(present, pod);
      victims.push_back(pod.name);
    }
    return victims;
  }
};

ModelWorld RandomWorld(std::mt19937_64& random) {
  const auto up_to = [&](int64_t n) { return static_cast<int64_t>(random() % static_cast<uint64_t>(n + 1)); };
  ModelWorld world;
  for (const char* ns : {"ns1", "ns2", "ns3"}) {
    if (up_to(3) > 0) world.quotas[ns] = {20 + up_to(12) * 10, up_to(5), 60 + up_to(20) * 10, 1 + up_to(5)};
  }
  const std::vector<std::string> all = {"ns1", "ns2", "ns3", "ns4"};
  const auto pod = [&](const std::string& name) {
    const auto ns = all[static_cast<size_t>(up_to(3))];
    return ModelPod{name, ns, up_to(5) * 10, up_to(2), static_cast<int32_t>(up_to(3)), 0};
  };
  const int64_t n = 1 + up_to(7);
  for (int64_t i = 0; i < n; ++i) {
    world.pods.push_back(pod("pod-" + std::to_string(i)));
    world.pods.back().started = i + 1;
  }
  world.preemptor = pod("preemptor");
  const ModelUse used = world.Used(world.pods, "");
  world.room = used.memory + up_to(5) * 10;
  world.gpus = used.gpu + up_to(2);
  return world;
}

FakePod FakeOf(const ModelPod& pod) {
  return PodOf(pod.name, pod.ns, pod.memory, 0, pod.gpu, pod.priority).Started(pod.started);
}
std::string ListOf(const char* memory, int64_t bytes, int64_t gpu) {
  return std::string("{\"") + memory + "\": " + std::to_string(bytes) + ", \"nvidia.com/gpu\": " + std::to_string(gpu) +
         "}";
}

TEST(CapacityRandom, VictimsOfANodeAreThoseOfTheModel) {
  size_t with_victims = 0, across = 0;
  for (uint64_t seed = 1; seed <= 400; ++seed) {
    std::mt19937_64 random(seed);
    const ModelWorld world = RandomWorld(random);
    const std::vector<std::string> want = world.Victims();
    Quoted quoted;
    quoted.Nodes({"node-a"}, {{"memory", world.room}, {kGpuName, world.gpus}, {"pods", 110}}).Start();
    for (const auto& [ns, quota] : world.quotas) {
      quoted.Quota(ns, ListOf("memory", quota.max_memory, quota.max_gpu),
                   ListOf("memory", quota.min_memory, quota.min_gpu));
    }
    for (const ModelPod& pod : world.pods) quoted.Came(FakeOf(pod));
    const auto attempt = quoted.plugin.Try(FakeOf(world.preemptor));
    attempt->PreFilter();
    const PostFilterOutcome outcome = attempt->PostFilter({{"node-a", BERTH_UNSCHEDULABLE}});
    quoted.plugin.host().api().AnswersBy([](const FakeRequest&) { return FakeReply(); });
    quoted.plugin.host().api().Deliver();
    std::vector<std::string> got;
    for (const FakeRequest& request : quoted.plugin.host().api().requests()) {
      if (request.verb == "DELETE") got.push_back(request.name);
    }
    ASSERT_EQ(got, want) << "seed " << seed << ": " << outcome;
    ASSERT_EQ(outcome.ok(), !want.empty()) << "seed " << seed;
    with_victims += want.empty() ? 0 : 1;
    across += !want.empty() && world.NamespaceOf(want[0]) != world.preemptor.ns ? 1 : 0;
  }
  EXPECT_GT(with_victims, 20u);
  EXPECT_GT(across, 8u) << "victims of other namespaces";
}

TEST(CapacityRandom, UsedIsTheSumOverThePods) {
  std::mt19937_64 random(7);
  Quoted quoted;
  quoted.Nodes({"node-a"}).Start();
  std::vector<FakePod> there;
  std::map<std::string, ModelPod> facts;
  std::set<std::string> with_quota;
  for (int step = 0; step < 3000; ++step) {
    const std::string ns = "ns" + std::to_string(random() % 4);
    if (there.size() > 30 || (!there.empty() && random() % 3 == 0)) {
      const size_t i = random() % there.size();
      quoted.plugin.PodRemoved(there[i], 0);
      facts.erase(there[i].name());
      there.erase(there.begin() + static_cast<ptrdiff_t>(i));
    } else if (random() % 8 == 0) {
      quoted.Quota(ns, "", Memory(static_cast<int64_t>(random() % 100)));
      with_quota.insert(ns);
    } else if (random() % 16 == 0 && with_quota.erase(ns) != 0) {
      quoted.plugin.Delete(kElasticQuotas, "eq", ns);
    } else {
      const ModelPod pod{"pod-" + std::to_string(step),      ns, static_cast<int64_t>(random() % 100),
                         static_cast<int64_t>(random() % 3), 0,  0};
      there.push_back(FakeOf(pod));
      facts[pod.name] = pod;
      quoted.plugin.PodAdded(there.back(), 0);
    }
    std::map<std::string, std::array<int64_t, 3>> sums;
    for (const auto& [name, pod] : facts) {
      auto& [n, memory, gpu] = sums[pod.ns];
      ++n, memory += pod.memory, gpu += pod.gpu;
    }
    std::string want;
    for (const auto& [name, sum] : sums) {
      want += name + " " + std::to_string(sum[0]) + " 0 " + std::to_string(sum[1]) + " 0 0";
      want += sum[2] == 0 ? "\n" : " nvidia.com/gpu=" + std::to_string(sum[2]) + "\n";
    }
    ASSERT_EQ(quoted.plugin.Dump(), want) << step;
  }
}

}  // namespace
}  // namespace plugins::capacity_scheduling

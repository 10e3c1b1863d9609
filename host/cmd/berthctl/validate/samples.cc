#include "cmd/berthctl/validate/samples.h"

#include <limits>
#include <string>

namespace berth::validate {
namespace {

using sdk::testing::FakeCluster;
using sdk::testing::FakeEvent;
using sdk::testing::FakeNode;
using sdk::testing::FakeObject;
using sdk::testing::FakePod;
using std::to_string;

constexpr int64_t kGi = int64_t{1} << 30;

FakePod Requesting(const std::string& name, int64_t cpu, int64_t memory) {
  return FakePod(name).Image("registry.example/app:1").Req({{"cpu", cpu}, {"memory", memory}});
}

FakePod Running(uint32_t number) {
  FakePod pod = Requesting("r" + to_string(number), 100 + number % 7 * 100, kGi / 4);
  pod.Label("app", number % 2 == 0 ? "web" : "db").Started(1);
  if (number % 5 == 0) pod.HostPort(8080);
  if (number % 7 == 0) pod.PodAntiAffinity({"zone", {.labels = {{"app", "cache"}}}});
  return pod;
}

}  // namespace

FakeNode SampleNode(uint32_t number) {
  FakeNode node("n" + to_string(number));
  const int64_t size = 1 + number % 4;
  node.Label("zone", "z" + to_string(number % 3)).Label("kubernetes.io/hostname", "n" + to_string(number));
  node.Label("disk", number % 2 == 0 ? "ssd" : "hdd");
  node.Allocatable({{"cpu", size * 2000}, {"memory", size * 8 * kGi}, {"pods", 110}, {"ephemeral-storage", 100 * kGi}});
  if (number % 6 == 5) node.Taint("dedicated", "NoSchedule", "batch");
  if (number % 11 == 10) node.Unschedulable().Taint("node.kubernetes.io/unschedulable", "NoSchedule");
  if (number % 3 == 0) node.Image("registry.example/app:1", 300'000'000);
  return node;
}

FakeCluster SampleCluster(uint32_t nodes) {
  FakeCluster cluster;
  for (uint32_t i = 0; i < nodes; ++i) cluster.Add(SampleNode(i));
  for (uint32_t i = 0; i < nodes; ++i) {
    if (i % 2 == 0) cluster.Add(Running(i), "n" + to_string(i));
  }
  return cluster;
}

std::vector<SampleObject> SampleObjects() {
  return {
      {"v1/namespaces", FakeObject("default").Label("team", "blue")},
      {"v1/namespaces", FakeObject("other")},
      {"v1/services", FakeObject("web", "default").Spec(R"({"selector": {"app": "web"}})")},
      {"apps/v1/replicasets", FakeObject("web", "default").Spec(R"({"selector": {"matchLabels": {"app": "web"}}})")},
      {"storage.k8s.io/v1/storageclasses",
       FakeObject("fast").Set("provisioner", "example.org/disk").Set("volumeBindingMode", "Immediate")},
      {"v1/persistentvolumes", FakeObject("disk").Spec(R"({"storageClassName": "fast", "capacity": {"storage": "1Gi"},
               "accessModes": ["ReadWriteOnce"], "claimRef": {"namespace": "default", "name": "data"}})")},
      {"v1/persistentvolumeclaims", FakeObject("data", "default")
                                        .Spec(R"({"storageClassName": "fast", "volumeName": "disk",
               "accessModes": ["ReadWriteOnce"]})")
                                        .Status(R"({"phase": "Bound"})")},
      {"policy/v1/poddisruptionbudgets",
       FakeObject("web", "default").Spec(R"({"selector": {"matchLabels": {"app": "web"}}})")}};
}

std::vector<FakePod> SamplePods() {
  const auto plain = [](const char* name) { return Requesting(name, 500, kGi).Label("app", "web"); };
  return {plain("plain"),
          plain("selecting").NodeSelector("disk", "ssd"),
          plain("preferring").Preferred(5, {{{"zone", "In", {"z1"}}}, {}}).NodeAffinityIn("zone", {"z0", "z1"}),
          plain("tolerant").Toleration("dedicated"),
          plain("lonely").PodAntiAffinity({"kubernetes.io/hostname", {.labels = {{"app", "web"}}}}),
          plain("sociable").PodAffinity({"zone", {.labels = {{"app", "db"}}}}, 10),
          plain("spread").Spread({.key = "zone", .selector = {.labels = {{"app", "web"}}}}),
          plain("serving").HostPort(8080),
          plain("storing").ClaimVolume("data"),
          plain("owned").Controller("ReplicaSet", "web"),
          Requesting("large", 5000, 20 * kGi).Priority(1000),
          Requesting("too-large", 500'000, kGi).Priority(1000)};
}

std::vector<FakePod> OddPods() {
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max() / 64;  // the sum over all pods does not overflow
  FakePod labelled("labelled");
  for (int i = 0; i < 1000; ++i) labelled.Label("key-" + to_string(i), std::string(63, 'v'));
  FakePod crowded("crowded");
  for (int i = 0; i < 100; ++i) {
    crowded.Image("image-" + to_string(i)).Req({{"cpu", i}}).HostPort(i + 1).Toleration("t" + to_string(i));
  }
  const std::string snowman = "\xe2\x98\x83", beyond = "\xf0\x9f\x98\x80", right_to_left = "\xd7\xa9\xd7\x9c";
  FakePod odd(snowman + beyond);
  odd.Namespace(right_to_left).Label(snowman, beyond).NodeSelector(beyond, "").Image(":@/::").Image("");
  odd.NodeAffinityIn("", {}).Toleration("", "Exists").Toleration(snowman, "Sideways", beyond, "Sometimes");
  odd.Required({{{"zone", "Sideways", {"z1"}}, {"zone", "Gt", {"x"}}}, {{"metadata.name", "In", {}}}});
  return {
      FakePod(""),
      FakePod("bare"),
      labelled,
      crowded,
      odd,
      FakePod("greedy").Req({{"cpu", kMost}, {"memory", kMost}}).Req({{"cpu", kMost}, {"example.org/x", kMost}}),
      FakePod("adrift").Node("no-such-node").Nominated("no-such-node").ClaimVolume("no-such-claim"),
      FakePod("elsewhere").Namespace("no-such-namespace").Controller("NoKind", "", "", ""),
      FakePod("ending").Terminating().Priority(std::numeric_limits<int32_t>::min()),
      FakePod("gated").Gate("example.org/gate").Gate(""),
      FakePod("spread").Spread({.key = "no-such-key", .max_skew = 0, .selector = sdk::testing::FakeSelector::Nil()})};
}

// An addition, a change, and a deletion for an interest in the resource.
std::vector<FakeEvent> SampleEvents(const std::string& resource, uint32_t interest) {
  std::vector<FakeEvent> events;
  const auto add = [&](uint32_t actions, bool old_one, bool new_one) {
    FakeEvent event{.resource = resource, .actions = actions, .interest = interest};
    if (resource == "Node") {
      if (old_one) event.old_node = SampleNode(1);
      if (new_one) event.new_node = FakeNode(SampleNode(1)).Label("disk", "ssd").Allocatable({{"cpu", 64000}});
    } else if (resource == "Pod") {
      event.resource = "AssignedPod";
      if (old_one) event.old_pod = FakePod("event").Label("app", "web").Node("n1");
      if (new_one) event.new_pod = FakePod("event").Label("app", "db").Node("n1");
    } else {
      const FakeObject object("event", "default");
      if (old_one) event.old_value = object.document();
      if (new_one) event.new_value = FakeObject(object).Label("app", "web").document();
    }
    events.push_back(std::move(event));
  };
  add(BERTH_ACTION_ADD, false, true);
  add(BERTH_ACTION_DELETE, true, false);
  add(BERTH_ACTION_UPDATE, true, true);
  return events;
}

FakePod RandomPod(base::Random& random, uint32_t number) {
  const auto one_of = [&](uint64_t n) { return random.Below(n) == 0; };
  const auto any = [&](const char* stem, uint64_t n) { return stem + to_string(random.Below(n)); };
  FakePod pod("p" + to_string(number));
  if (one_of(4)) pod.Namespace(any("ns", 3));
  for (uint64_t i = random.Below(4); i > 0; --i) pod.Label(any("l", 4), any("v", 3));
  for (uint64_t i = random.Below(4); i > 0; --i) {
    const auto amount = static_cast<int64_t>(one_of(20) ? random.Next() >> 12 : random.Below(4000));
    pod.Image(any("image", 5)).Req({{"cpu", amount}, {"memory", static_cast<int64_t>(random.Below(8 * kGi))}});
  }
  if (one_of(4)) pod.NodeSelector(any("l", 4), any("v", 3));
  if (one_of(4)) pod.NodeAffinityIn(any("l", 4), {any("v", 3), any("v", 3)});
  if (one_of(4)) pod.Preferred(static_cast<int32_t>(random.Below(100) + 1), {{{any("l", 4), "Exists", {}}}, {}});
  if (one_of(3)) pod.Toleration(any("t", 3), one_of(2) ? "Exists" : "Equal", any("v", 2));
  if (one_of(4)) pod.PodAffinity({any("l", 4), {.labels = {{any("l", 4), any("v", 3)}}}}, one_of(2) ? 0 : 7);
  if (one_of(4)) pod.PodAntiAffinity({any("l", 4), {.labels = {{any("l", 4), any("v", 3)}}}}, one_of(2) ? 0 : 7);
  if (one_of(4)) pod.Spread({.key = any("l", 4), .selector = {.labels = {{any("l", 4), any("v", 3)}}}});
  if (one_of(5)) pod.HostPort(static_cast<int32_t>(random.Below(3) + 80));
  if (one_of(6)) pod.ClaimVolume(one_of(2) ? "data" : any("claim", 3));
  if (one_of(8)) pod.Controller("ReplicaSet", "web");
  if (one_of(8)) pod.Gate(any("gate", 2));
  if (one_of(3)) pod.Priority(static_cast<int32_t>(random.Below(2000)) - 1000);
  return pod;
}

FakeNode RandomNode(base::Random& random, uint32_t number) {
  FakeNode node("n" + to_string(number));
  const auto any = [&](const char* stem, uint64_t n) { return stem + to_string(random.Below(n)); };
  for (uint64_t i = random.Below(5); i > 0; --i) node.Label(any("l", 4), any("v", 3));
  if (random.Below(8) != 0) {
    node.Allocatable({{"cpu", static_cast<int64_t>(random.Below(16000))},
                      {"memory", static_cast<int64_t>(random.Below(64 * kGi))},
                      {"pods", static_cast<int64_t>(random.Below(20))}});
  }
  for (uint64_t i = random.Below(3); i > 0; --i) {
    node.Taint(any("t", 3), random.Below(2) == 0 ? "NoSchedule" : "NoExecute", any("v", 2));
  }
  for (uint64_t i = random.Below(3); i > 0; --i) node.Image(any("image", 5), 1 << 20);
  return node.Unschedulable(random.Below(10) == 0);
}

}  // namespace berth::validate

// The rule about declared dependence: BP-116. A table that sets BERTH_REUSE names the parts of pod, row and cluster
// that its answers depend on. The host keeps answers as long as those parts stay the same. The rule changes everything
// else, and the answers must stay the same.
#include <functional>
#include <string>
#include <vector>

#include "cmd/berthctl/validate/batch.h"
#include "cmd/berthctl/validate/checks.h"
#include "cmd/berthctl/validate/samples.h"

namespace berth::validate {
namespace {

using sdk::testing::FakeCluster;
using sdk::testing::FakeNode;
using sdk::testing::FakePod;
using std::to_string;

constexpr uint32_t kReuseNodes = 24;
constexpr int64_t kGi = int64_t{1} << 30;

// A change, and its aspects. A table whose answers change must declare at least one of them.
struct PodChange {
  const char* what;
  uint64_t aspects;
  std::function<void(FakePod&)> make;
};
struct ClusterChange {
  const char* what;
  uint64_t rows, cluster;
  std::function<FakeCluster()> make;
};

FakePod Base() {
  return FakePod("base")
      .Label("app", "web")
      .Image("registry.example/app:1")
      .Req({{"cpu", 500}, {"memory", kGi}})
      .NodeAffinityIn("zone", {"z0", "z1"})
      .Preferred(3, {{{"disk", "In", {"ssd"}}}, {}})
      .HostPort(8080)
      .Toleration("dedicated")
      .Spread({.key = "zone", .selector = {.labels = {{"app", "web"}}}});
}

std::vector<PodChange> PodChanges() {
  return {{"the pod's name", 0, [](FakePod& p) { p.Name("another"); }},
          {"the pod's labels", BERTH_POD_LABELS, [](FakePod& p) { p.Label("app", "db").Label("tier", "back"); }},
          {"the pod's images", BERTH_POD_IMAGES, [](FakePod& p) { p.Image("registry.example/other:2"); }},
          {"the pod's requests", BERTH_POD_RESOURCES,
           [](FakePod& p) {
             p.Req({{"cpu", 3000}, {"memory", 9 * kGi}});
           }},
          {"the pod's ports", BERTH_POD_PORTS, [](FakePod& p) { p.HostPort(9090).HostPort(8081); }},
          {"the pod's tolerations", BERTH_POD_TOLERATIONS, [](FakePod& p) { p.Toleration("", "Exists"); }},
          {"the pod's node selector", BERTH_POD_NODE_AFFINITY, [](FakePod& p) { p.NodeSelector("disk", "hdd"); }},
          {"the pod's namespace", BERTH_POD_NAMESPACE, [](FakePod& p) { p.Namespace("other"); }},
          {"the pod's priority", BERTH_POD_PRIORITY, [](FakePod& p) { p.Priority(7); }},
          {"the pod's node name", BERTH_POD_NODE_NAME, [](FakePod& p) { p.Node("n3"); }},
          {"the pod's affinity to pods", BERTH_POD_POD_AFFINITY,
           [](FakePod& p) {
             p.PodAntiAffinity({"zone", {.labels = {{"app", "web"}}}});
           }},
          {"the pod's spread constraints", BERTH_POD_SPREAD,
           [](FakePod& p) {
             p.Spread({.key = "disk", .selector = {.labels = {{"app", "web"}}}});
           }},
          {"the pod's volumes", BERTH_POD_VOLUMES, [](FakePod& p) { p.ClaimVolume("data"); }},
          {"the pod's claims", BERTH_POD_CLAIMS, [](FakePod& p) { p.Claim("gpu", "gpu-claim"); }},
          {"the pod's controller", BERTH_POD_CONTROLLER, [](FakePod& p) { p.Controller("ReplicaSet", "web"); }},
          {"the pod's flags", BERTH_POD_FLAGS, [](FakePod& p) { p.Has(BERTH_POD_HAS_HOST_NETWORK); }}};
}

FakeCluster Nodes(const std::function<void(FakeNode&)>& change) {
  FakeCluster cluster;
  for (uint32_t i = 0; i < kReuseNodes; ++i) {
    FakeNode node = SampleNode(i);
    change(node);
    cluster.Add(node);
  }
  return cluster;
}
FakeCluster Each(const std::function<void(FakeNode&)>& change, const FakePod& guest = Base().Name("guest")) {
  FakeCluster cluster = Nodes(change);
  for (uint32_t i = 0; i < kReuseNodes; i += 2)
    cluster.Add(FakePod(guest).Uid("guest-" + to_string(i)), "n" + to_string(i));
  return cluster;
}
void AsItIs(FakeNode&) {}

std::vector<ClusterChange> ClusterChanges() {
  constexpr uint64_t kPodBits = BERTH_ROW_PODS | BERTH_ROW_REQUESTED | BERTH_ROW_PORTS;
  const auto guest = [](const char* app) {
    return FakePod("guest").Label("app", app).Req({{"cpu", 500}, {"memory", kGi}});
  };
  return {
      {"what the nodes can take", BERTH_ROW_ALLOCATABLE, 0,
       [] { return Each([](FakeNode& n) {
              n.Allocatable({{"cpu", 700}, {"memory", 2 * kGi}, {"pods", 2}});
            }); }},
      {"the nodes' labels", BERTH_ROW_LABELS, 0,
       [] { return Each([](FakeNode& n) { n.Label("disk", "hdd").Label("zone", "z9"); }); }},
      {"the nodes' taints", BERTH_ROW_TAINTS, 0,
       [] { return Each([](FakeNode& n) { n.Taint("new", "NoSchedule").Unschedulable(); }); }},
      {"the nodes' images", BERTH_ROW_IMAGES, BERTH_CLUSTER_IMAGES,
       [] { return Each([](FakeNode& n) { n.Image("registry.example/app:1", 900'000'000); }); }},
      {"the nodes' features", BERTH_ROW_FEATURES, 0,
       [] { return Each([](FakeNode& n) { n.Feature("SomeFeature"); }); }},
      {"that pods have left the nodes", kPodBits, 0, [] { return Nodes(AsItIs); }},
      {"the labels of pods on the nodes", BERTH_ROW_PODS, 0,
       [guest] { return Each(AsItIs, guest("db").HostPort(8080)); }},
      {"how many nodes there are", 0, BERTH_CLUSTER_NODES, [] { return Each(AsItIs).Add(FakeNode("one-more")); }},
  };
}

class Comparison {
 public:
  Comparison(const Subject& subject, Findings& findings)
      : subject_(subject), library_(Open(subject)), findings_(findings) {}

  // true: the point is offered and declares what it depends on.
  bool Compare(Batch batch) {
    TestHost rig(subject_, library_);
    rig.Fill(Each(AsItIs));
    if (!rig.Started(findings_)) return false;
    const auto base = Ready::Come(rig, batch, Base());
    if (!base || (base->reuse().flags & BERTH_REUSE) == 0) return false;
    rows_ = base->LiveRows();
    before_ = base->Ask(rows_);
    const berth_reuse reuse = base->reuse();
    for (const PodChange& change : PodChanges()) {
      if ((change.aspects & reuse.pod_aspects) != 0) continue;
      FakePod pod = Base();
      change.make(pod);
      Stays(rig, batch, pod, change.what);
    }
    for (const ClusterChange& change : ClusterChanges()) {
      if ((change.rows & reuse.row_aspects) != 0 || (change.cluster & reuse.cluster_aspects) != 0) continue;
      TestHost other(subject_, library_);
      other.Fill(change.make());
      if (other.Started(findings_)) Stays(other, batch, Base(), change.what);
    }
    return true;
  }

 private:
  // If the pod no longer reaches the point, another point rejected it, whose answers the host never keeps.
  void Stays(TestHost& rig, Batch batch, const FakePod& pod, const char* what) {
    findings_.Step(std::string(NameOf(batch)) + " after a change of " + what);
    const auto ready = Ready::Come(rig, batch, pod);
    if (!ready) return;
    const std::string wrong = Difference(*ready, rows_, before_, rows_, ready->Ask(rows_));
    if (wrong.empty()) return;
    findings_.Fail(std::string(NameOf(batch)) + " depends on " + what + ", which its table does not declare: " + wrong);
  }

  const Subject& subject_;
  std::shared_ptr<const loader::Library> library_;
  Findings& findings_;
  RowNumbers rows_;
  Answer before_;
};

}  // namespace

void CheckReuse(const Subject& subject, Findings& findings) {
  Comparison comparison(subject, findings);
  const bool filter = comparison.Compare(Batch::kFilter), score = comparison.Compare(Batch::kScore);
  if (!filter && !score) findings.NotApplicable("no table declares what it depends on");
}

}  // namespace berth::validate

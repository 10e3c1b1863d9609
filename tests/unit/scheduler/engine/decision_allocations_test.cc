// In the steady state neither the host nor a plugin allocates memory for a decision: from Pop to the start of the
// binding, with kube-scheduler's default plugins as libraries, and all nodes scored. Pods come, are bound, and go, so
// that the cluster keeps its size.
//
// Not counted: the messages of the cluster and the end of a binding, whose texts are written to the API server; the
// tables of nodes of recorded decisions, which the records keep and for which there is a budget of time; and the first
// decisions, while the memory grows that later ones use again.
#include <gtest/gtest.h>

#include <string>

#include "counting_new.h"
#include "still_engine.h"

namespace berth::bench {
namespace {

constexpr size_t kNodes = 300, kStanding = 200;  // pods that are on nodes at any time
constexpr size_t kWarmUp = 3'000, kMeasured = 1'000;

std::string NodeText(size_t i) {
  const std::string name = "node-" + std::to_string(i);
  return R"({"metadata":{"name":")" + name + R"(","uid":")" + name +
         R"(","labels":{"os":"linux","kubernetes.io/hostname":")" + name + R"(","topology.kubernetes.io/zone":"zone-)" +
         std::to_string(i % 3) + R"("}},"status":{"allocatable":{"cpu":"64","memory":"256Gi","pods":"110"}}})";
}

std::string PodName(size_t i) { return "a-deployment-5d4f8c7b9d-" + std::to_string(100'000 + i); }

// The plugins for spreading and affinity have work, too.
constexpr char kRules[] = R"("topologySpreadConstraints":[{"maxSkew":1,"topologyKey":"topology.kubernetes.io/zone",
    "whenUnsatisfiable":"ScheduleAnyway","labelSelector":{"matchLabels":{"app":"web"}}}],
    "tolerations":[{"key":"dedicated","operator":"Exists"}],
    "affinity":{"nodeAffinity":{"preferredDuringSchedulingIgnoredDuringExecution":[{"weight":1,"preference":{
      "matchExpressions":[{"key":"topology.kubernetes.io/zone","operator":"In","values":["zone-1"]}]}}]},
    "podAntiAffinity":{"preferredDuringSchedulingIgnoredDuringExecution":[{"weight":100,"podAffinityTerm":{
      "topologyKey":"kubernetes.io/hostname","labelSelector":{"matchLabels":{"app":"web"}}}}]}},)";

// Rules of which each filter reads all nodes; the anti-affinity leaves about 100. Another `varied` makes another node
// affinity that matches the same nodes.
std::string RequiredRules(size_t varied) {
  return R"("nodeSelector":{"os":"linux"},
    "topologySpreadConstraints":[{"maxSkew":5,"topologyKey":"topology.kubernetes.io/zone",
    "whenUnsatisfiable":"DoNotSchedule","labelSelector":{"matchLabels":{"app":"web"}}}],
    "affinity":{"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":[{
      "matchExpressions":[{"key":"topology.kubernetes.io/zone","operator":"In",
        "values":["zone-0","zone-1","zone-2","another-)" +
         std::to_string(varied) + R"("]}]}]}},
    "podAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":[{
      "topologyKey":"os","labelSelector":{"matchLabels":{"app":"web"}}}]},
    "podAntiAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":[{
      "topologyKey":"kubernetes.io/hostname","labelSelector":{"matchLabels":{"app":"web"}}}]}},)";
}

std::string NoRules(size_t) { return ""; }
std::string Rules(size_t) { return kRules; }
std::string SameRequiredRules(size_t) { return RequiredRules(0); }
std::string DifferentRequiredRules(size_t i) { return RequiredRules(i % 50); }

// What differs between the pods of a test.
struct Kind {
  std::string (*cpu)(size_t i);
  std::string (*rules)(size_t i) = NoRules;
};

std::string PodText(size_t i, const Kind& kind, const std::string& node = "") {
  return R"({"metadata":{"name":")" + PodName(i) + R"(","namespace":"default","uid":"01234567-89ab-cdef-0123-)" +
         PodName(i) + R"(","labels":{"app":"web"}},"spec":{"schedulerName":"default-scheduler",)" + kind.rules(i) +
         (node.empty() ? "" : R"("nodeName":")" + node + R"(",)") +
         R"("containers":[{"name":"c","image":"web:1","resources":{"requests":{"cpu":")" + kind.cpu(i) +
         R"(","memory":"64Mi"}}}]}})";
}

class Rig {
 public:
  explicit Rig(const Kind& kind) : kind_(kind) {
    for (size_t i = 0; i < kNodes; ++i) engine_->Post(engine::NodeSet{OrDie(api::DecodeNode(intern_, NodeText(i)))});
  }

  // Allocations in which the i-th pod is placed. Earlier pods leave.
  uint64_t Place(size_t i) {
    engine_->Post(engine::PodSet{OrDie(api::DecodePod(intern_, PodText(i, kind_)))});
    if (i >= kStanding) engine_->Post(engine::PodGone{.key = "default/" + PodName(i - kStanding)});
    ReadMessages();
    const uint64_t before = Allocations();
    engine_->Step();
    const uint64_t allocations = Allocations() - before;
    EXPECT_EQ(engine_->attempts_in_flight(), 1u);
    engine_.EndBindings();
    ReadMessages();
    const api::PodRef assumed = engine_->cache().FindPod("01234567-89ab-cdef-0123-" + PodName(i));
    const std::string node(intern_.ids.Text(assumed->abi.node_name));
    engine_->Post(engine::PodSet{OrDie(api::DecodePod(intern_, PodText(i, kind_, node)))});
    return allocations;
  }

 private:
  void ReadMessages() {
    engine_->set_popping(false);
    engine_->Step();
    engine_->set_popping(true);
  }

  static engine::EngineOptions WithoutTables() {
    engine::EngineOptions options;
    options.decisions.time_share = 0;
    return options;
  }

  api::InternTables intern_;
  StillEngine engine_{intern_, "", WithoutTables(), Bindings::kEnd, {BERTH_PLUGIN_DIR}};
  const Kind kind_;
};

// In all measured decisions.
uint64_t Allocated(const Kind& kind) {
  Rig rig(kind);
  for (size_t i = 0; i < kWarmUp; ++i) rig.Place(i);
  uint64_t allocations = 0;
  for (size_t i = kWarmUp; i < kWarmUp + kMeasured; ++i) allocations += rig.Place(i);
  return allocations;
}

std::string Same(size_t) { return "100m"; }
std::string Different(size_t i) { return std::to_string(100 + i % 90) + "m"; }

TEST(DecisionAllocations, NoneForEqualPods) { EXPECT_EQ(Allocated({Same}), 0u); }

TEST(DecisionAllocations, NoneForDifferentPods) { EXPECT_EQ(Allocated({Different}), 0u); }

TEST(DecisionAllocations, NoneForEqualPodsWithRules) { EXPECT_EQ(Allocated({Same, Rules}), 0u); }

TEST(DecisionAllocations, NoneForDifferentPodsWithRules) { EXPECT_EQ(Allocated({Different, Rules}), 0u); }

TEST(DecisionAllocations, NoneForEqualPodsWithRequiredRules) { EXPECT_EQ(Allocated({Same, SameRequiredRules}), 0u); }

TEST(DecisionAllocations, NoneForDifferentPodsWithRequiredRules) {
  EXPECT_EQ(Allocated({Different, DifferentRequiredRules}), 0u);
}

}  // namespace
}  // namespace berth::bench

#include "scheduler/what_if/object_facts.h"

namespace berth::what_if {
namespace {

constexpr const char* kZone = "topology.kubernetes.io/zone";

int64_t Allocatable(const api::Node& node, base::Id resource) {
  for (const berth_amount& amount : node.allocatable) {
    if (amount.name == resource) return amount.value;
  }
  return 0;
}

}  // namespace

NodeFacts FactsOf(const api::Node& node, const api::InternTables& intern) {
  NodeFacts facts{.zone = "",
                  .cpu = Allocatable(node, intern.ids.Find("cpu")),
                  .memory = Allocatable(node, intern.ids.Find("memory"))};
  const base::Id zone = intern.ids.Find(kZone);
  const berth_list& labels = node.abi.labels->items;
  for (uint32_t i = 0; i < labels.n; ++i) {
    const berth_kv& label = *BERTH_AT(labels, berth_kv, i);
    if (label.key == zone) facts.zone = intern.ids.Text(label.value);
  }
  return facts;
}

PodFacts FactsOf(const api::Pod& pod, const api::InternTables& intern) {
  const api::RequestSums& sums = *pod.resources().Accounted(intern).requested;
  return {.cpu = sums.Get(intern.ids.Find("cpu")), .memory = sums.Get(intern.ids.Find("memory"))};
}

}  // namespace berth::what_if

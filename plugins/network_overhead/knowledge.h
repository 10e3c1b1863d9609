// The plugin's data about the cluster, updated between cycles: dependencies, costs, places, and replicas. Thread:
// serial. Ownership: the host outlives it.
#pragma once

#include <berth/objects.hpp>
#include <berth/plugin.hpp>

#include <string>
#include <vector>

#include "../common/app_group.h"
#include "../common/named_objects.h"
#include "../common/owned_id.h"
#include "args.h"
#include "cost_table.h"
#include "demand.h"
#include "dependencies.h"
#include "node_costs.h"
#include "places.h"
#include "replicas.h"

namespace plugins::network_overhead {

class Knowledge {
 public:
  Knowledge(berth::sdk::Host& host, const NetworkOverheadArgs& args)
      : host_(host),
        args_(args),
        topology_name_(host, args.topology_name),
        labels_(host),
        groups_(host, args.namespaces),
        tables_(host, args.namespaces),
        places_(host),
        replicas_(host, labels_) {}

  const AppGroupLabels& labels() const { return labels_; }

  void SetAppGroup(const berth::sdk::Object& before, const berth::sdk::Object& now) {
    if (!now) return groups_.Forget(before.ns(), before.name());
    if (groups_.Covers(now.ns())) groups_.Set(now.ns(), now.name(), Dependencies(host_, now));
  }
  void SetTopology(const berth::sdk::Object& before, const berth::sdk::Object& now) {
    if ((now ? now : before).name() != args_.topology_name) return;
    if (!now) return tables_.Forget(before.ns(), before.name());
    if (tables_.Covers(now.ns())) tables_.Set(now.ns(), now.name(), CostTable(host_, now, args_.weights_name));
  }
  void Take(const berth_delta& delta) {
    switch (delta.kind) {
      case BERTH_DELTA_NODE_ADD:
      case BERTH_DELTA_NODE_CHANGE: places_.Set(delta.row, delta.node); break;
      case BERTH_DELTA_NODE_REMOVE: places_.Clear(delta.row); break;
      case BERTH_DELTA_POD_ADD: replicas_.Add(delta.row, delta.pod); break;
      case BERTH_DELTA_POD_REMOVE: replicas_.Remove(delta.row, delta.pod); break;
      default: break;
    }
  }
  std::string Dump() const { return places_.Dump() + replicas_.Dump(); }

  // Equal: the pod has no dependencies, or none of them is on a node.
  NodeCosts CostsFor(const berth::sdk::Pod& pod, uint32_t rows) const {
    const CostTable* table = tables_.Find(topology_name_.get());
    Demand demand(places_, table == nullptr ? no_costs_ : *table);
    const std::vector<Dependency>* dependencies = DependenciesOf(pod);
    if (dependencies == nullptr) return {};
    for (const Dependency& one : *dependencies) {
      const PodsOfRows* pods = replicas_.Of(labels_.GroupOf(pod), one.workload.get());
      if (pods != nullptr) demand.Add(one, *pods);
    }
    return demand.empty() ? NodeCosts() : demand.Costs(rows);
  }

 private:
  const std::vector<Dependency>* DependenciesOf(const berth::sdk::Pod& pod) const {
    const Dependencies* group = groups_.Find(labels_.GroupOf(pod));
    return group == nullptr ? nullptr : group->Of(labels_.WorkloadOf(pod));
  }

  berth::sdk::Host& host_;
  const NetworkOverheadArgs& args_;
  const OwnedId topology_name_;
  const AppGroupLabels labels_;
  NamedObjects<Dependencies> groups_;
  NamedObjects<CostTable> tables_;
  const CostTable no_costs_;
  Places places_;
  Replicas replicas_;
};

}  // namespace plugins::network_overhead

// NodeResourceTopologyMatchArgs. Source: apis/config/v1/{types,defaults}.go and apis/config/validation of
// kubernetes-sigs/scheduler-plugins. A value.
#pragma once

#include <berth/plugin.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "../common/known_kind.h"
#include "strategies.h"

namespace plugins::node_topology {

inline std::optional<Strategy> StrategyNamed(std::string_view name) {
  if (name == "MostAllocated") return Strategy::kMostAllocated;
  if (name == "LeastAllocated") return Strategy::kLeastAllocated;
  if (name == "BalancedAllocation") return Strategy::kBalancedAllocation;
  if (name == "LeastNUMANodes") return Strategy::kLeastNumaNodes;
  return std::nullopt;
}

// How the cache works. Upstream does not check these names: it treats an unknown one as the first of each list, or as a
// mode without a special rule.
struct CacheArgs {
  std::string foreign_pods = "All";          // None, All, OnlyExclusiveResources
  std::string resync_method = "Autodetect";  // Autodetect, All, OnlyExclusiveResources
  std::string informer_mode = "Dedicated";   // Dedicated, Shared
  std::optional<std::string> resync_scope;   // All, OnlyResources

  void Read(berth::sdk::ArgsReader in) {
    in.Get("foreignPodsDetect", foreign_pods, "v1.ForeignPodsDetectMode");
    in.Get("resyncMethod", resync_method, "v1.CacheResyncMethod");
    in.Get("informerMode", informer_mode, "v1.CacheInformerMode");
    std::string scope;
    if (in.Get("resyncScope", scope, "v1.CacheResyncScope")) resync_scope = scope;
  }
  void Write(berth::sdk::JsonWriter& out) const {
    out.BeginObject("cache");
    out.Field("foreignPodsDetect", foreign_pods);
    out.Field("resyncMethod", resync_method);
    out.Field("informerMode", informer_mode);
    if (resync_scope) out.Field("resyncScope", *resync_scope);
    out.EndObject();
  }
};

struct TopologyMatchArgs {
  struct Weight {
    std::string name;
    int64_t weight = 0;
  };

  std::string strategy = "LeastAllocated";
  std::vector<Weight> weights;
  std::optional<int64_t> resync_seconds;  // more than 0: the node's pods are counted until the node reports them
  bool discard_reserved = false;          // has priority over resync_seconds
  CacheArgs cache;
  std::string preemption = "Disabled";

  bool over_reserves() const { return !discard_reserved && resync_seconds.value_or(0) > 0; }
  // Only the cache that counts pods knows in which zones they run.
  bool simulates_evictions() const { return preemption == "Enabled" && over_reserves(); }

  static TopologyMatchArgs Read(berth::sdk::ArgsReader& in) {
    TopologyMatchArgs args;
    ExpectKind(in, "NodeResourceTopologyMatch");
    args.ReadStrategy(in.Object("scoringStrategy", "ScoringStrategy"));
    int64_t seconds = 0;
    if (in.Get("cacheResyncPeriodSeconds", seconds)) args.resync_seconds = seconds;
    in.Get("discardReservedNodes", args.discard_reserved);
    args.cache.Read(in.Object("cache", "NodeResourceTopologyCache"));
    in.Get("preemptionMode", args.preemption, "v1.PreemptionMode");
    args.Check(in);
    return args;
  }
  void Write(berth::sdk::JsonWriter& out) const {
    WriteStrategy(out);
    if (resync_seconds) out.Field("cacheResyncPeriodSeconds", *resync_seconds);
    if (discard_reserved) out.Field("discardReservedNodes", true);
    cache.Write(out);
    out.Field("preemptionMode", preemption);
  }

 private:
  void ReadStrategy(berth::sdk::ArgsReader in) {
    if (in.exists()) strategy.clear();
    in.Get("type", strategy, "v1.ScoringStrategyType");
    in.Each(
        "resources",
        [this](berth::sdk::ArgsReader& item, uint32_t) {
          Weight& weight = weights.emplace_back();
          item.Get("name", weight.name);
          item.Get("weight", weight.weight);
        },
        "ResourceSpec");
    if (weights.empty()) weights = {{"cpu", 1}, {"memory", 1}};
    for (Weight& weight : weights) {
      if (weight.weight == 0) weight.weight = 1;
    }
  }
  void WriteStrategy(berth::sdk::JsonWriter& out) const {
    out.BeginObject("scoringStrategy");
    out.Field("type", strategy);
    out.BeginArray("resources");
    for (const Weight& weight : weights) {
      out.BeginObject();
      out.Field("name", weight.name);
      out.Field("weight", weight.weight);
      out.EndObject();
    }
    out.EndArray();
    out.EndObject();
  }
  void Check(berth::sdk::ArgsReader& in) const {
    in.Check(StrategyNamed(strategy).has_value(), "scoringStrategy.type", strategy, "invalid ScoringStrategyType");
    in.Check(preemption == "Disabled" || preemption == "Enabled", "preemptionMode", preemption,
             "invalid PreemptionMode");
  }
};

}  // namespace plugins::node_topology

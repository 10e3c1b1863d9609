// Parses the answers of the sources of metrics: load-watcher, Prometheus, and the API metrics.k8s.io. Pure; thread:
// any. Sources: pkg/watcher/{watcher,watcher_json}.go and pkg/watcher/internal/metricsprovider/{prometheus,k8s}.go of
// paypal/load-watcher.
#pragma once

#include <berth/value.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "../common/go_amount.h"
#include "../common/go_float.h"
#include "node_load.h"

namespace plugins::trimaran {

// GET /watcher. nullopt: there is no map of nodes, as before load-watcher has seen any metric.
inline std::optional<Snapshot> ReadWatcher(const berth::sdk::Value& document) {
  const berth::sdk::Value nodes = document.Get("data").Get("NodeMetricsMap");
  if (!nodes.is_object()) return std::nullopt;
  Snapshot snapshot;
  snapshot.window_end = document.Get("window").Get("end").AsInt();
  for (uint32_t i = 0; i < nodes.size(); ++i) {
    NodeLoad& load = snapshot.nodes[std::string(nodes.KeyAt(i))];
    const berth::sdk::Value metrics = nodes[i].Get("metrics");
    for (uint32_t j = 0; j < metrics.size(); ++j) {
      const berth::sdk::Value metric = metrics[j];
      load.Add(metric.Get("type").AsString(), metric.Get("operator").AsString(), metric.Get("value").AsNumber());
    }
  }
  return snapshot;
}

// GET /api/v1/query: adds a ratio for each value of the label "instance". nullopt: the answer is not a vector.
// Otherwise the number of nodes. Values that are not finite are left out.
inline std::optional<uint32_t> AddVector(const berth::sdk::Value& document, std::string_view type, std::string_view op,
                                         Snapshot& snapshot) {
  const berth::sdk::Value data = document.Get("data");
  if (data.Get("resultType").AsString() != "vector") return std::nullopt;
  const berth::sdk::Value result = data.Get("result");
  uint32_t added = 0;
  for (uint32_t i = 0; i < result.size(); ++i) {
    const std::optional<double> ratio = GoFloat::Finite(result[i].Get("value")[1].AsString());
    if (!ratio) continue;
    snapshot.nodes[std::string(result[i].Get("metric").Get("instance").AsString())].Add(type, op, *ratio * 100);
    ++added;
  }
  return added;
}

// GET /apis/metrics.k8s.io/v1beta1/nodes: amounts, in thousandths of a CPU and in bytes.
inline std::optional<Snapshot> ReadMetricsServer(const berth::sdk::Value& document) {
  const berth::sdk::Value items = document.Get("items");
  if (!items.is_array()) return std::nullopt;
  Snapshot snapshot;
  for (uint32_t i = 0; i < items.size(); ++i) {
    NodeLoad& load = snapshot.nodes[std::string(items[i].Get("metadata").Get("name").AsString())];
    load.absolute = true;
    const berth::sdk::Value usage = items[i].Get("usage");
    const auto cpu = ParseGoAmount(usage.Get("cpu").AsString()), memory = ParseGoAmount(usage.Get("memory").AsString());
    if (cpu) load.Add("CPU", "Latest", static_cast<double>(cpu->CountOf(-3)));
    if (memory) load.Add("Memory", "Latest", static_cast<double>(memory->CountOf(0)));
  }
  return snapshot;
}

}  // namespace plugins::trimaran

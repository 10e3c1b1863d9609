// For tests: replies of load-watcher, and Node objects with a capacity.
#pragma once

#include <berth/testing/fake_objects.hpp>

#include <cstdint>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

namespace trimaran_test {

struct Metric {
  const char *type, *op;
  double value;
};
using Loads = std::map<std::string, std::vector<Metric>>;

inline std::string Digits(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.17g", value);
  return text;
}

// Writes the text as ResponseWriter of load-watcher writes WatcherMetrics.
inline std::string WatcherText(const Loads& loads, int64_t window_end = 0) {
  std::string nodes;
  for (const auto& [name, metrics] : loads) {
    std::string list;
    for (const Metric& metric : metrics) {
      list += std::string(list.empty() ? "" : ",") + R"({"name":"","type":")" + metric.type + R"(","operator":")" +
              metric.op + R"(","rollup":"","value":)" + Digits(metric.value) + "}";
    }
    nodes += (nodes.empty() ? "\"" : ",\"") + name + R"(":{"metrics":[)" + list +
             R"(],"tags":{},"metadata":{"dataCenter":""}})";
  }
  return R"({"timestamp":0,"window":{"duration":"15m","start":0,"end":)" + std::to_string(window_end) +
         R"(},"source":"test","data":{"NodeMetricsMap":{)" + nodes + "}}}";
}

inline berth::sdk::testing::FakeObject NodeWithCapacity(const std::string& name, int64_t milli,
                                                        const std::string& memory = "1Gi") {
  return berth::sdk::testing::FakeObject(name).Status(R"({"capacity":{"cpu":")" + std::to_string(milli) +
                                                      R"(m","memory":")" + memory + "\"}}");
}

}  // namespace trimaran_test

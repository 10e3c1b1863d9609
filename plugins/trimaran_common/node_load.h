// The known load of one node, and of all nodes at one time. Values; a Snapshot is shared once it is complete. Source:
// pkg/trimaran/resourcestats.go (GetResourceData) of kubernetes-sigs/scheduler-plugins.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace plugins::trimaran {

// The use of one resource, in percent.
struct Usage {
  double average = 0, deviation = 0;
  bool known = false;     // there is a metric of the resource
  bool averaged = false;  // average is one over a time, and not the latest value

  void Add(std::string_view op, double value) {
    known = true;
    if (op == "AVG") {
      average = value;
      averaged = true;
    } else if (op == "STD") {
      deviation = value;
    } else if ((op.empty() || op == "Latest") && !averaged) {
      average = value;
    }
  }
};

// What a node has: status.capacity.
struct Capacity {
  int64_t cpu_milli = 0, memory_bytes = 0;
  bool operator==(const Capacity&) const = default;
};

struct NodeLoad {
  Usage cpu, memory;
  // Of the CPU metrics with operator AVG or Latest.
  std::optional<double> first_cpu, last_cpu;
  // The use is in thousandths and bytes until InPercentOf converts it.
  bool absolute = false;

  void Add(std::string_view type, std::string_view op, double value) {
    if (type == "Memory") return memory.Add(op, value);
    if (type != "CPU") return;
    cpu.Add(op, value);
    if (op != "AVG" && op != "Latest") return;
    if (!first_cpu) first_cpu = value;
    last_cpu = value;
  }

  // Without a capacity there is no percentage, and the load is unknown.
  NodeLoad InPercentOf(const Capacity& capacity) const {
    if (!absolute) return *this;
    NodeLoad load;
    if (capacity.cpu_milli > 0 && cpu.known) {
      load.Add("CPU", "Latest", 100 * cpu.average / static_cast<double>(capacity.cpu_milli));
    }
    if (capacity.memory_bytes > 0 && memory.known) {
      load.Add("Memory", "Latest", 100 * memory.average / static_cast<double>(capacity.memory_bytes));
    }
    return load;
  }
};

struct Snapshot {
  int64_t window_end = 0;                           // Unix seconds
  std::unordered_map<std::string, NodeLoad> nodes;  // by name
};

}  // namespace plugins::trimaran

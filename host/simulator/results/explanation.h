// Prints one attempt of one pod node by node: the plugin that rejected the node and the reason, or every plugin's
// score. Callers: `berthctl simulate --explain`. Thread: any; stateless.
#pragma once

#include <functional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "api/node.h"
#include "api/pod.h"
#include "scheduler/cycle/scheduling_cycle.h"

namespace berth::results {

struct Attempt {
  std::string pod;  // "namespace/name"
  std::string profile;
  std::string result;   // Scheduled, Unschedulable, ...
  std::string node;     // Scheduled only
  uint32_t ties = 0;    // nodes with the highest total
  std::string message;  // if the pod was not scheduled
  std::vector<cycle::NodeRecord> nodes;
};

// The state of the cluster at the time of the attempt. Null: the explanation does not mention taints.
struct Facts {
  const api::InternTables& intern;
  const api::Pod* pod = nullptr;
  std::function<api::NodeRef(std::string_view name)> node;
};

struct Style {
  bool color = false;
  size_t width = 100;
};

// number: the number of the pod's attempt, from 1.
void Print(std::ostream& out, const Attempt& attempt, uint32_t number, const Facts& facts, const Style& style);

}  // namespace berth::results

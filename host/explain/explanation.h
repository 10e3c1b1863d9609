// One attempt of one pod, told node by node: who rejected the node and why, or what every plugin scored it.
// Callers: `berthctl simulate --explain`, the daemon's answers. Thread: any; prints and keeps nothing.
#pragma once

#include <functional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "api/node.h"
#include "api/pod.h"
#include "cycle/scheduling_cycle.h"

namespace berth::explain {

struct Attempt {
  std::string pod;  // "namespace/name"
  std::string profile;
  std::string result;   // Scheduled, Unschedulable, ...
  std::string node;     // Scheduled only
  uint32_t ties = 0;    // nodes with the highest total
  std::string message;  // of a pod that was not scheduled
  std::vector<cycle::NodeRecord> nodes;
};

// What is known of the cluster at the time of the attempt; taints are left out of the story where it is null.
struct Facts {
  const api::Vocabulary& words;
  const api::Pod* pod = nullptr;
  std::function<api::NodeRef(std::string_view name)> node;
};

struct Style {
  bool color = false;
  size_t width = 100;
};

// number: which attempt of the pod it was, from 1.
void Print(std::ostream& out, const Attempt& attempt, uint32_t number, const Facts& facts, const Style& style);

}  // namespace berth::explain

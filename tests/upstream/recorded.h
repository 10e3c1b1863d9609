// The facts that record.py wrote down: cases of kube-scheduler's own plugin tests, as files of this folder.
// Callers: the tests of this folder. Thread: any; values.
#pragma once

#include <string>
#include <vector>

#include "json/value.h"

namespace berth::upstream {

// One answer of a plugin. Members: call, and depending on it node, pods, nodes, old, new, queued; the answer: code,
// reasons, score, hint, less. What the case says for all calls (pod) is copied in.
struct Case {
  std::string package, test, name;
  std::string plugin;
  json::Value args;  // null = the plugin's defaults
  std::vector<std::string> gates;
  std::vector<json::Value> calls;
};

// Every case of every file. Aborts the program when a file cannot be read.
const std::vector<Case>& Cases();

}  // namespace berth::upstream

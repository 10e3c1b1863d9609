// The cases of kube-scheduler's own plugin tests: the calls and the expected results, as YAML files of this folder.
// record.py writes most of them. Callers: the tests of this folder. Thread: any; values.
//
// A file contains documents {package, test, cases}: upstream's package below pkg/scheduler/framework/plugins, its test
// function, and a list of cases with the names that `go test -v` prints (`go run ./cmd/upstreamcases` compares them).
//
//   name      of the case
//   plugin    the tested plugin, by its name in profiles; the profile also has PrioritySort and DefaultBinder
//   with      [names] of further plugins of the profile; only `plugin` is compared, except for PostFilter
//   args      pluginConfig of `plugin`; absent: its defaults
//   gates     [names] of enabled feature gates; a name with a leading "-" is disabled
//   nodes     [{node: manifest, pods: [manifests]}], the cluster, in its order
//   objects   [manifests with apiVersion and kind]: Services, Namespaces, PersistentVolumes, ..., and Pods and Nodes.
//             Kinds that no plugin of the profile needs are dropped, because no informer would store them.
//   pod       the pod to schedule, for every call without its own `pod`; its default name is "incoming"
//   calls     in order; each is {call, pod?, arguments, expected results}:
//
//   PreFilter           code, reasons; result: [names] of the nodes that remain (unknown names do not count),
//                       `all`: all nodes remain; absent: not compared
//   Filter              node; code, reasons. Also called for nodes that PreFilter excluded. After a PreFilter that
//                       rejects the pod, Filter is not called, and only code is compared.
//   AddPod, RemovePod   node, changed: the pod (for RemovePod at least its name). Later Filter calls for that node
//                       behave as in a trial of preemption.
//   PostFilter          code, reasons, nominated: the node. After PreFilter, and Filter of every node.
//   Reserve             node; after Filter. statics: {volume: claim} and provisioned: [claims], the visible result
//   PreScore            nodes: the candidates, as above or names (absent: those with a score); code, reasons of Error
//   Score               node; score, normalized (for NodeAffinity and TaintToleration: raw)
//   NormalizeScore      scores: {node: score}, instead of Score
//   PreEnqueue          code, reasons
//   Less                queued: two of {pod, timestamp}; less
//   isSchedulableAfter* old, new: the event's objects, if any; hint: Queue or QueueSkip. Objects without a kind are
//                       Nodes if the call's name contains Node, and Pods otherwise. `nodes` and `objects` are the
//                       cluster. If `plugin` is not registered for the event, the result is QueueSkip.
//
// node: the name of one of `nodes`, or a manifest next to `pods`; both are added to the cluster before the first call.
// reasons must be equal; those of Error must be contained in the message. Objects without a namespace are in "default".
// Pods and nodes without a name get one, and so do pods whose name exists already.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "codec/json/value.h"

namespace berth::upstream {

struct Case {
  std::string package, test, name;
  std::string plugin;
  std::vector<std::string> with;
  json::Value args;  // null = the plugin's defaults
  std::vector<std::string> gates;
  json::Array nodes, objects;
  std::vector<json::Value> calls;  // each has its pod
};

void PrintTo(const Case& c, std::ostream* out);  // for GoogleTest

// Every case of every file. Aborts the program if a file cannot be read.
const std::vector<Case>& Cases();

// Null when there is none.
const json::Value& At(const json::Value& value, std::string_view key);

// The strings of a JSON array.
std::vector<std::string> Texts(const json::Value& list);

}  // namespace berth::upstream

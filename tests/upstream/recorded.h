// The facts of kube-scheduler's own plugin tests: what its plugins were asked and what they answered, as YAML files of
// this folder, most of them written by record.py. Callers: the tests of this folder. Thread: any; values.
//
// A file is documents {package, test, cases}: upstream's package below pkg/scheduler/framework/plugins, its test
// function, and a list of cases by the names that `go test -v` shows (`go run ./cmd/upstreamcases` compares them).
//
//   name      of the case
//   plugin    who is asked, as profiles name it; PrioritySort and DefaultBinder come along
//   with      [names] of further plugins of the profile; only `plugin` is judged unless it is about PostFilter
//   args      pluginConfig of `plugin`; absent: its defaults
//   gates     [names] of feature gates that are on; a name with a leading "-" is off
//   nodes     [{node: manifest, pods: [manifests]}], the cluster, in its order
//   objects   [manifests with apiVersion and kind]: Services, Namespaces, PersistentVolumes, ..., and Pods and Nodes.
//             Kinds that no plugin of the profile needs are dropped, as no informer would hold them.
//   pod       who is scheduled, for every call that has no `pod` of its own; named "incoming" unless it has a name
//   calls     in order; each is {call, pod?, what it is about, what was answered}:
//
//   PreFilter           code, reasons; result: [names] of the nodes it narrows to (those that there are none of do not
//                       count), `all` = it does not narrow; absent: not looked at
//   Filter              node; code, reasons. Asked even of nodes that PreFilter left out; after a PreFilter that
//   rejects
//                       the pod nobody is asked, and only code is compared.
//   AddPod, RemovePod   node, changed: the pod (of RemovePod its name at least). Filter of that node is from then on
//                       answered as in a trial of preemption.
//   PostFilter          code, reasons, nominated: the node. After PreFilter and Filter of every node.
//   Reserve             node; after Filter. statics: {volume: claim} and provisioned: [claims], which then show it
//   PreScore            nodes: the candidates, as above or names (absent: those with a score); code, reasons of Error
//   Score               node; score, after normalising (of NodeAffinity and TaintToleration: before)
//   NormalizeScore      scores: {node: score}, in the place of Score
//   PreEnqueue          code, reasons
//   Less                queued: two of {pod, timestamp}; less
//   isSchedulableAfter* old, new: an event's objects, as far as there are any; hint: Queue or QueueSkip. Those that
//                       have no kind are Nodes when the call's name says so, Pods otherwise. The cluster is as `nodes`
//                       and `objects` say; `plugin` must be registered for the event, or the answer is QueueSkip.
//
// node: the name of one of `nodes`, or a manifest of its own beside `pods`; both come to the cluster before the first
// call. reasons are compared whole, but of Error, where the answer must contain them. What has no namespace is in
// "default", pods and nodes without a name get one, as do pods of a name that is taken.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "json/value.h"

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

// Every case of every file. Aborts the program when a file cannot be read.
const std::vector<Case>& Cases();

// Null when there is none.
const json::Value& At(const json::Value& value, std::string_view key);

}  // namespace berth::upstream

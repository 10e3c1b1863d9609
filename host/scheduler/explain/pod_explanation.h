// The answer to "why is this pod there, or pending?". A value. Thread: any.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "codec/json/value.h"
#include "plugin/instance/status.h"
#include "scheduler/decisions/decision.h"

namespace berth::explain {

enum class State : uint8_t {
  kPending,    // in the queue, or between queue and attempt
  kGated,      // a PreEnqueue plugin keeps it out of the active queue
  kBinding,    // it has a node, and its binding has not ended
  kScheduled,  // bound
  kForeign,    // pending, and no profile serves its schedulerName
};
std::string_view StateName(State state);  // "Pending", ...

// The nodes that one plugin rejects for one reason. A node with several reasons is in several groups.
struct Group {
  std::string plugin;
  plugin::Code code = plugin::Code::kUnschedulable;
  std::string reason;
  uint32_t nodes = 0;
  std::string detail;                 // "the closest, node-17, lacks 300m"; "": nothing more is known
  std::vector<std::string> examples;  // names of at most kMaxExamples nodes
  std::vector<uint32_t> rows;         // of all nodes, in the table that the group is made from
};
inline constexpr size_t kMaxExamples = 5;

struct QueueFacts {
  std::string where;  // "active", "backoff", "unschedulable", "gated"; "": not in the queue
  uint32_t attempts = 0;
  int64_t added_unix_ns = INT64_MIN;          // BERTH_NO_TIME: unknown; also below
  int64_t backoff_until_unix_ns = INT64_MIN;  // only in "backoff"
  std::vector<std::string> waits_for;         // plugins whose events can make it schedulable
  std::string gate;                           // the message of the plugin that gates it
};

// A change after which the pod would fit; an evaluation has confirmed it.
struct Suggestion {
  std::string change;                // "lower its request for cpu from 2 to 1700m"
  json::Value patch{json::Array()};  // the same as a JSON patch (RFC 6902) of the pod; empty: no change of the pod
  std::vector<std::string> deletes;  // pods to delete, "namespace/name"
  std::string node;                  // one node on which it would fit then
  uint32_t nodes = 0;                // how many there are
};

// What an evaluation says about one node.
struct NodeAnswer {
  std::string node;       // "": nobody asked
  bool examined = false;  // false: there is no such node, or no plugin had to look at it
  bool fits = false;
  std::string plugin;  // that rejects it
  std::vector<std::string> reasons;
};

struct Explanation {
  std::string pod, profile;  // "namespace/name", schedulerName
  State state = State::kPending;
  std::string node;     // kScheduled, kBinding
  std::string summary;  // one paragraph
  uint32_t n_nodes = 0, n_fitting = 0;
  std::vector<Group> groups;  // of an evaluation now; by number of nodes, greatest first
  QueueFacts queue;
  NodeAnswer on_node;
  std::vector<Suggestion> suggestions;
  bool searched = false;                                     // whether somebody looked for suggestions
  std::shared_ptr<const decisions::Decision> decision = {};  // the last recorded one; null: none
  uint64_t decision_with_nodes = 0;                          // the ID of the last one that has a table; 0: none
  std::string failure;                                       // why the evaluation failed; "": it did not
  bool deleted = false;                                      // a pending pod that is being deleted
};

}  // namespace berth::explain

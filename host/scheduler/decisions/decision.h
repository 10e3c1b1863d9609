// One recorded attempt. A value. Thread: any may read it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scheduler/decisions/node_table.h"
#include "scheduler/decisions/victim.h"

namespace berth::decisions {

// As `berthctl simulate` names them.
enum class Result : uint8_t { kScheduled, kUnschedulable, kError };
std::string_view ResultName(Result result);
std::optional<Result> ResultOf(std::string_view name);

// How long the extension points took, in microseconds, by framework::TimedPoint; 0: the point did not run.
inline constexpr size_t kPoints = 14;
using PointMicros = std::array<float, kPoints>;

// The plugins that made a decision. One object for all decisions of a profile of a policy.
struct PluginVersion {
  std::string name, version;
};
using PluginVersions = std::vector<PluginVersion>;

struct DecisionNumbers {
  uint64_t generation = 0;  // of the policy
  int64_t started_unix_ns = 0;
  int64_t cycle_ns = 0;               // to the choice of a node, or to the failure of the scheduling cycle
  int64_t total_ns = 0;               // to the end of the binding cycle, or to the failure
  int64_t added_unix_ns = INT64_MIN;  // when the pod came into the queue, or came back after the attempt before
  int64_t woken_unix_ns = INT64_MIN;  // when the event came that made it ready for this attempt
  int64_t permit_wait_ns = 0;         // how long it waited for Permit plugins
  PointMicros points{};
  uint32_t attempt = 0;    // of this pod, from 1
  uint32_t ties = 0;       // nodes with the highest total; kScheduled only
  uint32_t n_victims = 0;  // pods that the attempt evicts; 0 also if the attempt has no table
  uint32_t gated = 0;      // how often PreEnqueue kept it out of the queue before this attempt
  uint32_t evaluated_nodes = 0, feasible_nodes = 0;
  Result result = Result::kError;
};

struct Decision : DecisionNumbers {
  uint64_t id = 0;                       // counts from 1
  std::string pod;                       // "namespace/name"
  std::string uid, profile;              // of the pod; schedulerName
  std::string node;                      // kScheduled only
  std::string message;                   // "" if scheduled
  std::string nominated_node;            // that PostFilter nominated
  std::vector<std::string> rejected_by;  // plugins because of which the pod waits
  std::string woken_by;                  // the event; "": unknown
  std::string woken_for;                 // the plugin whose hint asked for the attempt; "": none was needed
  std::vector<Victim> victims;           // some of them
  std::string gate;                      // the PreEnqueue plugin that kept it out of the queue last
  std::shared_ptr<const PluginVersions> plugins = {};  // null: unknown
  std::shared_ptr<const NodeTable> nodes = {};         // null: not recorded for this attempt, or not any more

  size_t TextBytes() const {
    return sizeof *this + pod.size() + uid.size() + profile.size() + node.size() + message.size() +
           nominated_node.size();
  }
};

// Selects decisions. Its default selects all.
struct Filter {
  std::string pod, profile;      // "": of all
  std::optional<Result> result;  // nullopt: all
  bool with_nodes = false;       // only those that have a table of nodes

  bool Selects(const Decision& one) const {
    return (pod.empty() || pod == one.pod) && (profile.empty() || profile == one.profile) &&
           (!result || *result == one.result) && (!with_nodes || one.nodes != nullptr);
  }
};

}  // namespace berth::decisions

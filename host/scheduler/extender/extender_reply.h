// Decodes the replies of extenders as Go's encoding/json does: field names match in any case, unknown fields are
// skipped, null is the same as a missing field, and only the first value of the body is read. Errors name the field:
// "answer.FailedNodes: expected an object, found an array". Thread: any; each thread has a parser.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "scheduler/framework/extender.h"

namespace berth::extender {

// ExtenderFilterResult.
struct FilterReply {
  std::optional<std::vector<std::string>> nodes;  // the names in Nodes
  std::optional<std::vector<std::string>> node_names;
  std::map<std::string, std::string> failed, unresolvable;  // node -> message
  std::string error;
};

base::Result<FilterReply> DecodeFilterReply(std::string_view body);
// HostPriorityList.
base::Result<std::vector<framework::HostPriority>> DecodeScores(std::string_view body);
// The Error of an ExtenderBindingResult; empty if the pod is bound.
base::Result<std::string> DecodeBindReply(std::string_view body);
// ExtenderPreemptionResult. A node whose value is null has no victims.
base::Result<framework::NodeNameToMetaVictims> DecodePreemptionReply(std::string_view body);

}  // namespace berth::extender

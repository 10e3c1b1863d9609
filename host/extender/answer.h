// What extenders answer, decoded as Go's encoding/json decodes it: field names in any case, unknown fields skipped,
// null as if it were not there, the first value of the body and nothing after it. Errors say where:
// "answer.FailedNodes: expected an object, found an array". Thread: any; the parser is per thread.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "extender/extender.h"

namespace berth::extender {

// ExtenderFilterResult.
struct FilterAnswer {
  std::optional<std::vector<std::string>> nodes;  // the names of Nodes
  std::optional<std::vector<std::string>> node_names;
  std::map<std::string, std::string> failed, unresolvable;  // node -> message
  std::string error;
};

base::Result<FilterAnswer> DecodeFilterAnswer(std::string_view body);
// HostPriorityList.
base::Result<std::vector<HostScore>> DecodeScores(std::string_view body);
// The Error of an ExtenderBindingResult; empty: it is bound.
base::Result<std::string> DecodeBindAnswer(std::string_view body);
// ExtenderPreemptionResult. A node with null has no victims.
base::Result<MetaVictimsByNode> DecodePreemptAnswer(std::string_view body);

}  // namespace berth::extender

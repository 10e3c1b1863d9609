// The taints of a node that a pod does not tolerate, by name, because the reason of TaintToleration does not name them
// (as upstream). Thread: any.
#pragma once

#include <string>
#include <vector>

#include "api/node.h"
#include "api/pod.h"

namespace berth::api {

struct TaintsAgainst {
  std::vector<std::string> refusing;  // "key=value:NoSchedule" of NoSchedule and NoExecute taints
  std::vector<std::string> disliked;  // PreferNoSchedule taints
};

// Source: k8s.io/api/core/v1/toleration.go ToleratesTaint, without Lt and Gt (their gate is off).
TaintsAgainst FindTaintsAgainst(const InternTables& intern, const Pod& pod, const Node& node);

}  // namespace berth::api

// Which taints of a node stand against a pod, by name: the reason that TaintToleration gives names none (as
// upstream's). Thread: any.
#pragma once

#include <string>
#include <vector>

#include "api/node.h"
#include "api/pod.h"

namespace berth::api {

struct TaintsAgainst {
  std::vector<std::string> refusing;  // "key=value:NoSchedule" of NoSchedule and NoExecute taints not tolerated
  std::vector<std::string> disliked;  // the same of PreferNoSchedule taints
};

// Tolerations as k8s.io/api/core/v1/toleration.go ToleratesTaint has them, without Lt and Gt (their gate is off).
TaintsAgainst FindTaintsAgainst(const Vocabulary& words, const Pod& pod, const Node& node);

}  // namespace berth::api

// The pod of the scheduler that leads, by its Lease. Thread: main.
#pragma once

#include <string>

#include "base/result.h"
#include "cmd/berthctl/kubectl/kubectl.h"

namespace berth::ctl {

// Which scheduler of the cluster.
struct SchedulerPlace {
  std::string name_space = "kube-system";  // of its pods and its Lease
  std::string lease = "kube-scheduler";    // leaderElection.resourceName
  std::string pod;                         // "" = the pod that holds the Lease
};

// The name of the pod. Error: no such Lease or pod, nobody holds the Lease, or no permission to read them.
base::Result<std::string> LeaderOf(const SchedulerPlace& place, const Kubectl& kubectl);

// For an error that kubectl has returned: what to do if it says that the user lacks a permission, else "".
std::string PermissionAdvice(const std::string& error, const std::string& name_space);

}  // namespace berth::ctl

// The status of a PodGroup: from its old status and its pods to its next one. Source: PodGroupReconciler.Reconcile in
// kubernetes-sigs/scheduler-plugins pkg/controllers/podgroup_controller.go.
//
//   ""  ->  Pending  ->  Scheduling  ->  Running  ->  Finished
//              ^              |             |
//              +-- too few pods ------------+------>  Failed  ->  Running, when minMember pods run again
//
// One call takes one step, as one reconciliation of the original. Differs: a group is not Failed while minMember of its
// pods run or have succeeded, or while the pods that have not failed are enough; Failed ends when enough pods run
// again; minMember below 1 counts as 1. Thread: any; pure.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "controllers/rules/pod_group.h"

namespace berth::rules {

// The pods of a group.
struct GroupMembers {
  int64_t total = 0, running = 0, succeeded = 0, failed = 0;
  std::vector<std::string> owners;  // of the first pod
};

PodGroupStatus NextStatus(const PodGroup& group, const GroupMembers& members);

// The group has not been scheduled within 48 hours of its creation. Its status stays as it is, because its pods may
// have been removed. Only if a client writes scheduleStartTime: the original does not.
bool HasTimedOut(const PodGroup& group);

}  // namespace berth::rules

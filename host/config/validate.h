// Whether a completed configuration makes sense: core.md 3.1-3.3, pkg/scheduler/apis/config/validation/validation.go
// and component-base/config/validation. Thread: any; pure functions.
//
// In kube-scheduler's words, with these differences: a repeated schedulerName is shown (kube-scheduler shows "{}"), and
// NodeResourcesFit args are checked like the others (see InTreeArgsJudge). Kept as they are: the leaseDuration error
// shows the renewDeadline, "queueSort.Enabled" is spelled with a capital, profiles are compared by their own queueSort
// sets only, and nothing about leaderElection is checked when leaderElect is false.
#pragma once

#include "config/args_judge.h"
#include "config/configuration.h"
#include "config/issue.h"

namespace berth::config {

void Validate(const Configuration& configuration, ArgsJudge& judge, Issues& issues);

}  // namespace berth::config

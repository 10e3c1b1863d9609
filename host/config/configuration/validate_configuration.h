// Validates a completed configuration. Sources: pkg/scheduler/apis/config/validation/validation.go and
// component-base/config/validation. Thread: any; pure functions.
//
// The messages are kube-scheduler's, with two differences: a repeated schedulerName is shown (kube-scheduler shows
// "{}"), and NodeResourcesFit args are checked like the others (see InTreeArgsValidator). As in kube-scheduler, the
// leaseDuration error shows the renewDeadline, "queueSort.Enabled" has a capital letter, profiles are compared by their
// own queueSort sets only, and leaderElection is not checked when leaderElect is false.
#pragma once

#include "codec/fields/issue.h"
#include "config/configuration/args_validator.h"
#include "config/configuration/configuration.h"

namespace berth::config {

void Validate(const Configuration& configuration, ArgsValidator& args_validator, fields::Issues& issues);

}  // namespace berth::config

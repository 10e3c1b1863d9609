// Applies flags to a configuration. Thread: any; pure functions.
#pragma once

#include "config/configuration/configuration.h"
#include "config/options/options.h"

namespace berth::options {

// Only flags that were set count. --leader-elect* override any configuration. The deprecated flags override the default
// configuration and have no effect with --config. For config::LoadOptions::overlay, which runs before validation. This
// is stricter than kube-scheduler, which does not validate the defaults again after the flags have changed them.
// --pod-max-in-unschedulable-pods-duration always applies and has no field in a configuration: read it from the
// options.
void ApplyTo(const SchedulerOptions& options, config::Configuration& configuration);

}  // namespace berth::options

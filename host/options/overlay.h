// Which flags go over a configuration. Thread: any; pure functions.
#pragma once

#include "config/configuration.h"
#include "options/options.h"

namespace berth::options {

// Only flags that were set count. --leader-elect* go over any configuration. The deprecated flags go over the default
// configuration: with --config they are void. Fit for config::LoadOptions::overlay, which runs before validation; this
// is stricter than kube-scheduler, which does not validate again what flags made of the defaults.
// --pod-max-in-unschedulable-pods-duration always holds and has no place in a configuration: read it from the options.
void ApplyTo(const SchedulerOptions& options, config::Configuration& configuration);

}  // namespace berth::options

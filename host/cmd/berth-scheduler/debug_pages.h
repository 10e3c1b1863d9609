// The pages that show flags, status, and profiles, as far as the configuration and the feature gates allow them.
// Source: newEndpointsHandler in cmd/kube-scheduler/app/server.go. Thread: main.
#pragma once

#include "cmd/berth-scheduler/admin.h"
#include "config/configuration/configuration.h"
#include "config/configuration/feature_gates.h"
#include "config/options/options.h"

namespace berth {

// Before admin.Listen, and after all other paths are registered. /debug/pprof and /debug/flags need enableProfiling,
// /flagz the feature ComponentFlagz, /statusz the feature ComponentStatusz.
void AddDebugPages(Admin& admin, const options::SchedulerOptions& options, const config::FeatureGates& gates,
                   const config::Configuration& configuration);

}  // namespace berth

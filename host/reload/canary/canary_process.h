// The child process: `berth-scheduler canary`, which is not for users. It does with a candidate configuration what the
// scheduler would do with it, on a sample of the cluster, and reports the result (progress.h). A plugin that damages
// its process damages this one. Thread: main, the only one.
#pragma once

#include <functional>

#include "config/configuration/configuration.h"
#include "policy/assembly/quarantined_plugins.h"

namespace berth::canary {

// Reads the request from standard input. overlay and quarantine: see assembly::PolicyOptions. 0: it finished, and
// reported that the configuration is valid, or its errors. 2: the input was no request.
int RunChild(const std::function<void(config::Configuration&)>& overlay,
             const assembly::ReadQuarantine& quarantine = {});

}  // namespace berth::canary

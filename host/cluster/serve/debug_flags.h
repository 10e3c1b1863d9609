// /debug/flags/v: changes the verbosity of the log at run time. Source: k8s.io/apiserver/pkg/server/routes/flags.go,
// and GlogSetter in k8s.io/component-base/logs/logs.go. Thread: any.
#pragma once

#include "cluster/serve/routes.h"

namespace berth::serve {

// PUT /debug/flags/v with a number as its body, and an index at /debug/flags and everything below it.
void AddDebugFlags(Routes& routes);

}  // namespace berth::serve

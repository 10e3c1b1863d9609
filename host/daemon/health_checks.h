// The daemon's part of /healthz, /livez and /readyz. Thread: any. Ownership: the daemon outlives the checks.
#pragma once

#include "daemon/daemon.h"
#include "serve/endpoints.h"

namespace berth::daemon {

// healthz, livez: ping, scheduling-thread. readyz: shutdown, sched-handler-sync, watch-nodes, watch-pods.
void AddHealthChecks(const Daemon& daemon, serve::Checks& checks);

}  // namespace berth::daemon

// The daemon's checks of /healthz, /livez, and /readyz. Thread: any. Ownership: the daemon must outlive the checks.
#pragma once

#include "cluster/daemon/daemon.h"
#include "cluster/serve/endpoints.h"

namespace berth::daemon {

// healthz, livez: ping, scheduling-thread. readyz: shutdown, sched-handler-sync, watch-nodes, watch-pods.
void AddHealthChecks(const Daemon& daemon, serve::Checks& checks);

}  // namespace berth::daemon

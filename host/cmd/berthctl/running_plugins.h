// The plugins of a running berth-scheduler, from its admin page. Thread: main.
#pragma once

#include "cmd/berthctl/admin/admin_connection.h"

namespace berth::ctl {

// Asks for /admin/v1/plugins and prints a table, or the answer as it is if `json`. Returns the exit code: 1 if there is
// no answer, the answer is no list, or a plugin is not active.
int ListRunning(const AdminConnection& scheduler, bool json);

}  // namespace berth::ctl

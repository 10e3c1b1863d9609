// Which plugins a running berth-scheduler decides with, as its admin page tells them. Thread: main.
#pragma once

#include <string>

namespace berth::ctl {

// Asks http://ADDRESS/admin/v1/plugins and prints a table, or what came as it is. address: "127.0.0.1:10261", or with
// http:// before. The exit code: 1 when nobody answers, what comes is no list, or a plugin is not active.
int ListRunning(const std::string& address, bool json);

}  // namespace berth::ctl

// The plugins of a running berth-scheduler, from its admin page. Thread: main.
#pragma once

#include <string>

namespace berth::ctl {

// Requests http://ADDRESS/admin/v1/plugins and prints a table, or the answer as it is if `json`. address:
// "127.0.0.1:10261", with or without http://. Returns the exit code: 1 if there is no answer, the answer is no list, or
// a plugin is not active.
int ListRunning(const std::string& address, bool json);

}  // namespace berth::ctl

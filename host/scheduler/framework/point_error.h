// The text of an error that one plugin returned: `running Reserve plugin "X": message`.
// Source: pkg/scheduler/framework/runtime/framework.go. Thread: any.
#pragma once

#include <string>

#include "plugin/instance/instance.h"
#include "plugin/instance/status.h"

namespace berth::framework {

// what: "Reserve plugin", "PreBindPreFlight".
inline plugin::Status PointError(const char* what, const plugin::Instance& plugin, const plugin::Status& status) {
  return plugin::Status{plugin::Code::kError,
                        plugin.name_id(),
                        {std::string("running ") + what + " \"" + plugin.name() + "\": " + status.Message()}};
}

}  // namespace berth::framework

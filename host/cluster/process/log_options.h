// The settings of the log that the flags of the group "logs" ask for. Thread: any; a pure function.
#pragma once

#include <string>

#include "config/options/options.h"
#include "telemetry/log/log.h"

namespace berth::process {

log::Options LogOptionsOf(std::string program, const options::Logging& logging);

}  // namespace berth::process

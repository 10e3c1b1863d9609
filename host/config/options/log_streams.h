// The streams of the log that the flags ask for. Thread: any; a pure function.
#pragma once

#include "config/options/options.h"
#include "telemetry/log/streams.h"

namespace berth::options {

// The options of the format in effect: --log-text-... or --log-json-...
log::Streams StreamsOf(const Logging& logging);

}  // namespace berth::options

// What of a configuration cannot change while the program runs. Thread: any.
#pragma once

#include <string>
#include <vector>

#include "config/berth_configuration.h"
#include "config/configuration.h"

namespace berth::swap {

// "clientConnection: changes only with a restart": one per field that differs between what runs and what is wanted.
std::vector<std::string> NeedsRestart(const config::Configuration& now, const config::Configuration& wanted);
std::vector<std::string> NeedsRestart(const config::BerthConfiguration& now, const config::BerthConfiguration& wanted);

}  // namespace berth::swap

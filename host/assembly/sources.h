// The files behind --config and --berth-config as texts. Thread: any.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "config/load.h"

namespace berth::assembly {

// Either path may be empty. The error names the file and says why it cannot be read.
base::Result<std::vector<config::Source>> ReadSources(const std::string& config_path,
                                                      const std::string& berth_config_path);

}  // namespace berth::assembly

// The texts of the files of --config and --berth-config. Thread: any.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "config/configuration/load.h"

namespace berth::assembly {

// All files of one Kubernetes volume are read from the same version of it, even if it changes in the meantime. Either
// path may be empty. The error names the file and says why it cannot be read. before_read is called before each file is
// opened, for tests that change the files.
base::Result<std::vector<config::Source>> ReadSources(const std::string& config_path,
                                                      const std::string& berth_config_path,
                                                      const std::function<void()>& before_read = {});

}  // namespace berth::assembly

// The files behind --config and --berth-config as texts. Thread: any.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "config/configuration/load.h"

namespace berth::assembly {

// Files of one volume of Kubernetes are of one version of it, also when it changes meanwhile. Either path may be empty.
// The error names the file and says why it cannot be read. before_read is called before each file is opened, for tests
// that meddle with files.
base::Result<std::vector<config::Source>> ReadSources(const std::string& config_path,
                                                      const std::string& berth_config_path,
                                                      const std::function<void()>& before_read = {});

}  // namespace berth::assembly

// Creates the extenders of a configuration. Thread: one, when the daemon or a simulation starts.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "api/intern_tables.h"
#include "base/result.h"
#include "client/credentials/environment.h"
#include "config/configuration/configuration.h"
#include "scheduler/framework/extender.h"

namespace berth::extender {

using Extenders = std::vector<std::unique_ptr<framework::Extender>>;

// Returns the extenders in the order of the calls: ignorable extenders last, otherwise in configured order. Does not
// connect. environment: HTTP_PROXY, HTTPS_PROXY, and NO_PROXY are read. Fails if a URL, a proxy, or a TLS file is
// invalid: `couldn't build extenders: extenders[1].tlsConfig.caFile: open /x: no such file or directory`. words
// outlives the extenders; an extender must not be destroyed on a thread of host/client/http.
base::Result<Extenders> Make(const config::Configuration& configuration, api::InternTables& intern,
                             const credentials::Environment& environment);
// The same with the environment of this process.
base::Result<Extenders> Make(const config::Configuration& configuration, api::InternTables& intern);

// The error of an invalid urlPrefix; "" if it is valid.
std::string WhyNoServer(const std::string& url_prefix);

// The names of managedResources with ignoredByScheduler, in order. The config folder has added them to the args of
// NodeResourcesFit already.
std::vector<std::string> IgnoredResources(const config::Configuration& configuration);

}  // namespace berth::extender

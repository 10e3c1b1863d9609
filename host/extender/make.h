// The extenders of a configuration. Called by the daemon and by simulations when they start, on one thread.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "api/vocabulary.h"
#include "base/result.h"
#include "config/configuration.h"
#include "extender/extender.h"
#include "kubeconfig/surroundings.h"

namespace berth::extender {

using Extenders = std::vector<std::unique_ptr<Extender>>;

// In the order in which they are asked: those that are not ignorable first, else as configured. Connects to nothing.
// environment: HTTP_PROXY, HTTPS_PROXY and NO_PROXY are looked at. Fails where a URL, a proxy or TLS material can never
// work: `couldn't build extenders: extenders[1].tlsConfig.caFile: open /x: no such file or directory`. words outlives
// the extenders; no extender may be destroyed on a thread of host/http.
base::Result<Extenders> Make(const config::Configuration& configuration, api::Vocabulary& words,
                             const kubeconfig::Environment& environment);
// With the environment of this process.
base::Result<Extenders> Make(const config::Configuration& configuration, api::Vocabulary& words);

// Why no server can be at this urlPrefix, whatever the network; "" = one may be.
std::string WhyNoServer(const std::string& url_prefix);

// The names of managedResources that have ignoredByScheduler, in order. (config has put them into the args of
// NodeResourcesFit already.)
std::vector<std::string> IgnoredResources(const config::Configuration& configuration);

}  // namespace berth::extender

#include "cmd/berth-scheduler/debug_pages.h"

#include <ctime>
#include <map>
#include <string>

#include "base/kubernetes_version.h"
#include "cluster/serve/debug_flags.h"
#include "cluster/serve/flagz.h"
#include "cluster/serve/pprof.h"
#include "cluster/serve/statusz.h"
#include "cmd/berth-scheduler/command_line.h"

namespace berth {
namespace {

std::map<std::string, std::string> FlagValues(const options::SchedulerOptions& options) {
  std::map<std::string, std::string> values;
  for (const flags::FlagState& flag : options.states) values[flag.name] = flag.text;
  return values;
}

// binaryVersion is the version of Kubernetes: clients compare it with that of the API server. Upstream's has no patch
// release either.
serve::Status StatusOfProgram() {
  return {.start_unix_seconds = std::time(nullptr),
          .go_version = "none (Berth v" BERTH_VERSION ", C++ compiler " __VERSION__ ")",
          .binary_version = base::kKubernetesMajorMinor,
          .emulation_version = base::kKubernetesMajorMinor};
}

}  // namespace

void AddDebugPages(Admin& admin, const options::SchedulerOptions& options, const config::FeatureGates& gates,
                   const config::Configuration& configuration) {
  serve::Routes& routes = admin.routes();
  if (configuration.enable_profiling) {
    serve::AddPprof(routes, CommandLine(), admin.ending());
    serve::AddDebugFlags(routes);
  }
  if (gates.Enabled("ComponentFlagz")) routes.Add(serve::FlagzRoute(FlagValues(options)));
  if (gates.Enabled("ComponentStatusz")) {
    routes.Add(serve::StatuszRoute(
        StatusOfProgram(), [&routes] { return routes.ListedPaths(); }, [] { return int64_t{std::time(nullptr)}; }));
  }
}

}  // namespace berth

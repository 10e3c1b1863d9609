// Configuration files: each text must be refused with reasons, or be printed as a file that means the same.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <set>
#include <string>

#include "config/configuration/load.h"
#include "config/configuration/print.h"

namespace {

using berth::config::Configuration;

// As in kube-scheduler, merging with the defaults moves a plugin that is enabled twice. Reading the printed file moves
// it again.
bool EnablesAPluginTwice(const Configuration& configuration) {
  for (const berth::config::Profile& profile : configuration.profiles) {
    for (const berth::config::PluginSet& set : profile.plugins.sets) {
      std::set<std::string> seen;
      for (const berth::config::Plugin& plugin : set.enabled) {
        if (!seen.insert(plugin.name).second) return true;
      }
    }
  }
  return false;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  namespace config = berth::config;
  const std::string text(reinterpret_cast<const char*>(data), size);
  const config::LoadResult read = config::Load({{"fuzz.yaml", text}}, {});
  for (const berth::fields::Issue& issue : read.errors) {
    if (issue.Text().empty()) std::abort();
  }
  if (!read.ok()) return 0;
  const std::string printed = config::PrintV1(read.scheduler, config::Secrets::kShown);
  // For older versions, the printed file leaves legacy plugins out (print.h), and the rest may be invalid without them.
  if (read.scheduler.written_as != config::ApiVersion::kV1) return 0;
  const config::LoadResult again = config::Load({{"printed.yaml", printed}}, {});
  if (!again.ok()) std::abort();
  if (!EnablesAPluginTwice(read.scheduler) && config::PrintV1(again.scheduler, config::Secrets::kShown) != printed)
    std::abort();
  return 0;
}

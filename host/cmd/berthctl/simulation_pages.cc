#include "cmd/berthctl/simulation_pages.h"

#include <map>
#include <vector>

#include "base/clock.h"
#include "cluster/explain/explain_api.h"
#include "cluster/serve/plugin_list.h"
#include "cmd/berthctl/serve/page_server.h"
#include "config/configuration/print.h"
#include "plugin/instance/instance.h"

namespace berth::ctl {
namespace {

std::vector<serve::PluginEntry> PluginsOf(const framework::ProfileSet& profiles) {
  std::map<std::string, serve::PluginEntry> plugins;  // a plugin of several profiles is one entry
  for (const auto& profile : profiles.profiles) {
    for (const auto& instance : profile->instances()) {
      const loader::Library& library = instance->library();
      plugins[instance->name()] = {instance->name(),    library.path(), library.version(), "sha256:" + library.sha256(),
                                   profiles.generation, "active"};
    }
  }
  std::vector<serve::PluginEntry> list;
  for (auto& [name, entry] : plugins) list.push_back(std::move(entry));
  return list;
}

}  // namespace

int ServeSimulation(const std::string& address, const QuietSimulation& simulation, std::ostream& err) {
  engine::Engine& engine = simulation.engine;
  engine.set_popping(false);  // virtual time stands still: nothing is tried again
  const auto add = [&](serve::Endpoints& endpoints) {
    endpoints.SetConfiguration(config::ValueV1(simulation.configuration));
    endpoints.SetPlugins(PluginsOf(engine.profiles()));
    explain::AddExplainRoutes(endpoints.routes(), {engine, simulation.intern});
  };
  const auto work = [&engine] {
    if (!engine.Step()) engine.WaitFor(50 * base::kMillisecond);
  };
  return ServePage({.address = address, .add = add, .work = work}, err);
}

}  // namespace berth::ctl

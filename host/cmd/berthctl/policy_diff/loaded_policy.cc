#include "cmd/berthctl/policy_diff/loaded_policy.h"

#include "api/intern_tables.h"
#include "config/configuration/in_tree_points.h"
#include "policy/assembly/config_files.h"
#include "scheduler/framework/host_services.h"
#include "scheduler/objects/store.h"

namespace berth::ctl {

assembly::Policy LoadPolicyFiles(const PolicyFiles& files, std::ostream& err) {
  const auto sources = assembly::ReadSources(files.config, files.berth_config);
  assembly::Policy policy;
  if (!sources) {
    policy.config.errors.push_back({"", {}, "", sources.error().message});
  } else {
    api::InternTables intern;
    objects::ObjectStore objects(intern);
    plugin::Services services(intern, {.objects = &objects});
    framework::AddHostServices(services);
    policy = assembly::LoadPolicy(*sources, {files.plugin_directories, files.gates}, services);
  }
  for (const fields::Issue& issue : policy.config.errors) err << issue.Text() << "\n";
  for (const fields::Issue& issue : policy.config.warnings) err << "warning: " << issue.Text() << "\n";
  return policy;
}

base::Result<LoadedPolicy> PolicyFromConfigz(const std::string& name, json::Value component_config,
                                             const assembly::LibraryCatalog& catalog) {
  component_config.Erase("extenders");
  const config::LoadResult loaded = config::Load({{name, json::Dump(component_config)}}, {});
  if (!loaded.ok()) return base::Fail(loaded.errors[0].Text());
  const config::PointResolver resolver = [&catalog, named = config::ResolverFor(loaded.scheduler)](
                                             const std::string& plugin) -> std::optional<config::PointSet> {
    if (config::InTreePoints(plugin)) return named(plugin);
    const auto offer = catalog.Find(plugin);
    return offer ? std::optional(assembly::LibraryCatalog::PointsOf(*offer)) : named(plugin);
  };
  LoadedPolicy out{loaded.scheduler, {}};
  for (const config::Profile& profile : loaded.scheduler.profiles) {
    config::Expansion expansion = config::Expand(profile, loaded.scheduler.written_as, resolver);
    if (!expansion.faults.empty()) return base::Fail(name + ": " + expansion.faults[0].text);
    out.profiles.push_back(std::move(expansion.profile));
  }
  return out;
}

}  // namespace berth::ctl

// berthctl config print | check.
#include <iostream>
#include <memory>

#include "cmd/berthctl/commands.h"
#include "cmd/berthctl/plugin_crash.h"
#include "config/configuration/in_tree_points.h"
#include "config/configuration/load.h"
#include "config/configuration/print.h"
#include "plugin/loader/rehearsal.h"
#include "policy/assembly/config_files.h"
#include "policy/assembly/policy.h"
#include "scheduler/framework/host_services.h"
#include "scheduler/objects/store.h"

namespace berth::ctl {
namespace {

struct Options {
  std::string config, berth_config, feature_gates, output_version = "v1";
  std::vector<std::string> plugin_dirs;
  bool expand = false;
  bool show_secrets = false;
};

// Returns false after printing errors.
bool ReadInputs(const Options& options, std::vector<config::Source>& sources, config::FeatureGates& gates) {
  const std::vector<std::string> wrong = gates.Set(options.feature_gates);
  for (const std::string& w : wrong) std::cerr << "--feature-gates: " << w << "\n";
  for (const std::string& w : gates.Warnings()) std::cerr << "warning: " << w << "\n";
  auto read = assembly::ReadSources(options.config, options.berth_config);
  if (!read) {
    std::cerr << read.error().message << "\n";
    return false;
  }
  sources = std::move(*read);
  return wrong.empty();
}

void PrintIssues(const config::LoadResult& result) {
  for (const fields::Issue& issue : result.errors) std::cerr << issue.Text() << "\n";
  for (const fields::Issue& issue : result.warnings) std::cerr << "warning: " << issue.Text() << "\n";
}

// The extension points of a plugin that is not in-tree: those of its library if it is installed, or else those that
// name it.
config::PointResolver ResolverFor(const config::Configuration& configuration, const assembly::LibraryCatalog& catalog) {
  return [&catalog, named = config::ResolverFor(configuration)](const std::string& name) {
    if (config::InTreePoints(name)) return named(name);
    const auto offer = catalog.Find(name);
    return offer ? std::optional(assembly::LibraryCatalog::PointsOf(*offer)) : named(name);
  };
}

void WarnOfUnknownPoints(const config::Configuration& configuration, const assembly::LibraryCatalog& catalog) {
  for (const config::Profile& profile : configuration.profiles) {
    for (const config::Plugin& plugin : profile.plugins.at(config::Point::kMultiPoint).enabled) {
      if (config::InTreePoints(plugin.name) || catalog.Find(plugin.name)) continue;
      std::cerr << "warning: profile \"" << profile.scheduler_name << "\" enables \"" << plugin.name
                << "\" at multiPoint, but no library offers the plugin: it is listed only at the points that name it\n";
    }
  }
}

int Print(const Options& options) {
  std::vector<config::Source> sources;
  config::LoadOptions load;
  if (!ReadInputs(options, sources, load.gates)) return 1;
  const config::LoadResult result = config::Load(sources, load);
  PrintIssues(result);
  if (!result.ok()) return 1;
  const auto secrets = options.show_secrets ? config::Secrets::kShown : config::Secrets::kRedacted;
  if (!options.expand) {
    std::cout << config::PrintV1(result.scheduler, secrets);
    return 0;
  }
  const auto version = options.output_version == "v1beta2" ? config::ApiVersion::kV1beta2 : config::ApiVersion::kV1;
  const assembly::LibraryCatalog catalog(assembly::OrDefault(options.plugin_dirs), result.berth);
  WarnOfUnknownPoints(result.scheduler, catalog);
  std::cout << config::PrintExpanded(result.scheduler, version, ResolverFor(result.scheduler, catalog), secrets);
  return 0;
}

int Check(const Options& options) {
  std::vector<config::Source> sources;
  assembly::PolicyOptions policy_options{options.plugin_dirs, {}};
  policy_options.rehearse = loader::RehearseInFork();
  if (!ReadInputs(options, sources, policy_options.gates)) return 1;
  NamePluginCrashes();
  api::InternTables intern;
  objects::ObjectStore objects(intern);
  plugin::Services services(intern, {.objects = &objects});
  framework::AddHostServices(services);
  assembly::Policy policy = assembly::LoadPolicy(sources, policy_options, services);
  PrintIssues(policy.config);
  if (!policy.ok()) return 1;
  const auto profiles = assembly::BuildProfiles(policy, services);
  if (!profiles) {
    std::cerr << profiles.error().message << "\n";
    return 1;
  }
  for (const auto& profile : (*profiles)->profiles) {
    std::cout << "profile \"" << profile->scheduler_name() << "\": " << profile->instances().size()
              << " plugins, sound\n";
  }
  return 0;
}

void AddInputs(flags::Command& command, Options& options) {
  command.Add({.name = "config",
               .value = flags::Text(options.config),
               .help = "KubeSchedulerConfiguration, v1, v1beta3, or v1beta2; if not set: the defaults"});
  command.Add({.name = "berth-config",
               .value = flags::Text(options.berth_config),
               .help = "BerthConfiguration, if it is not in the same file"});
  command.Add({.name = "feature-gates", .value = flags::Text(options.feature_gates), .help = "Name=true|false,..."});
}

void AddPluginDirs(flags::Command& command, Options& options, const std::string& help) {
  command.Add({.name = "plugin-dir", .value = flags::Repeated(options.plugin_dirs, flags::Takes::kMany), .help = help});
}

}  // namespace

void AddConfigCommand(flags::Command& program) {
  auto options = std::make_shared<Options>();
  flags::Command& command = program.AddSubcommand("config", "check or print a configuration with its defaults");

  flags::Command& print =
      command.AddSubcommand("print", "print the configuration with its defaults; needs no libraries");
  AddInputs(print, *options);
  print.Add({.name = "expand",
             .value = flags::Bool(options->expand),
             .help = "list the plugins of every extension point in the order of execution"});
  AddPluginDirs(print, *options,
                "with --expand: directory of plugin libraries, to find the extension points of a plugin; repeatable");
  print.Add({.name = "output-version",
             .value = flags::Choice(options->output_version, {"v1", "v1beta2"}),
             .help = "v1, or v1beta2 with --expand"});
  print.Add({.name = "show-secrets",
             .value = flags::Bool(options->show_secrets),
             .help = "print keys and passwords in URLs, which are hidden by default"});
  print.OnRun([options] {
    if (options->output_version == "v1beta2" && !options->expand) {
      std::cerr << "--output-version: v1beta2 requires --expand\n";
      return 1;
    }
    return Print(*options);
  });

  flags::Command& check = command.AddSubcommand("check", "check a configuration with the installed plugin libraries");
  AddInputs(check, *options);
  AddPluginDirs(check, *options, "directory of plugin libraries; repeatable");
  check.OnRun([options] { return Check(*options); });
}

}  // namespace berth::ctl

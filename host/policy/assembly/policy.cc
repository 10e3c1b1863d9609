#include "policy/assembly/policy.h"

#include <algorithm>
#include <set>

#include "base/text.h"
#include "config/configuration/default_sets.h"
#include "config/configuration/in_tree_points.h"
#include "plugin/instance/point.h"
#include "scheduler/extender/make.h"
#include "telemetry/log/log.h"

namespace berth::assembly {
namespace {

// Names that are in the files themselves, as opposed to those that come from the defaults.
std::set<std::string> NamedByUser(const config::Configuration& configuration) {
  std::set<std::string> names;
  for (const config::Profile& profile : configuration.profiles) {
    for (const config::PluginSet& set : profile.plugins.sets) {
      for (const config::Plugin& plugin : set.enabled) {
        if (plugin.mark.line > 0) names.insert(plugin.name);
      }
    }
  }
  return names;
}

// The points of a plugin that is not available: all except queueSort, which takes only one plugin.
constexpr config::PointSet kAnyPoint = ~config::Bit(config::Point::kQueueSort);

// Default plugins without a library still expand, so that order and checks stay those of the whole set. Plugins that
// are not available expand too, whichever points they have: WhyUnavailable reports each of them once.
config::PointResolver ResolverOf(const LibraryCatalog& catalog, const std::set<std::string>& named) {
  return [&catalog, &named](const std::string& name) -> std::optional<config::PointSet> {
    if (catalog.Knows(name)) {
      const auto offer = catalog.Find(name);
      return offer ? LibraryCatalog::PointsOf(*offer) : kAnyPoint;
    }
    if (config::IsLegacyPlugin(name) && named.contains(name)) return std::nullopt;
    const auto points = config::InTreePoints(name);
    return !points && catalog.WasRefused(name) ? kAnyPoint : points;
  };
}

// Covers two libraries that offer one name, a binding without a library, a library that was refused, and a default
// plugin that the file names and no library offers.
std::string WhyUnavailable(const LibraryCatalog& catalog, const std::string& name, bool named) {
  const bool in_tree = config::InTreePoints(name).has_value() && !config::IsLegacyPlugin(name);
  const bool expected = catalog.Knows(name) || catalog.WasRefused(name) || (named && in_tree);
  if (!expected) return {};
  const auto offer = catalog.Find(name);
  return offer ? "" : offer.error().message;
}

std::vector<std::string> Missing(const LibraryCatalog& catalog, const config::LoadResult& result) {
  std::vector<std::string> missing;
  for (const config::ExpandedProfile& profile : result.profiles) {
    for (const std::string& name : profile.needed) {
      if (catalog.Knows(name) || std::find(missing.begin(), missing.end(), name) != missing.end()) continue;
      missing.push_back(name);
    }
  }
  return missing;
}

plugin::FaultPolicy FaultsOf(const config::BerthConfiguration& berth) {
  return {.call_deadline_ns = berth.faults.call_deadline.count(),
          .quarantine_after = berth.faults.quarantine_after,
          .hang_after_ns = berth.faults.hang_after.count(),
          .op_deadline_ns = berth.faults.op_deadline.count()};
}

// Reports the plugins that quarantine leaves out. If no profile would be left, none is left out, and they are errors.
void ReportQuarantined(Policy& policy) {
  const bool nothing_left =
      std::all_of(policy.config.scheduler.profiles.begin(), policy.config.scheduler.profiles.end(),
                  [&](const config::Profile& profile) {
                    return std::any_of(policy.quarantined.begin(), policy.quarantined.end(),
                                       [&](const framework::QuarantinedPlugin& one) {
                                         return !one.optional && one.profile == profile.scheduler_name;
                                       });
                  });
  for (const framework::QuarantinedPlugin& one : policy.quarantined) {
    const std::string text = loader::RuleId(loader::Rule::kQuarantined) + ": " + one.Text();
    (nothing_left ? policy.config.errors : policy.config.warnings).push_back({"", {}, "", text});
  }
}

void LogWaived(const Policy& policy) {
  for (const framework::QuarantinedPlugin& one : policy.waived) {
    log::Error("Using a quarantined library because no other is left", {{"profile", one.profile},
                                                                        {"plugin", one.plugin},
                                                                        {"library", one.library},
                                                                        {"sha256", one.sha256},
                                                                        {"quarantine", one.why}});
  }
}

const json::Value* ArgsOf(const config::Profile& profile, const std::string& plugin) {
  for (const config::PluginConfig& entry : profile.plugin_config) {
    if (entry.name == plugin) return &entry.args;
  }
  return nullptr;
}

base::Result<plugin::InstanceSpec> SpecOf(Policy& policy, LibraryArgsValidator& args_validator,
                                          const config::Profile& profile, const std::string& name) {
  const auto offer = policy.catalog->Find(name);
  if (!offer) return tl::unexpected(offer.error());
  auto library = policy.catalog->Open(*offer);
  if (!library) return tl::unexpected(library.error());
  plugin::InstanceSpec spec;
  spec.library = std::move(*library);
  spec.library_plugin = offer->plugin;
  spec.name = name;
  spec.profile = profile.scheduler_name;
  spec.faults = FaultsOf(policy.config.berth);
  spec.faults.optional = IsOptional(policy.config.berth, name);
  if (const json::Value* args = ArgsOf(profile, name)) {
    spec.args = *args;
  } else {
    spec.args = args_validator.Complete(name, {});
    std::string wrong;  // the plugin's own check rejects its defaults
    args_validator.Check(name, spec.args, [&](const std::string& path, const std::string& reason) {
      if (wrong.empty()) wrong = (path.empty() ? "" : path + ": ") + reason;
    });
    if (!wrong.empty()) return base::Fail("initializing plugin " + base::Quoted(name) + ": args: " + wrong);
  }
  return spec;
}

// The framework's points; the placement points have no plugins here.
void FillPoints(const config::ExpandedProfile& expanded, const LibraryCatalog& catalog, framework::ProfileSpec& spec) {
  for (size_t p = 0; p < plugin::kPoints; ++p) {
    const auto point = config::PointNamed(plugin::ConfigName(static_cast<plugin::Point>(p)));
    for (const config::PlannedPlugin& planned : expanded.at(*point)) {
      if (catalog.Knows(planned.name)) spec.points[p].push_back({planned.name, planned.weight});
    }
  }
}

// A library that is quarantined as a whole is not mapped, unless its digest is waived.
loader::Rehearse RejectQuarantined(const WhyQuarantined& why_quarantined,
                                   std::shared_ptr<const std::set<std::string>> waived,
                                   const loader::Rehearse& rehearse) {
  if (!why_quarantined) return rehearse;
  return [why_quarantined, waived = std::move(waived),
          rehearse](const loader::Rehearsal& library) -> std::optional<loader::Finding> {
    const auto why = waived->contains(library.sha256) ? std::nullopt : why_quarantined(library.sha256, "*", "*");
    if (why) return loader::Finding{loader::Rule::kQuarantined, *why};
    return rehearse ? rehearse(library) : std::nullopt;
  };
}

config::LoadOptions LoadOptionsOf(const PolicyOptions& options) {
  config::LoadOptions load;
  load.gates = options.gates;
  load.overlay = options.overlay;
  return load;
}

// Plugins for which PointEntry has no library may leave a required point empty.
base::Result<void> CheckPoints(const framework::ProfileSpec& spec) {
  const size_t sorts = spec.points[static_cast<size_t>(plugin::Point::kQueueSort)].size();
  if (sorts != 1) {
    return base::Fail("only one queue sort plugin required for profile with scheduler name \"" + spec.scheduler_name +
                      "\", but got " + std::to_string(sorts));
  }
  if (spec.points[static_cast<size_t>(plugin::Point::kBind)].empty()) {
    return base::Fail("at least one bind plugin is needed for profile with scheduler name \"" + spec.scheduler_name +
                      "\"");
  }
  return {};
}

}  // namespace

ParsedConfig ParseConfig(const std::vector<config::Source>& sources, const PolicyOptions& options) {
  return CompleteConfig(config::Parse(sources), options);
}

ParsedConfig CompleteConfig(std::vector<config::ParsedSource> sources, const PolicyOptions& options) {
  ParsedConfig parsed{std::move(sources), {}};
  parsed.result = config::Complete(parsed.sources, LoadOptionsOf(options));
  return parsed;
}

Policy LoadPolicy(const std::vector<config::Source>& sources, const PolicyOptions& options,
                  plugin::Services& services) {
  return BuildPolicy(ParseConfig(sources, options), options, services);
}

Policy BuildPolicy(const ParsedConfig& parsed, const PolicyOptions& options, plugin::Services& services) {
  Policy policy{.gates = options.gates};
  config::LoadOptions load = LoadOptionsOf(options);
  // This pass reads the bindings and which names are in the files. The pass below reports the errors, together with
  // those of the libraries.
  const config::LoadResult& first = parsed.result;
  const WhyQuarantined why_quarantined = options.quarantine ? options.quarantine() : WhyQuarantined();
  const auto waived = std::make_shared<std::set<std::string>>();
  policy.catalog =
      std::make_unique<LibraryCatalog>(OrDefault(options.plugin_directories), first.berth, options.staging_directory,
                                       RejectQuarantined(why_quarantined, waived, options.rehearse));

  const std::set<std::string> named = NamedByUser(first.scheduler);
  LibraryArgsValidator args_validator(*policy.catalog, services, options.gates);
  load.args_validator = &args_validator;
  load.resolver = ResolverOf(*policy.catalog, named);
  load.unavailable = [&policy](const std::string& name, bool is_named) {
    return WhyUnavailable(*policy.catalog, name, is_named);
  };
  load.unreachable = extender::WhyNoServer;
  if (why_quarantined) {
    load.overlay = [&](config::Configuration& configuration) {
      if (options.overlay) options.overlay(configuration);
      RemovalResult result =
          RemoveQuarantined(configuration, first.berth, *policy.catalog, {why_quarantined, options.shipped_directory});
      policy.quarantined = std::move(result.removed);
      policy.waived = std::move(result.waived);
      for (const framework::QuarantinedPlugin& one : policy.waived) waived->insert(one.sha256);
    };
  }
  policy.config = config::Complete(parsed.sources, load);
  ReportQuarantined(policy);
  LogWaived(policy);
  policy.missing = Missing(*policy.catalog, policy.config);
  if (!policy.missing.empty() && policy.ok()) {
    policy.config.warnings.push_back(
        {"",
         {},
         "",
         "no library offers " + base::Join(policy.missing, ", ") + " of the default set: left out of every profile"});
  }
  return policy;
}

base::Result<std::shared_ptr<framework::ProfileSet>> BuildProfiles(Policy& policy, plugin::Services& services,
                                                                   const framework::ProfileSet* before, bool recreate) {
  auto set = std::make_shared<framework::ProfileSet>();
  if (before != nullptr) {
    set->generation = before->generation + 1;
    set->extenders = before->extenders;
  } else {
    auto extenders = extender::Make(policy.config.scheduler, services.intern);
    if (!extenders) return tl::unexpected(extenders.error());
    for (auto& one : *extenders) set->extenders.push_back(std::move(one));
  }
  set->quarantined = policy.quarantined;
  LibraryArgsValidator args_validator(*policy.catalog, services, policy.gates);
  for (size_t i = 0; i < policy.config.profiles.size(); ++i) {
    const config::ExpandedProfile& expanded = policy.config.profiles[i];
    const config::Profile& profile = policy.config.scheduler.profiles[i];
    auto failed = [&](const base::Error& error) {
      return base::Fail(config::StartupError(expanded.scheduler_name, error.message));
    };
    framework::ProfileSpec spec;
    spec.scheduler_name = expanded.scheduler_name;
    spec.percentage_of_nodes_to_score =
        profile.percentage_of_nodes_to_score.value_or(policy.config.scheduler.percentage_of_nodes_to_score);
    spec.has_extenders = !set->extenders.empty();
    spec.recreate_faulty = recreate;
    FillPoints(expanded, *policy.catalog, spec);
    if (auto sound = CheckPoints(spec); !sound) return failed(sound.error());
    for (const std::string& name : expanded.needed) {
      if (!policy.catalog->Knows(name)) continue;
      auto instance = SpecOf(policy, args_validator, profile, name);
      if (!instance) return failed(instance.error());
      spec.plugins.push_back(std::move(*instance));
    }
    const base::Id name = services.intern.ids.Find(spec.scheduler_name);
    const framework::Profile* predecessor = before == nullptr || name == base::kNoId ? nullptr : before->Find(name);
    auto built = framework::Profile::Build(std::move(spec), services, predecessor);
    if (!built) return failed(built.error());
    set->profiles.push_back(std::move(*built));
  }
  return set;
}

}  // namespace berth::assembly

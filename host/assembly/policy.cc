#include "assembly/policy.h"

#include <algorithm>
#include <set>

#include "base/text.h"
#include "config/default_sets.h"
#include "config/in_tree_points.h"
#include "extender/make.h"
#include "log/log.h"
#include "plugin/point.h"

namespace berth::assembly {
namespace {

// Names that the files themselves write, as opposed to those that come with the defaults.
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

// What a plugin that cannot be had may extend: all but queueSort, which takes one plugin only.
constexpr config::PointSet kAnyPoint = ~config::Bit(config::Point::kQueueSort);

// Default plugins that have no library yet still expand, so that order and checks stay those of the whole set. So do
// plugins that cannot be had, whichever points they have: WhyUnavailable tells of them, once.
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

// Two libraries offering one name, a binding that leads nowhere, a library that was refused, a default plugin that the
// file names and no library offers.
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

// Tells of what quarantine leaves out. When that is everything, nothing was left out and the whole is in error.
void TellBarred(Policy& policy) {
  const bool nothing_left =
      std::all_of(policy.config.scheduler.profiles.begin(), policy.config.scheduler.profiles.end(),
                  [&](const config::Profile& profile) {
                    return std::any_of(policy.barred.begin(), policy.barred.end(), [&](const framework::Barred& one) {
                      return !one.optional && one.profile == profile.scheduler_name;
                    });
                  });
  for (const framework::Barred& one : policy.barred) {
    const std::string text = loader::RuleId(loader::Rule::kQuarantined) + ": " + one.Text();
    (nothing_left ? policy.config.errors : policy.config.warnings).push_back({"", {}, "", text});
  }
}

void TellWaived(const Policy& policy) {
  for (const framework::Barred& one : policy.waived) {
    log::Error("A library is used in spite of its quarantine: it is shipped with Berth, and no profile would be left",
               {{"profile", one.profile},
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

base::Result<plugin::InstanceSpec> SpecOf(Policy& policy, LibraryArgsJudge& judge, const config::Profile& profile,
                                          const std::string& name) {
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
    spec.args = judge.Complete(name, {});
    std::string wrong;  // the plugin's own defaults do not pass its own check
    judge.Check(name, spec.args, [&](const std::string& path, const std::string& reason) {
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

// Whatever way a library comes here: nothing is mapped that is in quarantine as a whole, unless its digest is waived.
loader::Rehearse RefuseBarred(const WhyBarred& why_barred, std::shared_ptr<const std::set<std::string>> waived,
                              const loader::Rehearse& rehearse) {
  if (!why_barred) return rehearse;
  return [why_barred, waived = std::move(waived),
          rehearse](const loader::Rehearsal& library) -> std::optional<loader::Finding> {
    const auto why = waived->contains(library.sha256) ? std::nullopt : why_barred(library.sha256, "*", "*");
    if (why) return loader::Finding{loader::Rule::kQuarantined, *why};
    return rehearse ? rehearse(library) : std::nullopt;
  };
}

// What PointEntry has no library for may leave a point empty that must not be.
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

Policy LoadPolicy(const std::vector<config::Source>& sources, const PolicyOptions& options,
                  plugin::Services& services) {
  Policy policy;
  config::LoadOptions load;
  load.gates = options.gates;
  load.overlay = options.overlay;
  // First for the bindings and for who named what; what is wrong is reported by the second reading.
  const config::LoadResult first = config::Load(sources, load);
  const WhyBarred why_barred = options.quarantine ? options.quarantine() : WhyBarred();
  const auto waived = std::make_shared<std::set<std::string>>();
  policy.catalog =
      std::make_unique<LibraryCatalog>(OrDefault(options.plugin_directories), first.berth, options.staging_directory,
                                       RefuseBarred(why_barred, waived, options.rehearse));

  const std::set<std::string> named = NamedByUser(first.scheduler);
  LibraryArgsJudge judge(*policy.catalog, services, options.gates);
  load.judge = &judge;
  load.resolver = ResolverOf(*policy.catalog, named);
  load.unavailable = [&policy](const std::string& name, bool is_named) {
    return WhyUnavailable(*policy.catalog, name, is_named);
  };
  load.unreachable = extender::WhyNoServer;
  if (why_barred) {
    load.overlay = [&](config::Configuration& configuration) {
      if (options.overlay) options.overlay(configuration);
      BarringResult result = Bar(configuration, first.berth, *policy.catalog, {why_barred, options.shipped_directory});
      policy.barred = std::move(result.barred);
      policy.waived = std::move(result.waived);
      for (const framework::Barred& one : policy.waived) waived->insert(one.sha256);
    };
  }
  policy.config = config::Load(sources, load);
  TellBarred(policy);
  TellWaived(policy);
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
                                                                   const framework::ProfileSet* before, bool anew) {
  auto set = std::make_shared<framework::ProfileSet>();
  if (before != nullptr) {
    set->generation = before->generation + 1;
    set->extenders = before->extenders;
  } else {
    auto extenders = extender::Make(policy.config.scheduler, services.words);
    if (!extenders) return tl::unexpected(extenders.error());
    for (auto& one : *extenders) set->extenders.push_back(std::move(one));
  }
  set->barred = policy.barred;
  const config::FeatureGates defaults;
  LibraryArgsJudge judge(*policy.catalog, services, defaults);
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
    spec.anew = anew;
    FillPoints(expanded, *policy.catalog, spec);
    if (auto sound = CheckPoints(spec); !sound) return failed(sound.error());
    for (const std::string& name : expanded.needed) {
      if (!policy.catalog->Knows(name)) continue;
      auto instance = SpecOf(policy, judge, profile, name);
      if (!instance) return failed(instance.error());
      spec.plugins.push_back(std::move(*instance));
    }
    const base::Id name = services.words.ids.Find(spec.scheduler_name);
    const framework::Profile* predecessor = before == nullptr || name == base::kNoId ? nullptr : before->Find(name);
    auto built = framework::Profile::Build(std::move(spec), services, predecessor);
    if (!built) return failed(built.error());
    set->profiles.push_back(std::move(*built));
  }
  return set;
}

}  // namespace berth::assembly

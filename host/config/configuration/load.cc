#include "config/configuration/load.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "base/text.h"
#include "codec/yaml/yaml_documents.h"
#include "config/configuration/decode.h"
#include "config/configuration/validate_configuration.h"

namespace berth::config {
namespace {

using json::Value;

constexpr const char* kSchedulerKind = "KubeSchedulerConfiguration";

void Append(std::vector<fields::Issue>& to, std::vector<fields::Issue> issues) {
  to.insert(to.end(), std::make_move_iterator(issues.begin()), std::make_move_iterator(issues.end()));
}

class Loader {
 public:
  explicit Loader(const LoadOptions& options)
      : options_(options),
        in_tree_(options.gates),
        args_validator_(options.args_validator ? *options.args_validator : in_tree_) {}

  LoadResult Run(const std::vector<ParsedSource>& sources) {
    for (const ParsedSource& source : sources) ReadSource(source);
    if (!scheduler_seen_) ReadScheduler("default configuration", Value{json::Object()}, ApiVersion::kV1, {});
    return std::move(result_);
  }

 private:
  using Duplicates = std::vector<json::DuplicateKey>;

  void Error(const std::string& file, json::Mark mark, std::string path, std::string reason) {
    result_.errors.push_back({file, mark, std::move(path), std::move(reason)});
  }

  void ReadSource(const ParsedSource& source) {
    for (const yaml::YamlDocument& document : source.documents) ReadDocument(source.name, document);
    if (source.fault) {
      Error(source.name, source.fault->mark, "", yaml::Unquoted(source.fault->reason));  // quoted text may be a secret
      scheduler_seen_ = true;  // the document may follow the fault: use no defaults instead
    } else if (source.documents.empty()) {
      Error(source.name, {1, 1}, "", std::string("holds neither a ") + kSchedulerKind + " nor a " + kBerthKind);
    }
  }

  void ReadDocument(const std::string& file, const yaml::YamlDocument& document) {
    const Value& root = document.root;
    if (!root.is_object()) return Error(file, root.mark(), "", "expected an object with apiVersion and kind");
    const std::string version = json::TextAt(root, "apiVersion");
    const std::string kind = json::TextAt(root, "kind");
    if (version.empty()) Error(file, root.mark(), "apiVersion", "Object 'apiVersion' is missing");
    if (kind.empty()) Error(file, root.mark(), "kind", "Object 'Kind' is missing");
    if (version.empty() || kind.empty()) return;
    if (version == kBerthApiVersion && kind == kBerthKind) return ReadBerth(file, document);
    const std::optional<ApiVersion> known = ApiVersionNamed(version);
    if (known && kind == kSchedulerKind) return ReadOneScheduler(file, document, *known);
    RefuseKind(file, root, version, kind, known.has_value());
  }

  void RefuseKind(const std::string& file, const Value& root, const std::string& version, const std::string& kind,
                  bool known) {
    const json::Mark mark = fields::Locate(root, known ? "kind" : "apiVersion");
    if (known && kind.ends_with("Args")) {
      return Error(file, mark, "kind",
                   "couldn't decode as KubeSchedulerConfiguration, got " + version + ", Kind=" + kind);
    }
    std::string reason = "no kind " + base::Quoted(kind) + " is registered for version " + base::Quoted(version);
    if (kind == kSchedulerKind && version.starts_with(kSchedulerGroup)) {
      reason += "; Berth reads v1, v1beta3 and v1beta2 of kubescheduler.config.k8s.io";
    } else {
      reason += std::string("; Berth reads ") + kSchedulerKind + " and " + kBerthKind;
    }
    Error(file, mark, known ? "kind" : "apiVersion", reason);
  }

  static void AddDuplicates(const Duplicates& duplicates, fields::Issues& issues) {
    for (const json::DuplicateKey& duplicate : duplicates) {
      issues.AddAt(duplicate.mark, duplicate.path, "key " + base::Quoted(duplicate.key) + " already set in map");
    }
  }

  void ReadBerth(const std::string& file, const yaml::YamlDocument& document) {
    if (berth_seen_) return Error(file, document.root.mark(), "kind", fields::Duplicate(kBerthKind));
    berth_seen_ = true;
    fields::Issues errors(file, document.root);
    AddDuplicates(document.duplicates, errors);
    result_.berth = DecodeBerthConfiguration(document.root, errors);
    Append(result_.errors, errors.Take());
  }

  void ReadOneScheduler(const std::string& file, const yaml::YamlDocument& document, ApiVersion version) {
    if (scheduler_seen_) return Error(file, document.root.mark(), "kind", fields::Duplicate(kSchedulerKind));
    scheduler_seen_ = true;
    ReadScheduler(file, document.root, version, document.duplicates);
  }

  void ReadScheduler(const std::string& file, const Value& root, ApiVersion version, const Duplicates& duplicates) {
    fields::Issues errors(file, root);
    fields::Issues warnings(file, root);
    AddDuplicates(duplicates, errors);
    result_.scheduler = DecodeConfiguration(root, {version, options_.gates, args_validator_, errors, warnings});
    if (options_.overlay) options_.overlay(result_.scheduler);
    Validate(result_.scheduler, args_validator_, errors);
    ApplyExtenders(result_.scheduler, errors);
    if (options_.unreachable) AddUnreachable(errors);
    if (options_.unavailable) AddUnavailable(errors);
    if (options_.resolver) {
      result_.profiles = ExpandAll(result_.scheduler, options_.resolver, errors, warnings);
      for (size_t i = 0; i < result_.profiles.size(); ++i) CheckOwnDefaults(i, errors);
    }
    Append(result_.errors, errors.Take());
    Append(result_.warnings, warnings.Take());
  }

  void AddUnreachable(fields::Issues& errors) {
    for (size_t i = 0; i < result_.scheduler.extenders.size(); ++i) {
      const std::string reason = options_.unreachable(result_.scheduler.extenders[i].url_prefix.Reveal());
      if (!reason.empty()) errors.Add(fields::Index("extenders", i) + ".urlPrefix", reason);
    }
  }

  // A plugin that the file names without args runs with its own defaults; some plugins require args.
  void CheckOwnDefaults(size_t i, fields::Issues& errors) {
    const Profile& profile = result_.scheduler.profiles[i];
    for (const std::string& name : result_.profiles[i].needed) {
      const auto is_it = [&](const auto& one) { return one.name == name; };
      if (std::any_of(profile.plugin_config.begin(), profile.plugin_config.end(), is_it)) continue;
      const auto [plugin, point] = NamedIn(profile, name);
      if (plugin == nullptr) continue;
      args_validator_.Check(name, args_validator_.Complete(name, {}),
                            [&, at = plugin, set = point](const auto& path, const auto& reason) {
                              errors.AddAt(at->mark, fields::Index("profiles", i) + ".plugins." + PointPath(set),
                                           "initializing plugin " + base::Quoted(name) + ": args: " +
                                               (path.empty() ? "" : path + ": ") + reason + ExampleFor(name));
                            });
    }
  }
  std::string ExampleFor(const std::string& plugin) {
    const Value sample = args_validator_.Sample(plugin);
    return sample.is_null() ? "" : "; its library has this example of args: " + json::Dump(sample);
  }
  // The first place where the file enables the plugin; null when only the defaults enable it.
  static std::pair<const Plugin*, size_t> NamedIn(const Profile& profile, const std::string& name) {
    for (size_t p = 0; p < profile.plugins.sets.size(); ++p) {
      for (const Plugin& plugin : profile.plugins.sets[p].enabled) {
        if (plugin.name == name && plugin.mark.line > 0) return {&plugin, p};
      }
    }
    return {nullptr, 0};
  }

  void AddUnavailable(fields::Issues& errors) {
    std::set<std::string> told_of_defaults;
    for (size_t i = 0; i < result_.scheduler.profiles.size(); ++i) {
      const Profile& profile = result_.scheduler.profiles[i];
      std::set<std::string> told;
      for (size_t p = 0; p < profile.plugins.sets.size(); ++p) {
        for (const Plugin& plugin : profile.plugins.sets[p].enabled) {
          const bool named = plugin.mark.line > 0;
          const std::string reason = options_.unavailable(plugin.name, named);
          if (reason.empty() || !(named ? told : told_of_defaults).insert(plugin.name).second) continue;
          errors.AddAt(plugin.mark, fields::Index("profiles", i) + ".plugins." + PointPath(p), reason);
        }
      }
    }
  }
  static std::string PointPath(size_t set) { return std::string(PointName(static_cast<Point>(set))); }

  const LoadOptions& options_;
  InTreeArgsValidator in_tree_;
  ArgsValidator& args_validator_;
  bool scheduler_seen_ = false;
  bool berth_seen_ = false;
  LoadResult result_;
};

}  // namespace

std::vector<ParsedSource> Parse(const std::vector<Source>& sources) {
  std::vector<ParsedSource> parsed;
  for (const Source& source : sources) {
    ParsedSource& one = parsed.emplace_back(ParsedSource{source.name, {}, {}});
    one.fault = yaml::ForEachYamlDocument(source.text, yaml::YamlLimits{}, [&one](yaml::YamlDocument document) {
      one.documents.push_back(std::move(document));
    });
  }
  return parsed;
}

LoadResult Complete(const std::vector<ParsedSource>& sources, const LoadOptions& options) {
  return Loader(options).Run(sources);
}

LoadResult Load(const std::vector<Source>& sources, const LoadOptions& options) {
  return Complete(Parse(sources), options);
}

}  // namespace berth::config

#include <algorithm>
#include <set>

#include "base/text.h"
#include "codec/fields/field_reader.h"
#include "config/configuration/args.h"
#include "config/configuration/args_schema.h"
#include "config/configuration/decode.h"
#include "config/configuration/default_sets.h"

namespace berth::config {
namespace {

using json::Value;

bool KnowsSet(ApiVersion version, Point point) {
  return version == ApiVersion::kV1 || (point != Point::kPlacementGenerate && point != Point::kPlacementScore);
}

// Whether the reader has already reported an issue that explains a missing name. Without such an issue, a plugin
// without a name is a plugin named "", as in kube-scheduler.
bool IsReported(const Value& plugin) {
  if (!plugin.is_object()) return !plugin.is_null();
  if (const Value& name = fields::FieldOf(plugin, "name"); !name.is_null()) return !name.is_string();
  return std::any_of(plugin.object().begin(), plugin.object().end(),
                     [](const json::Member& member) { return member.first != "name" && member.first != "weight"; });
}

std::vector<Plugin> DecodePluginList(const Value& list, const std::string& path, fields::Issues& errors) {
  std::vector<Plugin> plugins;
  size_t index = 0;
  for (const Value& value : list.array()) {
    Plugin plugin;
    fields::FieldReader reader(value, fields::Index(path, index++), errors);
    reader.String("name", plugin.name);
    reader.Int32("weight", plugin.weight);
    reader.Done();
    plugin.mark = fields::FieldOf(value, "name").mark().line > 0 ? fields::FieldOf(value, "name").mark() : value.mark();
    if (!IsReported(value)) plugins.push_back(std::move(plugin));
  }
  return plugins;
}

PluginSet DecodePluginSet(const Value& value, const std::string& path, fields::Issues& errors) {
  PluginSet set;
  fields::FieldReader reader(value, path, errors);
  if (const Value* list = reader.List("enabled")) set.enabled = DecodePluginList(*list, path + ".enabled", errors);
  if (const Value* list = reader.List("disabled")) set.disabled = DecodePluginList(*list, path + ".disabled", errors);
  reader.Done();
  return set;
}

Plugins DecodePlugins(const Value& value, const std::string& path, const DecodeContext& context) {
  Plugins plugins;
  fields::FieldReader reader(value, path, context.errors);
  for (size_t i = 0; i < kSetCount; ++i) {
    const Point point = static_cast<Point>(i);
    if (!KnowsSet(context.version, point)) continue;
    const Value* set = reader.Object(PointName(point));
    if (!set) continue;
    plugins.at(point) = DecodePluginSet(*set, reader.PathOf(PointName(point)), context.errors);
    if (IgnoresSet(context.version, point) && !set->object().empty()) {
      context.warnings.AddAt(set->key_mark(), reader.PathOf(PointName(point)),
                             std::string("has no effect in ") + ApiVersionText(context.version) +
                                 ", as in kube-scheduler; write the file as kubescheduler.config.k8s.io/v1");
    }
  }
  reader.Done();
  return plugins;
}

// kube-scheduler 1.36 checks for these four in v1, with these messages; "v1" stands for the version of the config API
// group.
std::string InvalidInV1(const std::string& name) {
  constexpr std::string_view kNames[] = {"AzureDiskLimits", "CinderLimits", "EBSLimits", "GCEPDLimits"};
  if (std::find(std::begin(kNames), std::end(kNames), name) == std::end(kNames)) return {};
  return fields::Invalid(name, std::string("was invalid in version \"v1\" (KubeSchedulerConfiguration is version ") +
                                   base::Quoted(ApiVersionText(ApiVersion::kV1)) + ")");
}

std::string NameFault(ApiVersion version, const std::string& name) {
  if (version == ApiVersion::kV1) return InvalidInV1(name);
  const std::string_view replacement = ReplacementOfRemoved(name);
  if (replacement.empty()) return {};
  return fields::Invalid(name, "was removed from Kubernetes; " + std::string(replacement));
}

// As upstream, multiPoint and the placement points are not checked in v1: such a name is an unknown plugin there.
void CheckPluginNames(const Plugins& plugins, const std::string& path, const DecodeContext& context) {
  for (size_t i = 0; i < kSetCount; ++i) {
    const Point point = static_cast<Point>(i);
    if (context.version == ApiVersion::kV1 && point >= Point::kPlacementGenerate) continue;
    const std::vector<Plugin>& enabled = plugins.at(point).enabled;
    for (size_t j = 0; j < enabled.size(); ++j) {
      const std::string fault = NameFault(context.version, enabled[j].name);
      if (fault.empty()) continue;
      context.errors.AddAt(enabled[j].mark, fields::Index(path + "." + std::string(PointName(point)) + ".enabled", j),
                           fault);
    }
  }
}

Value CompleteArgs(const std::string& plugin, const Value& given, const std::string& path,
                   const DecodeContext& context) {
  if (!HasArgsType(plugin)) return context.args_validator.Complete(plugin, given);
  Value args = DecodeArgs(plugin, given, path, context.errors);
  DefaultArgs(plugin, args, context.gates);
  return EncodeArgs(plugin, args, ApiVersion::kV1);
}

std::vector<PluginConfig> DecodePluginConfig(const Value& list, const std::string& path, const DecodeContext& context) {
  std::vector<PluginConfig> configs;
  std::set<std::string> seen;
  for (const Value& value : list.array()) {
    const std::string place = fields::Index(path, configs.size());
    PluginConfig config;
    config.mark = value.mark();
    fields::FieldReader reader(value, place, context.errors);
    reader.String("name", config.name);
    const Value* args = reader.Any("args");
    config.args = CompleteArgs(config.name, args ? *args : Value(), place + ".args", context);
    reader.Done();
    if (!seen.insert(config.name).second) context.errors.Add(place, fields::Duplicate(config.name));
    const std::string fault = NameFault(context.version, config.name);
    if (!fault.empty()) context.errors.Add(place, fault);
    configs.push_back(std::move(config));
  }
  return configs;
}

// Every enabled plugin with an args type gets args, in the order of names.
void AddDefaultConfigs(Profile& profile, const FeatureGates& gates) {
  std::set<std::string> names;
  for (const PluginSet& set : profile.plugins.sets) {
    for (const Plugin& plugin : set.enabled) names.insert(plugin.name);
  }
  for (const PluginConfig& config : profile.plugin_config) names.erase(config.name);
  for (const std::string& name : names) {
    if (!HasArgsType(name)) continue;
    Value args{json::Object()};
    DefaultArgs(name, args, gates);
    profile.plugin_config.push_back({name, EncodeArgs(name, args, ApiVersion::kV1), {}});
  }
}

}  // namespace

Profile DecodeProfile(const Value& value, const std::string& path, const DecodeContext& context, bool& named) {
  Profile profile;
  profile.mark = value.mark();
  fields::FieldReader reader(value, path, context.errors);
  named = reader.String("schedulerName", profile.scheduler_name);
  int32_t percentage = 0;
  if (context.version == ApiVersion::kV1 && reader.Int32("percentageOfNodesToScore", percentage)) {
    profile.percentage_of_nodes_to_score = percentage;
  }
  Plugins user;
  if (const Value* plugins = reader.Object("plugins")) user = DecodePlugins(*plugins, path + ".plugins", context);
  CheckPluginNames(user, path + ".plugins", context);
  profile.plugins = MergePlugins(context.version, DefaultPlugins(context.version, context.gates), user);
  // When Load reads the profile as v1, it must not add v1's defaults to those of the profile.
  if (context.version != ApiVersion::kV1) profile.plugins.at(Point::kMultiPoint).disabled = {{"*"}};
  if (const Value* configs = reader.List("pluginConfig")) {
    profile.plugin_config = DecodePluginConfig(*configs, path + ".pluginConfig", context);
  }
  AddDefaultConfigs(profile, context.gates);
  reader.Done();
  return profile;
}

}  // namespace berth::config

#include "config/configuration/print.h"

#include <algorithm>
#include <cassert>
#include <charconv>
#include <set>

#include "codec/text/base64.h"
#include "codec/text/duration.h"
#include "codec/yaml/yaml_scalar.h"
#include "codec/yaml/yaml_writer.h"
#include "config/configuration/args.h"
#include "config/configuration/args_schema.h"
#include "config/configuration/default_sets.h"

namespace berth::config {
namespace {

using json::Value;

// The shortest text of a float32, as Go writes it: 0.1 and not 0.10000000149011612, 2147483600 and not 2147483648.
Value FloatValue(float number) {
  char buffer[64];
  const char* end = std::to_chars(buffer, buffer + sizeof buffer, number, std::chars_format::scientific).ptr;
  double shortest = 0;
  std::from_chars(buffer, end, shortest);
  return yaml::PlainScalar(json::NumberText(shortest));
}

Value ClientValue(const ClientConnection& client) {
  return Value::MakeObject({{"acceptContentTypes", client.accept_content_types},
                            {"burst", client.burst},
                            {"contentType", client.content_type},
                            {"kubeconfig", client.kubeconfig},
                            {"qps", FloatValue(client.qps)}});
}

Value ElectionValue(const LeaderElection& election) {
  return Value::MakeObject({{"leaderElect", election.leader_elect},
                            {"leaseDuration", text::FormatDuration(election.lease_duration)},
                            {"renewDeadline", text::FormatDuration(election.renew_deadline)},
                            {"resourceLock", election.resource_lock},
                            {"resourceName", election.resource_name},
                            {"resourceNamespace", election.resource_namespace},
                            {"retryPeriod", text::FormatDuration(election.retry_period)}});
}

void SetText(Value& object, const char* name, const std::string& text) {
  if (!text.empty()) object.Set(name, text);
}
void SetTrue(Value& object, const char* name, bool truth) {
  if (truth) object.Set(name, true);
}

std::string KeyText(const base::Secret& key, Secrets secrets) {
  return secrets == Secrets::kShown ? text::EncodeBase64(key.Reveal()) : key.Shown();
}

Value TlsValue(const ExtenderTls& tls, Secrets secrets) {
  Value object{json::Object()};
  SetTrue(object, "insecure", tls.insecure);
  SetText(object, "serverName", tls.server_name);
  SetText(object, "certFile", tls.cert_file);
  SetText(object, "keyFile", tls.key_file);
  SetText(object, "caFile", tls.ca_file);
  SetText(object, "certData", text::EncodeBase64(tls.cert_data));
  SetText(object, "keyData", KeyText(tls.key_data, secrets));
  SetText(object, "caData", text::EncodeBase64(tls.ca_data));
  return object;
}

Value ExtenderValue(const Extender& extender, Secrets secrets) {
  const base::SecretUrl& url = extender.url_prefix;
  Value object = Value::MakeObject({{"urlPrefix", secrets == Secrets::kShown ? url.Reveal() : url.Shown()}});
  SetText(object, "filterVerb", extender.filter_verb);
  SetText(object, "preemptVerb", extender.preempt_verb);
  SetText(object, "prioritizeVerb", extender.prioritize_verb);
  if (extender.weight != 0) object.Set("weight", extender.weight);
  SetText(object, "bindVerb", extender.bind_verb);
  SetTrue(object, "enableHTTPS", extender.enable_https);
  if (extender.tls) object.Set("tlsConfig", TlsValue(*extender.tls, secrets));
  object.Set("httpTimeout", text::FormatDuration(extender.http_timeout));
  SetTrue(object, "nodeCacheCapable", extender.node_cache_capable);
  for (const ManagedResource& resource : extender.managed_resources) {
    Value entry = Value::MakeObject({{"name", resource.name}});
    SetTrue(entry, "ignoredByScheduler", resource.ignored_by_scheduler);
    object["managedResources"].Append(std::move(entry));
  }
  SetTrue(object, "ignorable", extender.ignorable);
  return object;
}

Value PluginValue(const std::string& name, int32_t weight) {
  return Value::MakeObject({{"name", name}, {"weight", weight}});
}

// The plugins of 1.36 that 1.23 did not have.
bool IsNewerThan123(std::string_view plugin) {
  constexpr std::string_view kNewer[] = {"SchedulingGates", "DynamicResources",           "NodeDeclaredFeatures",
                                         "GangScheduling",  "TopologyPlacementGenerator", "PodGroupPodsCount"};
  return std::find(std::begin(kNewer), std::end(kNewer), plugin) != std::end(kNewer);
}
bool IsNewerThan123(Point point) {
  return point == Point::kPreEnqueue || point == Point::kPlacementGenerate || point == Point::kPlacementScore;
}

std::set<std::string> EnabledNames(const Profile& profile) {
  std::set<std::string> names;
  for (const PluginSet& set : profile.plugins.sets) {
    for (const Plugin& plugin : set.enabled) names.insert(plugin.name);
  }
  return names;
}

// Args of the plugins in use, by name.
Value PluginConfigValue(const Profile& profile, ApiVersion version) {
  const std::set<std::string> enabled = EnabledNames(profile);
  std::vector<const PluginConfig*> shown;
  for (const PluginConfig& config : profile.plugin_config) {
    const bool known = version != ApiVersion::kV1beta2 || !IsNewerThan123(config.name);
    if (known && enabled.contains(config.name) && !config.args.is_null()) shown.push_back(&config);
  }
  std::stable_sort(shown.begin(), shown.end(), [](auto* a, auto* b) { return a->name < b->name; });
  Value list{json::Array()};
  for (const PluginConfig* config : shown) {
    Value args = HasArgsType(config->name) ? EncodeArgs(config->name, config->args, version) : config->args;
    list.Append(Value::MakeObject({{"name", config->name}, {"args", std::move(args)}}));
  }
  return list;
}

Value MergedPlugins(const Profile& profile, bool leave_out_legacy) {
  Value plugins{json::Object()};
  for (size_t i = 0; i < kSetCount; ++i) {
    Value set{json::Object()};
    for (const Plugin& plugin : profile.plugins.sets[i].enabled) {
      if (leave_out_legacy && IsLegacyPlugin(plugin.name)) continue;
      set["enabled"].Append(PluginValue(plugin.name, plugin.weight));
    }
    for (const Plugin& plugin : profile.plugins.sets[i].disabled) set["disabled"].Append(PluginValue(plugin.name, 0));
    plugins.Set(PointName(static_cast<Point>(i)), std::move(set));
  }
  return plugins;
}

Value ExpandedPlugins(const ExpandedProfile& profile, ApiVersion version) {
  Value multi_point{json::Object()};
  // Without it, Load would merge the defaults again. v1beta2 would need it at each point.
  if (version == ApiVersion::kV1) multi_point["disabled"].Append(PluginValue("*", 0));
  Value plugins = Value::MakeObject({{"multiPoint", std::move(multi_point)}});
  for (size_t i = 0; i < kPointCount; ++i) {
    const Point point = static_cast<Point>(i);
    if (version == ApiVersion::kV1beta2 && IsNewerThan123(point)) continue;
    Value set{json::Object()};
    for (const PlannedPlugin& plugin : profile.at(point)) {
      if (version == ApiVersion::kV1beta2 && IsNewerThan123(plugin.name)) continue;
      set["enabled"].Append(PluginValue(plugin.name, plugin.weight));
    }
    plugins.Set(PointName(point), std::move(set));
  }
  return plugins;
}

Value ProfileValue(const Profile& profile, ApiVersion version, Value plugins) {
  Value object = Value::MakeObject({{"schedulerName", profile.scheduler_name}, {"plugins", std::move(plugins)}});
  Value configs = PluginConfigValue(profile, version);
  if (!configs.array().empty()) object.Set("pluginConfig", std::move(configs));
  if (version == ApiVersion::kV1 && profile.percentage_of_nodes_to_score) {
    object.Set("percentageOfNodesToScore", *profile.percentage_of_nodes_to_score);
  }
  return object;
}

Value ConfigurationValue(const Configuration& c, ApiVersion version, Value profiles, Secrets secrets) {
  Value object = Value::MakeObject({{"apiVersion", ApiVersionText(version)},
                                    {"kind", "KubeSchedulerConfiguration"},
                                    {"clientConnection", ClientValue(c.client_connection)},
                                    {"enableContentionProfiling", c.enable_contention_profiling},
                                    {"enableProfiling", c.enable_profiling},
                                    {"leaderElection", ElectionValue(c.leader_election)},
                                    {"parallelism", c.parallelism},
                                    {"percentageOfNodesToScore", c.percentage_of_nodes_to_score},
                                    {"podInitialBackoffSeconds", c.pod_initial_backoff_seconds},
                                    {"podMaxBackoffSeconds", c.pod_max_backoff_seconds},
                                    {"profiles", std::move(profiles)}});
  for (const Extender& extender : c.extenders) object["extenders"].Append(ExtenderValue(extender, secrets));
  if (version == ApiVersion::kV1) SetTrue(object, "delayCacheUntilActive", c.delay_cache_until_active);
  if (version == ApiVersion::kV1beta2) {
    object.Set("healthzBindAddress", c.healthz_bind_address);
    object.Set("metricsBindAddress", c.metrics_bind_address);
  }
  return object;
}

}  // namespace

json::Value ValueV1(const Configuration& configuration, Secrets secrets) {
  Value profiles{json::Array()};
  const bool converted = configuration.written_as != ApiVersion::kV1;
  for (const Profile& profile : configuration.profiles) {
    profiles.Append(ProfileValue(profile, ApiVersion::kV1, MergedPlugins(profile, converted)));
  }
  return ConfigurationValue(configuration, ApiVersion::kV1, std::move(profiles), secrets);
}

std::string PrintV1(const Configuration& configuration, Secrets secrets) {
  return yaml::WriteYaml(ValueV1(configuration, secrets));
}

std::string PrintExpanded(const Configuration& configuration, ApiVersion version, const PointResolver& resolver,
                          Secrets secrets) {
  assert(version != ApiVersion::kV1beta3);
  Value profiles{json::Array()};
  for (const Profile& profile : configuration.profiles) {
    const Expansion expansion = Expand(profile, configuration.written_as, resolver);
    profiles.Append(ProfileValue(profile, version, ExpandedPlugins(expansion.profile, version)));
  }
  return yaml::WriteYaml(ConfigurationValue(configuration, version, std::move(profiles), secrets));
}

}  // namespace berth::config

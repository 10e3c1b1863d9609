#include "codec/fields/field_reader.h"
#include "config/configuration/args.h"
#include "config/configuration/decode.h"

namespace berth::config {
namespace {

using json::Value;

ExtenderTls DecodeTls(const Value& value, const std::string& path, fields::Issues& errors) {
  ExtenderTls tls;
  fields::FieldReader reader(value, path, errors, fields::Quoting::kNothing);
  reader.Bool("insecure", tls.insecure);
  reader.String("serverName", tls.server_name);
  reader.String("certFile", tls.cert_file);
  reader.String("keyFile", tls.key_file);
  reader.String("caFile", tls.ca_file);
  reader.Base64("certData", tls.cert_data);
  reader.SecretBase64("keyData", tls.key_data);
  reader.Base64("caData", tls.ca_data);
  reader.Done();
  return tls;
}

std::vector<ManagedResource> DecodeManagedResources(const Value& list, const std::string& path,
                                                    fields::Issues& errors) {
  std::vector<ManagedResource> resources;
  for (const Value& value : list.array()) {
    ManagedResource resource;
    fields::FieldReader reader(value, fields::Index(path, resources.size()), errors);
    reader.String("name", resource.name);
    reader.Bool("ignoredByScheduler", resource.ignored_by_scheduler);
    reader.Done();
    resources.push_back(std::move(resource));
  }
  return resources;
}

Extender DecodeExtender(const Value& value, const std::string& path, fields::Issues& errors) {
  Extender extender;
  fields::FieldReader reader(value, path, errors);
  if (std::string url; reader.String("urlPrefix", url)) extender.url_prefix = std::move(url);
  reader.String("filterVerb", extender.filter_verb);
  reader.String("preemptVerb", extender.preempt_verb);
  reader.String("prioritizeVerb", extender.prioritize_verb);
  reader.Int64("weight", extender.weight);
  reader.String("bindVerb", extender.bind_verb);
  reader.Bool("enableHTTPS", extender.enable_https);
  if (const Value* tls = reader.Object("tlsConfig", fields::Quoting::kNothing)) {
    extender.tls = DecodeTls(*tls, path + ".tlsConfig", errors);
  }
  reader.Duration("httpTimeout", extender.http_timeout);
  reader.Bool("nodeCacheCapable", extender.node_cache_capable);
  if (const Value* resources = reader.List("managedResources")) {
    extender.managed_resources = DecodeManagedResources(*resources, path + ".managedResources", errors);
  }
  reader.Bool("ignorable", extender.ignorable);
  reader.Done();
  return extender;
}

PluginConfig* FitConfig(Profile& profile) {
  for (PluginConfig& config : profile.plugin_config) {
    if (config.name == "NodeResourcesFit") return &config;
  }
  return nullptr;
}

}  // namespace

std::vector<Extender> DecodeExtenders(const Value& list, const std::string& path, fields::Issues& errors) {
  std::vector<Extender> extenders;
  for (const Value& value : list.array())
    extenders.push_back(DecodeExtender(value, fields::Index(path, extenders.size()), errors));
  return extenders;
}

void ApplyExtenders(Configuration& configuration, fields::Issues& errors) {
  Value ignored{json::Array()};
  for (Extender& extender : configuration.extenders) {
    if (extender.http_timeout.count() == 0) extender.http_timeout = std::chrono::seconds(5);
    for (const ManagedResource& resource : extender.managed_resources) {
      if (resource.ignored_by_scheduler) ignored.Append(resource.name);
    }
  }
  if (ignored.array().empty()) return;
  for (size_t i = 0; i < configuration.profiles.size(); ++i) {
    PluginConfig* config = FitConfig(configuration.profiles[i]);
    if (config) {
      config->args.Set("ignoredResources", ignored);
      config->args = EncodeArgs(config->name, config->args, ApiVersion::kV1);
    } else {
      errors.Add(fields::Index("profiles", i),
                 "couldn't build extenders: can't find NodeResourcesFitArgs in plugin config");
    }
  }
}

}  // namespace berth::config

#include "config/configuration/validate_configuration.h"

#include <arpa/inet.h>

#include <charconv>
#include <set>

#include "codec/text/duration.h"
#include "codec/text/label_syntax.h"

namespace berth::config {
namespace {

using json::Value;

Value DurationValue(std::chrono::nanoseconds duration) { return Value(text::FormatDuration(duration)); }

void CheckLeaderElection(const LeaderElection& election, fields::Issues& issues) {
  if (!election.leader_elect) return;
  const auto positive = [&](const char* name, std::chrono::nanoseconds duration) {
    if (duration.count() <= 0) {
      issues.Add(fields::Child("leaderElection", name),
                 fields::Invalid(DurationValue(duration), "must be greater than zero"));
    }
  };
  positive("leaseDuration", election.lease_duration);
  positive("renewDeadline", election.renew_deadline);
  positive("retryPeriod", election.retry_period);
  if (election.lease_duration <= election.renew_deadline) {
    issues.Add("leaderElection.leaseDuration",
               fields::Invalid(DurationValue(election.renew_deadline), "must be greater than `RenewDeadline`"));
  }
  if (election.resource_lock != "leases") {
    issues.Add("leaderElection.resourceLock",
               fields::Invalid(election.resource_lock, "resourceLock value must be \"leases\""));
  }
  if (election.resource_namespace.empty()) issues.Add("leaderElection.resourceNamespace", fields::Required());
  if (election.resource_name.empty()) issues.Add("leaderElection.resourceName", fields::Required());
}

void CheckPercentage(const std::string& path, int32_t percentage, fields::Issues& issues) {
  if (percentage < 0 || percentage > 100) issues.Add(path, fields::Invalid(percentage, "not in valid range [0-100]"));
}

void CheckScalars(const Configuration& c, fields::Issues& issues) {
  if (c.client_connection.burst < 0) {
    issues.Add("clientConnection.burst", fields::Invalid(c.client_connection.burst, "must be non-negative"));
  }
  if (c.parallelism <= 0) {
    issues.Add("parallelism", fields::Invalid(c.parallelism, "should be an integer value greater than zero"));
  }
  CheckPercentage("percentageOfNodesToScore", c.percentage_of_nodes_to_score, issues);
  if (c.pod_initial_backoff_seconds <= 0) {
    issues.Add("podInitialBackoffSeconds", fields::Invalid(c.pod_initial_backoff_seconds, "must be greater than 0"));
  }
  if (c.pod_max_backoff_seconds < c.pod_initial_backoff_seconds) {
    issues.Add("podMaxBackoffSeconds",
               fields::Invalid(c.pod_max_backoff_seconds, "must be greater than or equal to PodInitialBackoffSeconds"));
  }
}

bool IsIp(const std::string& host) {
  unsigned char bytes[16];
  return inet_pton(AF_INET, host.c_str(), bytes) == 1 || inet_pton(AF_INET6, host.c_str(), bytes) == 1;
}

// v1beta2 only: Berth does not listen there, so the port must be 0.
void CheckBindAddress(const std::string& path, const std::string& address, fields::Issues& issues) {
  if (address.empty()) return;
  const size_t colon = address.rfind(':');
  if (colon == std::string::npos) {
    return issues.Add(path, fields::Invalid(address, "address " + address + ": missing port in address"));
  }
  std::string host = address.substr(0, colon);
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  const std::string port = address.substr(colon + 1);
  int number = 0;
  const auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), number);
  if (error != std::errc() || end != port.data() + port.size()) {
    return issues.Add(path, fields::Invalid(address, "strconv.Atoi: parsing \"" + port + "\": invalid syntax"));
  }
  if (!IsIp(host))
    issues.Add(path, fields::Invalid(address, "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)"));
  if (number != 0) issues.Add(path, fields::Invalid(address, "must be empty or with an explicit 0 port"));
}

void CheckProfile(const Profile& profile, const std::string& path, ArgsValidator& args_validator,
                  fields::Issues& issues) {
  if (profile.scheduler_name.empty()) issues.Add(path + ".schedulerName", fields::Required());
  if (profile.percentage_of_nodes_to_score) {
    CheckPercentage(path + ".percentageOfNodesToScore", *profile.percentage_of_nodes_to_score, issues);
  }
  for (size_t i = 0; i < profile.plugin_config.size(); ++i) {
    const PluginConfig& config = profile.plugin_config[i];
    const std::string args_path = fields::Index(path + ".pluginConfig", i) + ".args";
    args_validator.Check(config.name, config.args, [&](const std::string& below, const std::string& reason) {
      issues.Add(below.empty() ? args_path : fields::Child(args_path, below), reason);
    });
  }
}

// As Go's encoder shows the internal type, which defines no field names for JSON.
Value ShownPlugins(const std::vector<Plugin>& plugins) {
  if (plugins.empty()) return Value();
  Value list{json::Array()};
  for (const Plugin& plugin : plugins)
    list.Append(Value::MakeObject({{"Name", plugin.name}, {"Weight", plugin.weight}}));
  return list;
}

Value Shown(const PluginSet& set) {
  return Value::MakeObject({{"Enabled", ShownPlugins(set.enabled)}, {"Disabled", ShownPlugins(set.disabled)}});
}

void CheckCommonQueueSort(const std::vector<Profile>& profiles, fields::Issues& issues) {
  const PluginSet& first = profiles.front().plugins.at(Point::kQueueSort);
  if (first.enabled.size() > 1) {
    issues.Add("profiles[0].plugins.queueSort.Enabled", fields::Invalid(static_cast<int64_t>(first.enabled.size()),
                                                                        "only one queue sort plugin can be enabled"));
  }
  const std::string name = first.enabled.empty() ? "" : first.enabled.front().name;
  Value args;
  for (const PluginConfig& config : profiles.front().plugin_config) {
    if (!name.empty() && config.name == name) args = config.args;
  }
  for (size_t i = 1; i < profiles.size(); ++i) {
    const std::string path = fields::Index("profiles", i);
    const Value own = Shown(profiles[i].plugins.at(Point::kQueueSort));
    if (!(own == Shown(first))) {
      issues.Add(path + ".plugins.queueSort",
                 "Invalid value: " + json::Dump(own) + ": must be the same for all profiles");
    }
    for (const PluginConfig& config : profiles[i].plugin_config) {
      // As upstream, the name is empty for a plugin from multiPoint and for an entry without a name.
      if (config.name != name || config.args == args) continue;
      issues.Add(path + ".pluginConfig.args",
                 fields::Invalid(config.args, "queueSort must be the same for all profiles"));
    }
  }
}

void CheckProfiles(const std::vector<Profile>& profiles, ArgsValidator& args_validator, fields::Issues& issues) {
  std::set<std::string> names;
  for (size_t i = 0; i < profiles.size(); ++i) {
    CheckProfile(profiles[i], fields::Index("profiles", i), args_validator, issues);
    const std::string& name = profiles[i].scheduler_name;
    if (!names.insert(name).second)
      issues.Add(fields::Index("profiles", i) + ".schedulerName", fields::Duplicate(name));
  }
  CheckCommonQueueSort(profiles, issues);
}

void CheckManagedResource(const std::string& name, const std::string& path, std::set<std::string>& seen,
                          fields::Issues& issues) {
  const std::vector<std::string> faults = text::LabelKeyErrors(name);
  for (const std::string& fault : faults) issues.Add(path, fields::Invalid(name, fault));
  if (faults.empty() && !text::IsExtendedResourceName(name))
    issues.Add(path, fields::Invalid(name, "is an invalid extended resource name"));
  if (!seen.insert(name).second) issues.Add(path, fields::Invalid(name, "duplicate extender managed resource name"));
}

void CheckExtenders(const std::vector<Extender>& extenders, fields::Issues& issues) {
  int binders = 0;
  std::set<std::string> resources;
  for (size_t i = 0; i < extenders.size(); ++i) {
    const std::string path = fields::Index("extenders", i);
    const Extender& extender = extenders[i];
    if (!extender.prioritize_verb.empty() && extender.weight <= 0) {
      issues.Add(path + ".weight", fields::Invalid(extender.weight, "must have a positive weight applied to it"));
    }
    if (!extender.bind_verb.empty()) ++binders;
    for (size_t j = 0; j < extender.managed_resources.size(); ++j) {
      const std::string place = fields::Index(path + ".managedResources", j) + ".name";
      CheckManagedResource(extender.managed_resources[j].name, place, resources, issues);
    }
  }
  if (binders <= 1) return;
  const std::string found = "found " + std::to_string(binders) + " extenders implementing bind";
  issues.Add("extenders", fields::Invalid(found, "only one extender can implement bind"));
}

}  // namespace

void Validate(const Configuration& configuration, ArgsValidator& args_validator, fields::Issues& issues) {
  CheckLeaderElection(configuration.leader_election, issues);
  CheckScalars(configuration, issues);
  if (configuration.profiles.empty()) {
    issues.Add("profiles", fields::Required());
  } else {
    CheckProfiles(configuration.profiles, args_validator, issues);
  }
  CheckBindAddress("healthzBindAddress", configuration.healthz_bind_address, issues);
  CheckBindAddress("metricsBindAddress", configuration.metrics_bind_address, issues);
  CheckExtenders(configuration.extenders, issues);
}

}  // namespace berth::config

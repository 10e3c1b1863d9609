#include "config/configuration/decode.h"

#include "codec/fields/field_reader.h"

namespace berth::config {
namespace {

using json::Value;
using std::chrono::seconds;

void DefaultText(std::string& text, const char* otherwise) {
  if (text.empty()) text = otherwise;
}

void DefaultDuration(std::chrono::nanoseconds& duration, seconds otherwise) {
  if (duration.count() == 0) duration = otherwise;
}

LeaderElection DecodeLeaderElection(const Value& value, const std::string& path, fields::Issues& errors) {
  LeaderElection election;
  fields::FieldReader reader(value, path, errors);
  reader.Bool("leaderElect", election.leader_elect);
  reader.Duration("leaseDuration", election.lease_duration);
  reader.Duration("renewDeadline", election.renew_deadline);
  reader.Duration("retryPeriod", election.retry_period);
  reader.String("resourceLock", election.resource_lock);
  reader.String("resourceName", election.resource_name);
  reader.String("resourceNamespace", election.resource_namespace);
  reader.Done();
  DefaultDuration(election.lease_duration, seconds(15));
  DefaultDuration(election.renew_deadline, seconds(10));
  DefaultDuration(election.retry_period, seconds(2));
  DefaultText(election.resource_lock, "leases");
  DefaultText(election.resource_name, "kube-scheduler");
  DefaultText(election.resource_namespace, "kube-system");
  return election;
}

ClientConnection DecodeClientConnection(const Value& value, const std::string& path, fields::Issues& errors) {
  ClientConnection client;
  fields::FieldReader reader(value, path, errors);
  reader.String("kubeconfig", client.kubeconfig);
  reader.String("acceptContentTypes", client.accept_content_types);
  reader.String("contentType", client.content_type);
  reader.Float32("qps", client.qps);
  reader.Int32("burst", client.burst);
  reader.Done();
  DefaultText(client.content_type, "application/vnd.kubernetes.protobuf");
  if (client.qps == 0) client.qps = 50;
  if (client.burst == 0) client.burst = 100;
  return client;
}

void DecodeProfiles(fields::FieldReader& reader, const DecodeContext& context, Configuration& configuration) {
  constexpr size_t kMaxProfiles = 4096;  // each costs tens of kilobytes, and a file could list 200,000 empty ones
  const Value* list = reader.List("profiles");
  if (list && list->array().size() > kMaxProfiles) {
    const std::string found = std::to_string(list->array().size());
    context.errors.Add("profiles",
                       "Too many: " + found + ": must have at most " + std::to_string(kMaxProfiles) + " items");
    list = nullptr;
  }
  bool named = false;
  for (const Value& value : list ? list->array() : json::Array()) {
    const std::string path = fields::Index("profiles", configuration.profiles.size());
    configuration.profiles.push_back(DecodeProfile(value, path, context, named));
  }
  if (configuration.profiles.empty()) {
    configuration.profiles.push_back(DecodeProfile(Value(), "profiles[0]", context, named));
  }
  // Only a single profile gets the default name; several profiles need different names.
  if (configuration.profiles.size() == 1 && !named) configuration.profiles[0].scheduler_name = "default-scheduler";
}

void DecodeProfiling(fields::FieldReader& reader, Configuration& configuration) {
  reader.Bool("enableProfiling", configuration.enable_profiling);
  configuration.enable_contention_profiling = configuration.enable_profiling;
  reader.Bool("enableContentionProfiling", configuration.enable_contention_profiling);
}

}  // namespace

const char* ApiVersionText(ApiVersion version) {
  switch (version) {
    case ApiVersion::kV1beta2: return "kubescheduler.config.k8s.io/v1beta2";
    case ApiVersion::kV1beta3: return "kubescheduler.config.k8s.io/v1beta3";
    case ApiVersion::kV1: return "kubescheduler.config.k8s.io/v1";
  }
  return "";
}

std::optional<ApiVersion> ApiVersionNamed(std::string_view text) {
  for (const ApiVersion version : {ApiVersion::kV1beta2, ApiVersion::kV1beta3, ApiVersion::kV1}) {
    if (text == ApiVersionText(version)) return version;
  }
  return std::nullopt;
}

Configuration DecodeConfiguration(const Value& root, const DecodeContext& context) {
  Configuration configuration;
  configuration.written_as = context.version;
  fields::FieldReader reader(root, "", context.errors);
  reader.Any("apiVersion");
  reader.Any("kind");
  reader.Int32("parallelism", configuration.parallelism);
  const Value* election = reader.Object("leaderElection");
  configuration.leader_election =
      DecodeLeaderElection(election ? *election : Value(), "leaderElection", context.errors);
  const Value* client = reader.Object("clientConnection");
  configuration.client_connection =
      DecodeClientConnection(client ? *client : Value(), "clientConnection", context.errors);
  DecodeProfiling(reader, configuration);
  reader.Int32("percentageOfNodesToScore", configuration.percentage_of_nodes_to_score);
  reader.Int64("podInitialBackoffSeconds", configuration.pod_initial_backoff_seconds);
  reader.Int64("podMaxBackoffSeconds", configuration.pod_max_backoff_seconds);
  DecodeProfiles(reader, context, configuration);
  if (const Value* extenders = reader.List("extenders")) {
    configuration.extenders = DecodeExtenders(*extenders, "extenders", context.errors);
  }
  if (context.version == ApiVersion::kV1) reader.Bool("delayCacheUntilActive", configuration.delay_cache_until_active);
  if (context.version == ApiVersion::kV1beta2) {
    reader.String("healthzBindAddress", configuration.healthz_bind_address);
    reader.String("metricsBindAddress", configuration.metrics_bind_address);
  }
  reader.Done();
  return configuration;
}

}  // namespace berth::config

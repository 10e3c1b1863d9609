// Where the metrics of nodes come from: TrimaranSpec, which the args of several plugins contain. A value.
// Source: apis/config/v1/{types,defaults}.go and pkg/trimaran/collector.go (checkSpecs) of
// kubernetes-sigs/scheduler-plugins.
#pragma once

#include <berth/plugin.hpp>

#include <optional>
#include <string>
#include <string_view>

#include "server_url.h"

namespace plugins::trimaran {

struct FeedArgs {
  static constexpr std::string_view kMetricsServer = "KubernetesMetricsServer", kPrometheus = "Prometheus";

  std::optional<std::string> watcher, address, token;
  std::string type;
  std::optional<bool> insecure;

  // Metrics come from load-watcher, and not from the provider.
  bool of_watcher() const { return watcher && !watcher->empty(); }
  bool of_prometheus() const { return !of_watcher() && type == kPrometheus; }
  bool of_metrics_server() const { return !of_watcher() && type == kMetricsServer; }

  static FeedArgs Read(berth::sdk::ArgsReader& in) {
    FeedArgs args;
    in.Get("watcherAddress", args.watcher);
    berth::sdk::ArgsReader provider = in.Object("metricProvider", "MetricProviderSpec");
    provider.Get("type", args.type, "v1.MetricProviderType");
    provider.Get("address", args.address);
    provider.Get("token", args.token);
    provider.Get("insecureSkipVerify", args.insecure);
    if (!args.watcher && args.type.empty()) args.type = kMetricsServer;
    if (args.type == kPrometheus && !args.insecure) args.insecure = true;
    args.Check(in);
    return args;
  }
  void Write(berth::sdk::JsonWriter& out) const {
    out.BeginObject("metricProvider");
    if (!type.empty()) out.Field("type", type);
    out.Field("address", address);
    out.Field("token", token);
    out.Field("insecureSkipVerify", insecure);
    out.EndObject();
    out.Field("watcherAddress", watcher);
  }

 private:
  void Check(berth::sdk::ArgsReader& in) const {
    if (of_watcher()) return CheckUrl(in, "watcherAddress", *watcher);
    if (type == "SignalFx") {
      return in.Invalid("metricProvider.type", type,
                        "not supported; use Prometheus, KubernetesMetricsServer, or load-watcher (watcherAddress)");
    }
    in.Check(type == kMetricsServer || type == kPrometheus, "metricProvider.type", type,
             "invalid MetricProvider.Type, got " + type);
    if (type == kPrometheus && address && !address->empty()) CheckUrl(in, "metricProvider.address", *address);
  }
};

}  // namespace plugins::trimaran

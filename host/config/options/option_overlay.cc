#include "config/options/option_overlay.h"

namespace berth::options {

void ApplyTo(const SchedulerOptions& options, config::Configuration& configuration) {
  const auto over = [&](const char* flag, auto& to, const auto& from) {
    if (options.Changed(flag)) to = from;
  };
  if (options.config.empty()) {
    const Deprecated& d = options.deprecated;
    over("profiling", configuration.enable_profiling, d.profiling);
    over("contention-profiling", configuration.enable_contention_profiling, d.contention_profiling);
    over("kubeconfig", configuration.client_connection.kubeconfig, d.kubeconfig);
    over("kube-api-content-type", configuration.client_connection.content_type, d.kube_api_content_type);
    over("kube-api-qps", configuration.client_connection.qps, d.kube_api_qps);
    over("kube-api-burst", configuration.client_connection.burst, d.kube_api_burst);
  }
  config::LeaderElection& to = configuration.leader_election;
  const config::LeaderElection& from = options.leader_election;
  over("leader-elect", to.leader_elect, from.leader_elect);
  over("leader-elect-lease-duration", to.lease_duration, from.lease_duration);
  over("leader-elect-renew-deadline", to.renew_deadline, from.renew_deadline);
  over("leader-elect-retry-period", to.retry_period, from.retry_period);
  over("leader-elect-resource-lock", to.resource_lock, from.resource_lock);
  over("leader-elect-resource-name", to.resource_name, from.resource_name);
  over("leader-elect-resource-namespace", to.resource_namespace, from.resource_namespace);
}

}  // namespace berth::options

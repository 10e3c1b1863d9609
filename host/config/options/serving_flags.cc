// The flags that Berth does not implement yet: HTTPS, authentication, authorization, the selection of metrics.
#include "config/options/flag_table.h"
#include "config/options/values.h"

namespace berth::options {
namespace {

using flags::Bool;
using flags::List;
using flags::Text;

// Adds flags of one group, all of them unserved.
class Group {
 public:
  Group(flags::Command& command, UnservedFlags& unserved, std::string name)
      : command_(command), unserved_(unserved), name_(std::move(name)) {}
  void Add(const std::string& flag, flags::Value value, const std::string& help, const std::string& harmless = "") {
    command_.Add({flag, 0, std::move(value), help, name_});
    unserved_[flag] = harmless;
  }

 private:
  flags::Command& command_;
  UnservedFlags& unserved_;
  std::string name_;
};

void AddServing(Group group, Serving& s) {
  group.Add("bind-address", Ip(s.bind_address), "address of --secure-port");
  group.Add("secure-port", flags::Int64(s.secure_port), "port that HTTPS is served on; 0: none", "0");
  group.Add("cert-dir", Text(s.cert_dir), "directory of certificates");
  group.Add("tls-cert-file", Text(s.tls_cert_file), "certificate for HTTPS, with those that signed it behind it");
  group.Add("tls-private-key-file", Text(s.tls_private_key_file), "key of --tls-cert-file");
  group.Add("tls-cipher-suites", List(s.tls_cipher_suites), "cipher suites of the server");
  group.Add("tls-curve-preferences", flags::Int32List(s.tls_curve_preferences), "numbers of key exchanges");
  group.Add("tls-min-version", Text(s.tls_min_version), "VersionTLS10, VersionTLS11, VersionTLS12 or VersionTLS13");
  group.Add("tls-sni-cert-key", CertKeys(s.tls_sni_cert_keys), "certificate,key[:name,...]; repeatable");
  group.Add("http2-max-streams-per-connection", flags::Int64(s.http2_max_streams_per_connection),
            "streams of one HTTP/2 connection; 0: as the server likes");
  group.Add("permit-port-sharing", Bool(s.permit_port_sharing), "listen with SO_REUSEPORT", "false");
  group.Add("permit-address-sharing", Bool(s.permit_address_sharing), "listen with SO_REUSEADDR", "false");
  group.Add("disable-http2-serving", Bool(s.disable_http2_serving), "serve HTTP/1.1 only", "true");
}

void AddAuthentication(Group group, Authentication& a) {
  group.Add("authentication-kubeconfig", Text(a.kubeconfig), "kubeconfig for TokenReviews; none: all are anonymous");
  group.Add("authentication-skip-lookup", Bool(a.skip_lookup), "do not look up settings in the cluster");
  group.Add("authentication-token-webhook-cache-ttl", Duration(a.token_webhook_cache_ttl),
            "how long an answer about a token is good");
  group.Add("authentication-tolerate-lookup-failure", Bool(a.tolerate_lookup_failure),
            "go on when settings cannot be looked up in the cluster");
  group.Add("client-ca-file", Text(a.client_ca_file), "who signs certificates of clients");
  group.Add("requestheader-allowed-names", List(a.allowed_names), "common names of proxies; none: any");
  group.Add("requestheader-client-ca-file", Text(a.requestheader_client_ca_file), "who signs certificates of proxies");
  group.Add("requestheader-extra-headers-prefix", List(a.extra_headers_prefix), "headers that say more of a user");
  group.Add("requestheader-group-headers", List(a.group_headers), "headers that name groups");
  group.Add("requestheader-uid-headers", List(a.uid_headers), "headers that name UIDs");
  group.Add("requestheader-username-headers", List(a.username_headers), "headers that name users");
}

void AddAuthorization(Group group, Authorization& a) {
  group.Add("authorization-kubeconfig", Text(a.kubeconfig),
            "kubeconfig for SubjectAccessReviews; none: what is not always allowed is forbidden");
  group.Add("authorization-always-allow-paths", List(a.always_allow_paths), "paths that anybody may read");
  group.Add("authorization-webhook-cache-authorized-ttl", Duration(a.webhook_cache_authorized_ttl),
            "how long a yes is good");
  group.Add("authorization-webhook-cache-unauthorized-ttl", Duration(a.webhook_cache_unauthorized_ttl),
            "how long a no is good");
}

void AddMetrics(Group group, Metrics& m) {
  group.Add("show-hidden-metrics-for-version", Text(m.show_hidden_metrics_for_version),
            "version whose hidden metrics to show");
  group.Add("disabled-metrics", List(m.disabled_metrics), "names of metrics to leave out");
  group.Add("allow-metric-labels", flags::Map(m.allow_metric_labels), "values that labels may have");
  group.Add("allow-metric-labels-manifest", Text(m.allow_metric_labels_manifest), "file with the same");
}

}  // namespace

void AddServingFlags(flags::Command& command, SchedulerOptions& o, UnservedFlags& unserved) {
  AddServing({command, unserved, "Secure serving flags"}, o.serving);
  AddAuthentication({command, unserved, "Authentication flags"}, o.authentication);
  AddAuthorization({command, unserved, "Authorization flags"}, o.authorization);
  AddMetrics({command, unserved, "Metrics flags"}, o.metrics);
}

}  // namespace berth::options

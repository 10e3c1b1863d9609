// The flags of HTTPS, authentication, and authorization.
#include "config/options/flag_table.h"
#include "config/options/values.h"

namespace berth::options {
namespace {

using flags::Bool;
using flags::List;
using flags::Text;

// Adds flags of one group.
class Group {
 public:
  Group(flags::Command& command, UnservedFlags& unserved, std::string name)
      : command_(command), unserved_(unserved), name_(std::move(name)) {}
  void AddServed(const std::string& flag, flags::Value value, const std::string& help) {
    command_.Add({flag, 0, std::move(value), help, name_});
  }
  // An unserved flag.
  void Add(const std::string& flag, flags::Value value, const std::string& help, const std::string& harmless = "") {
    AddServed(flag, std::move(value), help);
    unserved_[flag] = harmless;
  }

 private:
  flags::Command& command_;
  UnservedFlags& unserved_;
  std::string name_;
};

void AddServing(Group group, Serving& s) {
  group.AddServed("bind-address", Ip(s.bind_address), "address of --secure-port; 0.0.0.0 and :: mean all addresses");
  group.AddServed("secure-port", flags::Int64(s.secure_port), "port that HTTPS is served on; 0: none");
  group.AddServed(
      "cert-dir", Text(s.cert_dir),
      "directory of " + s.pair_name + ".crt and " + s.pair_name + ".key, which are made if both are missing");
  group.AddServed("tls-cert-file", Text(s.tls_cert_file), "certificate for HTTPS, with those that signed it behind it");
  group.AddServed("tls-private-key-file", Text(s.tls_private_key_file), "key of --tls-cert-file");
  group.AddServed("tls-cipher-suites", List(s.tls_cipher_suites), "cipher suites of TLS 1.2 and older, by Go's names");
  group.AddServed("tls-curve-preferences", flags::Int32List(s.tls_curve_preferences),
                  "key exchanges, by the numbers of Go's tls.CurveID");
  group.AddServed("tls-min-version", Text(s.tls_min_version),
                  "VersionTLS10, VersionTLS11, VersionTLS12 or VersionTLS13");
  group.AddServed("tls-sni-cert-key", CertKeys(s.tls_sni_cert_keys), "certificate,key[:name,...]; repeatable");
  group.Add("http2-max-streams-per-connection", flags::Int64(s.http2_max_streams_per_connection),
            "streams of one HTTP/2 connection; the server has HTTP/1.1 only, so this has no effect", "0");
  group.AddServed("permit-port-sharing", Bool(s.permit_port_sharing), "listen with SO_REUSEPORT");
  group.AddServed("permit-address-sharing", Bool(s.permit_address_sharing),
                  "listen with SO_REUSEADDR, as the server does in any case");
  group.Add("disable-http2-serving", Bool(s.disable_http2_serving),
            "serve HTTP/1.1 only, as the server does in any case", "true");
}

void AddAuthentication(Group group, Authentication& a) {
  group.AddServed("authentication-kubeconfig", Text(a.kubeconfig),
                  "kubeconfig for TokenReviews; none: all are anonymous");
  group.AddServed("authentication-skip-lookup", Bool(a.skip_lookup), "do not look up settings in the cluster");
  group.AddServed("authentication-token-webhook-cache-ttl", Duration(a.token_webhook_cache_ttl),
                  "how long an answer about a token is good");
  group.AddServed("authentication-tolerate-lookup-failure", Bool(a.tolerate_lookup_failure),
                  "go on when settings cannot be looked up in the cluster");
  group.AddServed("client-ca-file", Text(a.client_ca_file), "who signs certificates of clients");
  group.AddServed("requestheader-allowed-names", List(a.allowed_names), "common names of proxies; none: any");
  group.AddServed("requestheader-client-ca-file", Text(a.requestheader_client_ca_file),
                  "who signs certificates of proxies");
  group.AddServed("requestheader-extra-headers-prefix", List(a.extra_headers_prefix),
                  "headers that say more of a user");
  group.AddServed("requestheader-group-headers", List(a.group_headers), "headers that name groups");
  group.AddServed("requestheader-uid-headers", List(a.uid_headers), "headers that name UIDs");
  group.AddServed("requestheader-username-headers", List(a.username_headers), "headers that name users");
}

void AddAuthorization(Group group, Authorization& a) {
  group.AddServed("authorization-kubeconfig", Text(a.kubeconfig),
                  "kubeconfig for SubjectAccessReviews; none: what is not always allowed is forbidden");
  group.AddServed("authorization-always-allow-paths", List(a.always_allow_paths), "paths that anybody may read");
  group.AddServed("authorization-webhook-cache-authorized-ttl", Duration(a.webhook_cache_authorized_ttl),
                  "how long a yes is good");
  group.AddServed("authorization-webhook-cache-unauthorized-ttl", Duration(a.webhook_cache_unauthorized_ttl),
                  "how long a no is good");
}

}  // namespace

void AddServingFlags(flags::Command& command, Serving& serving, UnservedFlags& unserved) {
  AddServing({command, unserved, "Secure serving flags"}, serving);
}

void AddAccessFlags(flags::Command& command, Authentication& authentication, Authorization& authorization,
                    UnservedFlags& unserved) {
  AddAuthentication({command, unserved, "Authentication flags"}, authentication);
  AddAuthorization({command, unserved, "Authorization flags"}, authorization);
}

}  // namespace berth::options

// TLS of a server: protocol versions, cipher suites, and the certificate for each connection. Clients are asked for a
// certificate, which the handshake does not verify: Incoming::client_certificates, ClientTrust.
//
//   auto tls = ServerTls::Make({.min_version = "VersionTLS12"});
//   (*tls)->Show({.name = "serving-cert", .certificate_pem = ..., .key_pem = ...}, {});
//   Listener::Start(address, handler, {.tls = *tls});
//   (*tls)->Show(...);   // connections from now on see the new certificates
//
// There are no session tickets and no session cache: each connection has a full handshake, because a resumed session
// would show an old certificate of the server, and would not contain the client's intermediates.
// Sources: k8s.io/apiserver pkg/server/secure_serving.go, pkg/server/dynamiccertificates (tlsconfig.go,
// named_certificates.go); Go crypto/tls Config.getCertificate.
// Thread: any.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/thread_annotations.h"

struct ssl_st;

namespace boost::asio::ssl {
class context;
}

namespace berth::http {

class CertificateTable;

// A certificate with those that signed it behind it, and its key.
struct ServingPair {
  std::string name;  // in logs and errors
  std::string certificate_pem, key_pem;
  // The server names for which the pair is shown: "example.com", "*.example.com", an IP address of this server. Empty:
  // the names of the certificate. Unused for the main pair.
  std::vector<std::string> patterns = {};
};

// The error of Go's tls.X509KeyPair: "tls: private key does not match public key".
base::Result<void> CheckServingPair(const std::string& certificate_pem, const std::string& key_pem);

// The subjects of the CAs whose client certificates the server accepts, in DER: ClientTrust::ca_names. Clients with
// several certificates choose by them. Called in each handshake, on the listener's thread; does not block.
using ClientCas = std::function<std::vector<std::string>()>;

struct ServerTlsOptions {
  std::vector<std::string> cipher_suites = {};  // Go's names, for TLS 1.2 and older; empty: Go's defaults
  std::string min_version = {};                 // "VersionTLS10" to "VersionTLS13"; empty: VersionTLS12
  std::vector<int32_t> curve_preferences = {};  // Go's tls.CurveID, in any order; empty: all that OpenSSL has
  bool ask_for_client_certificate = true;
  ClientCas client_cas = {};  // unset: the server names none
};

class ServerTls {
 public:
  // Errors are those of component-base's cli/flag: `Cipher suite X not supported or doesn't exist`.
  static base::Result<std::shared_ptr<ServerTls>> Make(const ServerTlsOptions& options);
  ~ServerTls();
  ServerTls(const ServerTls&) = delete;

  // The certificates for connections from now on. Where two named pairs have the same name, the first one is shown. The
  // error names the pair, and nothing changes.
  base::Result<void> Show(const ServingPair& main, const std::vector<ServingPair>& named);

  // For wire.cc. A connection fails while no certificate is there.
  boost::asio::ssl::context& context() const { return *context_; }
  // The address that the client connected to, which stands for the server name if the client sends none.
  static void SetLocalAddress(ssl_st& connection, const std::string& address);

 private:
  explicit ServerTls(ClientCas client_cas);
  static int Choose(ssl_st* connection, void* self);  // OpenSSL's certificate callback
  bool NameClientCas(ssl_st& connection) const;
  std::shared_ptr<const CertificateTable> table() const;

  const std::unique_ptr<boost::asio::ssl::context> context_;
  const ClientCas client_cas_;
  mutable base::Mutex mutex_;
  std::shared_ptr<const CertificateTable> table_ GUARDED_BY(mutex_);
};

}  // namespace berth::http

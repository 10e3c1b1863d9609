// Verifies the certificate that a client presented in the TLS handshake, with the rules of Go's x509.Certificate.Verify
// for ExtKeyUsageClientAuth, and says whom it names. For the authentication of requests: Incoming::client_certificates
// is the chain to verify. Sources: k8s.io/apiserver pkg/authentication/request/x509 (Authenticator,
// CommonNameUserConversion, parseUIDFromCert); Go crypto/x509 verify.go.
// Thread: any; objects are immutable.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"

struct x509_store_st;

namespace berth::http {

// Whom a verified certificate names. Texts are UTF-8 and may contain any byte, as the certificate does.
struct ClientName {
  std::string common_name;                 // "" = none: the certificate names no user
  std::vector<std::string> organizations;  // the groups, in order
  std::string uid;                         // of the subject (OID 1.3.6.1.4.1.57683.2); "" = none
  std::string uid_error;                   // why uid cannot be used, which rejects the user; "" = it can
  std::chrono::system_clock::time_point expires;
  std::string sha256;  // of the certificate, 64 hex digits: "X509SHA256=" + sha256 is upstream's credential id
};

class ClientTrust {
 public:
  using Time = std::chrono::system_clock::time_point;

  // ca_pem: one or more certificates; other PEM blocks are skipped, as client-go's ParseCertsPEM does. Each of them is
  // trusted, whether or not it is self-signed. The error says what is wrong with the text.
  static base::Result<std::shared_ptr<const ClientTrust>> Load(const std::string& ca_pem);

  // der_chain: the client's certificate first, then intermediates in any order. Takes microseconds to milliseconds, and
  // does not block. Errors are Go's: "x509: certificate signed by unknown authority". Upstream's authenticator precedes
  // them with "verifying certificate " + CertificateIdentifier(der_chain[0]) + " failed: ".
  base::Result<ClientName> Verify(const std::vector<std::string>& der_chain,
                                  Time now = std::chrono::system_clock::now()) const;
  // The subjects of the CAs in DER, in order, each once: ServerTlsOptions::client_cas.
  const std::vector<std::string>& ca_names() const { return ca_names_; }

 private:
  using Store = std::shared_ptr<x509_store_st>;
  ClientTrust(std::vector<Store> stores, std::vector<std::string> ca_names)
      : stores_(std::move(stores)), ca_names_(std::move(ca_names)) {}
  // CAs may have the same name, also while one replaces another. Go tries all of them, OpenSSL takes the first one:
  // store i has the i-th CA of each name, and they are tried in turn.
  const std::vector<Store> stores_;
  const std::vector<std::string> ca_names_;
};

// "SN=77, SKID=AB:CD, AKID=12:34", in which parts may be empty, as upstream's certificateIdentifier writes it; "" when
// der is no certificate.
std::string CertificateIdentifier(const std::string& der);

}  // namespace berth::http

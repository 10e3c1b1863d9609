// A serving certificate in OpenSSL's form, and Go's errors for a text that is none. Thread: any; immutable.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "client/http/x509.h"

namespace berth::http {

struct ServingIdentity {
  Openssl<X509> certificate;
  CertificateChain signers;
  Openssl<EVP_PKEY> key;

  // The certificate's names for SNI: its common name if that is a domain, then its DNS names. Source:
  // k8s.io/apiserver pkg/server/dynamiccertificates/named_certificates.go getCertificateNames.
  std::vector<std::string> Names() const;
  // Whether a client that asks for this server name accepts the certificate.
  bool IsFor(const std::string& server_name) const;
};

// Source: Go crypto/tls X509KeyPair. Errors contain nothing of the key.
base::Result<ServingIdentity> ReadServingPair(const std::string& certificate_pem, const std::string& key_pem);

}  // namespace berth::http

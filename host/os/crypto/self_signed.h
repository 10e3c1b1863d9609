// A serving certificate that no authority of the cluster has signed, for a server without its own certificate.
// Source: k8s.io/client-go util/cert GenerateSelfSignedCertKeyWithOptions. As there, a CA that lives for this one call
// signs the certificate, and the names and times are the same. The keys are ECDSA P-256 instead of RSA with 2,048 bits:
// making them takes less than a millisecond instead of some hundred.
// Thread: any; nothing is kept.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "base/result.h"

namespace berth::crypto {

struct SelfSignedNames {
  std::string host;                        // a DNS name, or an IP address
  std::vector<std::string> ips, dns = {};  // further names
};

struct SelfSigned {
  std::string certificate_pem;  // the certificate, then the CA
  std::string key_pem;          // of the certificate
};

// Valid from an hour before `now`, for 365 days. Fails when an address is none, or OpenSSL has no memory or randomness.
base::Result<SelfSigned> MakeSelfSigned(const SelfSignedNames& names,
                                        std::chrono::system_clock::time_point now = std::chrono::system_clock::now());

}  // namespace berth::crypto

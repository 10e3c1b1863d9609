// Go's names and numbers of TLS versions, cipher suites, and key exchanges, as OpenSSL's. Thread: any; pure.
// Sources: k8s.io/component-base cli/flag/ciphersuites_flag.go and curves_flag.go; Go crypto/tls.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"

namespace berth::http {

// The number of the protocol, such as 0x0303; "" is VersionTLS12. Error: unknown tls version "x".
base::Result<int> TlsVersionOf(const std::string& name);

// Cipher suites of TLS 1.2 and older, in the order in which a server prefers them. As in Go, those of TLS 1.3 cannot be
// chosen: their names are accepted and skipped.
struct CipherChoice {
  std::string openssl;                   // "ECDHE-RSA-AES128-GCM-SHA256:..."; "" = none: TLS 1.3 only
  std::vector<std::string> insecure;     // names that Go counts as insecure
  std::vector<std::string> unavailable;  // names that Go has and OpenSSL 3 does not
};
// An empty list chooses Go's defaults. Error: Cipher suite x not supported or doesn't exist.
base::Result<CipherChoice> CipherSuitesOf(const std::vector<std::string>& names);

struct CurveChoice {
  std::string openssl;               // "X25519:P-256", in the order of preference
  std::vector<int32_t> unavailable;  // numbers that Go has and OpenSSL 3.0 does not
};
// An empty list chooses all. Errors: curve preference 0 is out of range (must be 1-65535), duplicate curve preference
// 23, curve preference 7 is not supported by the current Go version.
base::Result<CurveChoice> CurvesOf(const std::vector<int32_t>& ids);

}  // namespace berth::http

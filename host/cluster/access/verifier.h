// How this folder verifies client certificates: functions, so that tests need no certificates. Thread: any,
// concurrently; the functions are immutable and do not block.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "client/http/client_trust.h"

namespace berth::access {

// Verifies against one bundle.
class Verifier {
 public:
  using Verify = std::function<base::Result<http::ClientName>(const std::vector<std::string>& der_chain)>;

  explicit Verifier(Verify verify, std::vector<std::string> ca_names = {})
      : verify_(std::move(verify)), ca_names_(std::move(ca_names)) {}

  // der_chain: in DER, the client's certificate first.
  base::Result<http::ClientName> operator()(const std::vector<std::string>& der_chain) const {
    return verify_(der_chain);
  }
  // The subjects of the bundle's CAs, in DER.
  const std::vector<std::string>& ca_names() const { return ca_names_; }

 private:
  Verify verify_;
  std::vector<std::string> ca_names_;
};
// Makes a Verifier from a bundle of CA certificates in PEM.
using MakeVerifier = std::function<base::Result<Verifier>(const std::string& ca_pem)>;

// The MakeVerifier of http::ClientTrust.
base::Result<Verifier> MakeTrustVerifier(const std::string& ca_pem);

}  // namespace berth::access

// Which certificate a server shows to which client. Thread: any; immutable.
// Sources: k8s.io/apiserver pkg/server/dynamiccertificates BuildNamedCertificates and GetConfigForClient; Go crypto/tls
// Config.getCertificate.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "client/http/server_tls.h"
#include "client/http/serving_identity.h"

namespace berth::http {

class CertificateTable {
 public:
  // The error names the pair that is wrong.
  static base::Result<CertificateTable> Make(const ServingPair& main, const std::vector<ServingPair>& named);

  // server_name: of the client's SNI, "" = none. A pattern equal to the name comes before a wildcard for its first
  // label; then the first certificate that is valid for the name; then the main certificate. Without a name, a pattern
  // equal to local_address decides.
  const ServingIdentity& Find(const std::string& server_name, const std::string& local_address) const;

  const std::vector<ServingIdentity>& identities() const { return identities_; }  // the main one first

 private:
  CertificateTable() = default;
  void AddNames(const std::vector<ServingPair>& named);
  const ServingIdentity* Named(const std::string& name) const;

  std::vector<ServingIdentity> identities_;
  std::map<std::string, size_t> by_name_;  // patterns and names of certificates -> identities_
};

}  // namespace berth::http

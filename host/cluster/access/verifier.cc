#include "cluster/access/verifier.h"

namespace berth::access {

base::Result<Verifier> MakeTrustVerifier(const std::string& ca_pem) {
  auto trust = http::ClientTrust::Load(ca_pem);
  if (!trust) return tl::unexpected(trust.error());
  return Verifier([trust = *trust](const std::vector<std::string>& der_chain) { return trust->Verify(der_chain); },
                  (*trust)->ca_names());
}

}  // namespace berth::access

#include "cluster/access/client_certificate.h"

#include <algorithm>

namespace berth::access {

AuthenticationResult UserOfCertificate(const http::ClientName& certificate) {
  if (certificate.common_name.empty()) return {};
  if (!certificate.uid_error.empty()) return AuthenticationResult::Failed(certificate.uid_error);
  return AuthenticationResult::Of({certificate.common_name,
                                   certificate.uid,
                                   certificate.organizations,
                                   {{kCredentialIdKey, {"X509SHA256=" + certificate.sha256}}}});
}

std::string RefusalOfProxy(const http::ClientName& certificate, const std::vector<std::string>& allowed_names) {
  if (allowed_names.empty()) return {};
  const auto found = std::find(allowed_names.begin(), allowed_names.end(), certificate.common_name);
  if (found != allowed_names.end()) return {};
  return "x509: subject with cn=" + certificate.common_name + " is not in the allowed list";
}

}  // namespace berth::access

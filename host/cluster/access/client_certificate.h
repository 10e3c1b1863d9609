// The user that a client certificate names: its common name, with its organizations as groups. Source: k8s.io/apiserver
// pkg/authentication/request/x509/x509.go (CommonNameUserConversion, Verifier.verifySubject). Thread: any; pure
// functions.
#pragma once

#include <string>
#include <vector>

#include "cluster/access/authentication_result.h"
#include "cluster/access/verifier.h"

namespace berth::access {

AuthenticationResult UserOfCertificate(const http::ClientName& certificate);
// "" or why the certificate is not one of a proxy. allowed_names empty: every name is allowed.
std::string RefusalOfProxy(const http::ClientName& certificate, const std::vector<std::string>& allowed_names);

}  // namespace berth::access

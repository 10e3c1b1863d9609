// Checks the credential command of a kubeconfig. Source: client-go's validateAuthInfo and newAuthenticator. Called by
// apply.
#pragma once

#include <string>

#include "client/credentials/selection.h"
#include "codec/fields/issue.h"

namespace berth::credentials {

void CheckExec(const std::string& user, const ExecConfig& exec, fields::Issues& issues);

}  // namespace berth::credentials

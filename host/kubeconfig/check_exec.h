// Whether the command of a kubeconfig can be asked for credentials. Source: client-go's validateAuthInfo and
// newAuthenticator. Called by apply.
#pragma once

#include <string>

#include "config/issue.h"
#include "kubeconfig/selection.h"

namespace berth::kubeconfig {

void CheckExec(const std::string& user, const ExecConfig& exec, config::Issues& issues);

}  // namespace berth::kubeconfig

// What a credential command answers on stdout: an ExecCredential of client.authentication.k8s.io. Thread: any; pure.
// Errors show nothing of the answer, which is all secret.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/result.h"

namespace berth::kubeconfig {

inline constexpr const char* kExecV1 = "client.authentication.k8s.io/v1";
inline constexpr const char* kExecV1beta1 = "client.authentication.k8s.io/v1beta1";

struct ExecCredentials {
  std::string token;                       // "" = none
  std::string certificate_pem, key_pem;    // both or none
  std::optional<int64_t> expires_unix_ns;  // unset: never
};

// api_version: the one that was asked for; the answer must have the same. JSON or YAML.
base::Result<ExecCredentials> ParseExecAnswer(const std::string& output, const std::string& api_version);

}  // namespace berth::kubeconfig

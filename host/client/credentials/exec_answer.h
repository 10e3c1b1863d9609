// The output of a credential command: an ExecCredential of client.authentication.k8s.io. Thread: any; pure. Errors
// contain nothing of the output, which is secret.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/result.h"

namespace berth::credentials {

inline constexpr const char* kExecV1 = "client.authentication.k8s.io/v1";
inline constexpr const char* kExecV1beta1 = "client.authentication.k8s.io/v1beta1";

struct ExecCredentials {
  std::string token;                       // "" = none
  std::string certificate_pem, key_pem;    // both or none
  std::optional<int64_t> expires_unix_ns;  // unset: never
};

// api_version: the requested version, which the output must have. The output is JSON or YAML.
base::Result<ExecCredentials> ParseExecAnswer(const std::string& output, const std::string& api_version);

}  // namespace berth::credentials
